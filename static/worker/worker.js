// The service worker: it answers when the server cannot, by the score keeper itself where the phone
// has the bundle, else in words.

// For programs, and the worker's own.
const ELSEWHERE = /^\/(api\/.*|healthz|offline\/(kit\.json|tables\/.*|replicas))$/;
const FILE = /^\/(static|offline)\//;
const OWN = { "GET /offline/status": giveStatus, "GET /offline/file": giveFile, "POST /offline/aside": beginAnew };
const MESSAGES = { "take-over": () => skipWaiting(), push: pushNow, changed: exchangeSoon, leave: forgetKit };
let begun;

// `config`: the release, and where the phone is to answer by itself { kit, loadPyodide, createPyodideModule },
// where it is `alone`, without a server, as the first of all.
export function serve(config) {
  // Addresses in the list are those below the start page.
  for (const file of config.kit?.files ?? []) {
    file.url = HOME + file.url;
    if (file.packed) file.packed = HOME + file.packed;
  }
  Object.assign(phone, config, { changed: () => [report(), sendWaiting()] });
  network.changed = noteNetwork;
  addEventListener("install", (event) => event.waitUntil(install(config)));
  addEventListener("activate", (event) => event.waitUntil(activate(config), exchange()));
  addEventListener("message", (event) => event.waitUntil(MESSAGES[event.data?.type]?.()));
  addEventListener("fetch", route);
}

function route(event) {
  const { request } = event;
  const path = pathOf(request);
  if (!request.url.startsWith(HOME) || ELSEWHERE.test(path) || !isOurs(request)) return;
  const own = OWN[`${request.method} ${path}`];
  if (own) event.respondWith(own());
  else if (FILE.test(path)) event.respondWith(answerFile(request).catch(leave));
  else if (path.endsWith("/live")) answerLive(event);
  // Without a bundle nothing stands in for a part of a page.
  else if (phone.kit || request.mode === "navigate") event.respondWith(begin().then(() => answerPage(request)).catch(leave));

  // An error of our own is no lost network: the browser asks as it would without a worker.
  function leave(error) {
    logError(error);
    return fetch(request);
  }
}

function noteNetwork() {
  report();
  if (!phone.kit) return;
  if (network.away) prepare();
  else exchange();
  write({ away: network.away }).catch(logError);
}

// With the first request, which only a worker in use gets: go on from before this one was ended.
async function begin() {
  if (phone.kit) begun ??= resume().catch(logError);
  await begun;
}

async function resume() {
  const { away, state } = await read("away", "state");
  follow(state);
  if (away) note(away);
  if (network.away) look();
}

async function giveStatus() {
  await begin();
  sendWaiting();
  return new Response(JSON.stringify(describe()));
}

function pushNow() {
  return begin().then(look).then(exchange);
}
