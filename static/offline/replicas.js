// The tables of the server's at which this phone writes, as the phone has them: fetched anew when
// they have changed, and until then carried on by what the server has said yes to.
import { ask, network, NoAnswer } from "./network.js";
import { call, change, inTurn, run } from "./phone.js";
import { isHeld } from "./status.js";
import { addAcknowledged, dropAcknowledged, listAcknowledged } from "./storage.js";

// Milliseconds: so long after a change the tables are fetched, and so long they are waited for.
const REST = 2000;
const PATIENCE = 20000;
let planned;

// Remember a write that the server has said yes to, until its table has been fetched.
export async function noteWrite(table, write) {
  if (!table || !await isHeld(table)) return refreshSoon();
  // Where it cannot be remembered, the table is behind until it is fetched.
  await addAcknowledged(write).catch(() => {});
  return refreshSoon();
}

// What the server has said yes to is done here too, as the server's: before anything else is done.
export async function catchUp() {
  const writes = await listAcknowledged();
  if (!writes.length) return;
  await change(({ python, runtime }) => {
    let cookie;
    for (const { id: _, ...write } of writes) {
      const headers = [...write.headers, ["X-Acknowledged", "1"]];
      cookie = call(python, runtime, { ...write, headers }).cookie ?? cookie;
    }
    return { changed: true, cookie, acknowledged: writes.at(-1).id };
  });
}

export function refreshSoon() {
  clearTimeout(planned);
  planned = setTimeout(() => refresh().catch(() => {}), REST);
}

// Fetch what has changed of the tables, until there is no more. Throws NoAnswer, StorageError.
export async function refresh() {
  clearTimeout(planned);
  while (!network.away && await fetchSome());
}

// Whether there is more.
async function fetchSome() {
  const last = (await listAcknowledged()).at(-1)?.id;
  const { body } = await inTurn(() => change((running) => ({ body: run(running, "have"), changed: true })));
  const headers = { "Content-Type": "application/json" };
  const response = await ask(new Request("/offline/replicas", { method: "POST", body, headers }), PATIENCE);
  if (!response.ok) return false;
  const text = await response.text();
  const taken = await inTurn(() => change((running) => {
    const more = run(running, "import_replicas", text);
    return { more, changed: true, acknowledged: more ? undefined : last };
  }));
  return taken.more;
}
