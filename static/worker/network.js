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

// `changed` is called when `away` changes.
const network = { away: !navigator.onLine, changed() {} };
let probe;

const pause = (wait) => new Promise((go) => setTimeout(go, wait));

function note(away) {
  if (phone.alone) return;
  clearTimeout(probe);
  if (away) probe = setTimeout(look, BETWEEN_PROBES);
  if (network.away === away) return;
  network.away = away;
  network.changed();
}

// The server's answer; `sure`: nobody else's, as of a hotel that has one log in first. Nothing where there is none.
async function ask(request, patience, sure) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), patience);
  request.signal.onabort = () => stop.abort();
  const late = new Promise((_, refuse) => { stop.signal.onabort = refuse; });
  // A navigation that is made anew to be stopped has lost who sent it.
  const options = request.mode === "navigate" ? {} : { signal: stop.signal };
  const asked = navigator.onLine ? fetch(request, options) : Promise.reject();
  const response = await Promise.race([asked, late]).catch(() => {});
  clearTimeout(timer);
  const doubtful = sure || response?.status > FAILED;
  const lost = !response || (doubtful && !response.headers.has("X-Request-Id"));
  if (!lost || !request.signal.aborted) note(lost);
  return lost ? undefined : response;
}

function look() {
  const request = new Request(`${HOME}healthz`, { cache: "no-store" });
  return ask(request, PATIENCE, true);
}
