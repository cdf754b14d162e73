// Push and pull: waiting changes go to the server, and changes of others come here.
import { HOME, network, NO_OTHER_WAY, PATIENCE, pause } from "./network.js";
import { answer, phone } from "./phone.js";

// Milliseconds: so long after a change of others the server is asked, and so long a page's answer is
// held back for a pull.
const SOON = 2000;
const HELD_BACK = 250;
let running, planned;

// Called again meanwhile, it is the same. A failure is tried again when a page asks for the status.
// Whether all of it was done.
export function exchange() {
  running ??= once().catch(() => false).finally(() => { running = undefined; });
  return running;
}

async function once() {
  if (!phone.kit || network.away) return false;
  // The browser has the pen of a table that was opened here only after a pull.
  do await pull(); while (await push());
  return true;
}

async function pull() {
  let more = true;
  while (more) {
    const have = await ofPhone("have");
    const pulled = await ofServer("replicas", await have.text());
    ({ more } = await (await ofPhone("replicas", await pulled.text())).json());
  }
}

// Send each table's batch; whether any arrived, so that there may be more.
async function push() {
  const batches = await (await ofPhone("outbox")).json();
  const sent = await Promise.allSettled(batches.map(send));
  return sent.some(({ status }) => status === "fulfilled");
}

async function send(batch) {
  const answered = await ofServer(`tables/${batch.link}`, JSON.stringify(batch));
  await ofPhone(`receipts/${batch.link}?status=${answered.status}`, await answered.text());
}

const addressOf = (path) => `${HOME}offline/${path}`;

// Says nothing of the network: another table's server may be there.
function ofServer(path, body) {
  const stop = new AbortController();
  setTimeout(() => stop.abort(), NO_OTHER_WAY);
  return fetch(addressOf(path), { method: "POST", body, signal: stop.signal });
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

// The server has accepted a write, which is to be here too when the page shows it. Where it cannot
// be pulled, it is written here as well, as if there had been no answer: its key is the same.
export async function followWrite(table, sent) {
  if (!phone.status.held.includes(table)) return exchangeSoon();
  const pulled = Promise.resolve(running).then(exchange);
  const soon = Promise.race([pulled, pause(PATIENCE)]);
  phone.following = soon.then((done) => done || answer(sent).catch(() => {}));
  return Promise.race([pulled, pause(HELD_BACK)]);
}

// Waiting changes are pushed at once.
export function sendWaiting() {
  if (phone.status.waiting) exchange();
}
