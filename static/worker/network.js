// Whether there is a network: known from the results of requests, and probed while there is none.

// Timeouts in milliseconds: where the phone could answer, and for all else.
const PATIENCE = 2500;
const NO_OTHER_WAY = 30000;
const BETWEEN_PROBES = 4000;
// Above it a server in front says that ours does not answer.
const FAILED = 500;

// The start page, with which all addresses of ours begin.
const HOME = registration.scope;
// Caches and databases belong to the whole host, where others may be below other paths.
const PLACE = new URL(HOME).pathname.slice(1);

let away = false;
let probe;

const pause = (wait) => new Promise((go) => setTimeout(go, wait));

function note(lost) {
  if (!phone.kit || phone.alone) return;
  clearTimeout(probe);
  if (lost) probe = setTimeout(look, BETWEEN_PROBES);
  if (away === lost) return;
  away = lost;
  report();
  exchange();
  write({ away }).catch(logError);
}

// The answer to a request or an address, or nothing where none has begun so soon. Says nothing of the network.
function fetchWithin(patience, asked, options) {
  const stop = new AbortController();
  let timer;
  const late = new Promise((give) => { timer = setTimeout(() => give(stop.abort()), patience); });
  // A navigation that is made anew to be stopped has lost who sent it, and no browser asks for a password there.
  const found = fetch(asked, asked.mode === "navigate" ? {} : { ...options, signal: stop.signal });
  return Promise.race([found, late]).catch(() => {}).finally(() => clearTimeout(timer));
}

// The server's answer; `sure`: nobody else's, as of a hotel that has one log in first. Nothing where there is none.
async function ask(patience, asked, options, sure) {
  const response = await fetchWithin(patience, asked, options);
  const doubtful = sure || response?.status > FAILED;
  const lost = !response || (doubtful && !response.headers.has("X-Request-Id"));
  note(lost);
  return lost ? undefined : response;
}

function look() {
  return ask(PATIENCE, `${HOME}healthz`, { cache: "no-store" }, true);
}
