// Whether there is a network: told by what requests meet, and asked for while there is none.

// Milliseconds. A request of a page that takes longer has met no network; where an answer takes as
// long as `SLOW`, the phone gets ready meanwhile.
export const PATIENCE = 2500;
const SLOW = 700;
const STEP = 250;
const PROBE = 2500;
const BETWEEN_PROBES = 4000;
// Statuses by which a server in front says that ours does not answer.
const FROM_THE_WAY = [502, 503, 504];

// Nothing came back from the server.
export class NoAnswer extends Error {}

export const network = {
  away: navigator.onLine === false,
  // Called when `away` changes, and when an answer is slow.
  changed() {},
  slow() {},
};
let probe;
let probing = false;
const LATE = new NoAnswer("late");
// What waits as long as a request of a page: where one was swallowed, these are too.
const waiting = new Set();

function set(away) {
  if (network.away === away) return;
  network.away = away;
  clearTimeout(probe);
  if (away) probe = setTimeout(look, BETWEEN_PROBES);
  network.changed();
}

// Ask the server, and wait only so long; where that is no longer than `PATIENCE`, only until another
// request was in vain. Throws NoAnswer; what whoever asked has called off is passed on.
export async function ask(request, patience) {
  if (navigator.onLine === false) {
    set(true);
    throw new NoAnswer("offline");
  }
  const stop = new AbortController();
  if (patience <= PATIENCE) waiting.add(stop);
  const waited = [
    after(SLOW, () => network.slow()), after(patience, () => stop.abort(LATE)),
  ];
  try {
    return heard(await Promise.race([fetched(request, stop.signal), aborted(stop.signal)]));
  } catch (error) {
    if (request.signal.aborted) throw error;
    set(true);
    if (error === LATE) for (const other of waiting) other.abort(LATE);
    throw new NoAnswer(error?.message ?? String(error), { cause: error });
  } finally {
    waiting.delete(stop);
    for (const cancel of waited) cancel();
  }
}

// Do something after a while in which this worker could have heard of an answer: what it was busy
// with meanwhile, as Python's start, counts for one step. Returns what calls that off.
function after(wait, act) {
  let left = wait;
  let timer;
  const step = () => {
    if (left <= 0) return act();
    left -= STEP;
    timer = setTimeout(step, Math.min(STEP, left + STEP));
    return undefined;
  };
  step();
  return () => clearTimeout(timer);
}

// A navigation is handed on as it is: what is made anew of it has lost who sent it.
function fetched(request, signal) {
  if (request.mode === "navigate") return fetch(request);
  return fetch(request, { signal: AbortSignal.any([signal, request.signal]) });
}

function aborted(signal) {
  return new Promise((_, refuse) => {
    signal.addEventListener("abort", () => refuse(signal.reason));
  });
}

function heard(response) {
  if (FROM_THE_WAY.includes(response.status) && !response.headers.has("X-Request-Id")) {
    throw new NoAnswer(`status ${response.status}`);
  }
  set(false);
  return response;
}

// Look whether the network is back, once now and from time to time while it is away.
export async function look() {
  if (probing) return;
  probing = true;
  clearTimeout(probe);
  try {
    set(!await answers());
  } finally {
    probing = false;
    if (network.away) probe = setTimeout(look, BETWEEN_PROBES);
  }
}

async function answers() {
  if (navigator.onLine === false) return false;
  try {
    const signal = AbortSignal.timeout(PROBE);
    const response = await fetch("/healthz", { cache: "no-store", redirect: "error", signal });
    return response.headers.has("X-Request-Id");
  } catch {
    return false;
  }
}

// Go on with what was known before the worker was ended.
export function resume(away) {
  if (away) set(true);
  if (network.away) look();
}
