// Push and pull: waiting changes go to the server, and changes of others come here.

// Milliseconds: so long after a change of others the server is asked, and so long a page's answer is
// held back for a pull.
const SOON = 2000;
const HELD_BACK = 250;
let running, planned;

// Called again meanwhile, it is the same. A failure is tried again when a page asks for the status.
// Whether all of it was done.
function exchange() {
  running ??= once().catch(logError).finally(() => { running = undefined; });
  return running;
}

// Pushing comes first: it waits for no table that cannot be pulled. A browser without a pen has one after the pull.
async function once() {
  if (!phone.kit || phone.alone || network.away) return false;
  while (await push());
  const { ok } = await carry(await (await ofPhone("have")).text(), "replicas", "replicas");
  while (ok && await push());
  return ok;
}

// Send each table's batch; whether any arrived, so that there may be more.
async function push() {
  const batches = await (await ofPhone("outbox")).json();
  const taken = await Promise.all(batches.map((batch) => (
    carry(JSON.stringify(batch), `tables/${batch.link}`, `receipts/${batch.link}`))));
  return taken.some(({ ok }) => ok);
}

const addressOf = (path) => `${HOME}offline/${path}`;

// Send something to the server, and what comes of it to the phone, which knows whether that is an answer.
// Says nothing of the network: another table's server may be there.
async function carry(body, path, back) {
  const stop = new AbortController();
  setTimeout(() => stop.abort(), NO_OTHER_WAY);
  const answered = await fetch(addressOf(path), { method: "POST", body, signal: stop.signal }).catch(() => Response.error());
  return ofPhone(`${back}?status=${answered.status}`, await answered.text().catch(() => ""));
}

function ofPhone(path, text) {
  const method = text === undefined ? "GET" : "POST";
  return answer({ method, url: addressOf(path), body: new TextEncoder().encode(text) });
}

function exchangeSoon() {
  clearTimeout(planned);
  planned = setTimeout(exchange, SOON);
}

// The server has accepted a write, which is to be here too when the page shows it. Where it cannot
// be pulled, it is written here as well, as if there had been no answer: its key is the same.
async function followWrite(table, sent) {
  if (!phone.status.held.includes(table)) return exchangeSoon();
  const pulled = Promise.resolve(running).then(exchange);
  const soon = Promise.race([pulled, pause(PATIENCE)]);
  phone.following = soon.then((done) => done || answer(sent).catch(logError));
  return Promise.race([pulled, pause(HELD_BACK)]);
}

// Waiting changes are pushed at once.
function sendWaiting() {
  if (phone.status.waiting) exchange();
}
