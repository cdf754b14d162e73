// What is kept, as a file to be saved; and where it cannot be opened, a way to go on without it.
import { inTurn, readFile, setAside } from "./phone.js";

export async function giveFile() {
  const headers = {
    "Content-Type": "application/vnd.sqlite3",
    "Content-Disposition": 'attachment; filename="chicago.db"',
    "Cache-Control": "no-store",
  };
  return new Response(await readFile(), { headers });
}

export async function beginAnew({ method }) {
  if (method !== "POST") return new Response(null, { status: 405, headers: { Allow: "POST" } });
  await inTurn(setAside);
  return Response.redirect("/", 303);
}
