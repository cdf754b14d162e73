// Whether there is a network: told by what requests meet, and probed while there is none.

// Milliseconds: so long the server has for what the phone or a copy could answer, and for all else;
// after so long Python is started, to be ready.
export const PATIENCE = 3000;
export const NO_OTHER_WAY = 30000;
const SLOW = 700;
const BETWEEN_PROBES = 4000;
// Statuses by which a server in front says that ours does not answer.
const FROM_THE_WAY = [502, 503, 504];

// The start page, with which all addresses of ours begin.
export const HOME = registration.scope;

// Nothing came back from the server.
export class NoAnswer extends Error {}

// Called when `away` changes, and when an answer is slow.
export const network = { away: !navigator.onLine, changed() {}, slow() {} };
let probe;

export const pause = (wait) => new Promise((go) => setTimeout(go, wait));

export function note(away) {
  clearTimeout(probe);
  if (away) probe = setTimeout(look, BETWEEN_PROBES);
  if (network.away === away) return;
  network.away = away;
  network.changed();
}

// The server's answer; `sure`: nobody else's, as of a hotel that has one log in first. Throws NoAnswer.
export async function ask(request, patience, sure) {
  const stop = new AbortController();
  const late = new Promise((_, refuse) => { stop.signal.onabort = refuse; });
  const timers = [setTimeout(() => network.slow(), SLOW), setTimeout(() => stop.abort(), patience)];
  try {
    if (!navigator.onLine) throw new Error("offline");
    const response = await Promise.race([fetched(request, stop.signal), late]);
    const doubtful = sure || FROM_THE_WAY.includes(response.status);
    if (doubtful && !response.headers.has("X-Request-Id")) throw new Error("not ours");
    note(false);
    return response;
  } catch (error) {
    if (request.signal.aborted) throw error;
    note(true);
    throw new NoAnswer(error);
  } finally {
    timers.forEach(clearTimeout);
  }
}

// A navigation that is made anew to be stopped has lost who sent it.
function fetched(request, signal) {
  if (request.mode === "navigate") return fetch(request);
  return fetch(request, { signal: AbortSignal.any([signal, request.signal]) });
}

export function look() {
  const request = new Request(`${HOME}healthz`, { cache: "no-store", redirect: "error" });
  return ask(request, PATIENCE, true).catch(() => {});
}
