// Push and pull: what is only on this phone goes to the server, and what changed there comes here.
import { takeKit } from "./life.js";
import { HOME, network, NO_OTHER_WAY, pause } from "./network.js";
import { answer, isReady, phone } from "./phone.js";

// Milliseconds: so long after a change of others the server is asked, at most so long after a failure
// again, and so long a page's answer is held back for a pull.
const SOON = 2000;
const LONGEST_REST = 60000;
const HELD_BACK = 250;
const HEADERS = { "Content-Type": "application/json" };
let running, again, planned;
let failures = 0;

// Called again meanwhile, it is the same.
export function exchange() {
  running ??= once().finally(() => { running = undefined; });
  return running;
}

async function once() {
  clearTimeout(again);
  again = undefined;
  if (!phone.kit || network.away) return;
  try {
    // The browser has the pen of a table that was opened here only after a pull.
    do await pull(); while (await push());
    failures = 0;
  } catch (error) {
    failures += 1;
    again = setTimeout(exchange, Math.min(LONGEST_REST, 1000 * 2 ** failures));
    if (error.reason === "incomplete") await takeKit(phone.kit).catch(() => {});
  }
}

async function pull() {
  let more = true;
  while (more) {
    const have = await ofPhone("have");
    const pulled = await ofServer("replicas", await have.text());
    ({ more } = await (await ofPhone("replicas", await pulled.text())).json());
  }
}

// Send each table's batch; whether there was any. Throws what one of them met once all are sent.
async function push() {
  const batches = await (await ofPhone("outbox")).json();
  let failure;
  for (const batch of batches) await send(batch).catch((error) => { failure = error; });
  if (failure) throw failure;
  return batches.length > 0;
}

async function send(batch) {
  const answered = await ofServer(`tables/${batch.link}`, JSON.stringify(batch));
  await ofPhone(`receipts/${batch.link}?status=${answered.status}`, await answered.text());
}

const addressOf = (path) => `${HOME}offline/${path}`;

// Says nothing of the network: another table's server may be there.
function ofServer(path, body) {
  const signal = AbortSignal.timeout(NO_OTHER_WAY);
  return fetch(addressOf(path), { method: "POST", body, headers: HEADERS, signal });
}

// Throws where that was no answer of the server's.
async function ofPhone(path, text) {
  const method = text === undefined ? "GET" : "POST";
  const response = await answer({ method, url: addressOf(path), body: new TextEncoder().encode(text) });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response;
}

export function exchangeSoon() {
  clearTimeout(planned);
  planned = setTimeout(exchange, SOON);
}

// The server has accepted a write: what the page then shows is to be here too.
export async function followWrite(table) {
  if (!phone.status.held.includes(table)) return exchangeSoon();
  const done = Promise.resolve(running).then(exchange);
  // Python's start would keep the page waiting for longer.
  return isReady() && Promise.race([done, pause(HELD_BACK)]);
}

// What is written here goes at once, unless a failure is being waited for.
export function sendWritten() {
  if (!phone.status.waiting) return;
  // Once there is a network the browser may wake a worker by itself.
  registration.sync?.register("hand-over").catch(() => {});
  if (!again) exchange();
}
