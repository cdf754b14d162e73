// Whether there is a network: told by what requests meet, and asked for while there is none.

// Milliseconds. Where an answer takes so long, the phone gets ready meanwhile.
const SLOW = 700;
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

function set(away) {
  if (network.away === away) return;
  network.away = away;
  clearTimeout(probe);
  if (away) probe = setTimeout(look, BETWEEN_PROBES);
  network.changed();
}

// Ask the server, and wait only so long. Throws NoAnswer; what whoever asked has called off is
// passed on.
export async function ask(request, patience) {
  if (navigator.onLine === false) {
    set(true);
    throw new NoAnswer("offline");
  }
  const slow = setTimeout(() => network.slow(), SLOW);
  const stop = new AbortController();
  const late = setTimeout(() => stop.abort(new NoAnswer("late")), patience);
  try {
    return heard(await Promise.race([fetched(request, stop.signal), aborted(stop.signal)]));
  } catch (error) {
    if (request.signal.aborted) throw error;
    set(true);
    throw new NoAnswer(error?.message ?? String(error), { cause: error });
  } finally {
    clearTimeout(slow);
    clearTimeout(late);
  }
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

// What a worker knew before it was ended.
export async function resume(away) {
  if (await away && !network.away) set(true);
  if (network.away) look();
}
