// The service worker: it answers when the server cannot, by the score keeper itself where the phone
// has the bundle, else in words.

const FILE = /^\/(static|offline\/[^/]+)\//;
const MESSAGES = { "take-over": takeOver, changed: exchangeAgain, leave: forgetKit };
let begun;

// `config`: the words for when nothing answers; and where the phone is to answer by itself
// { kit, loadPyodide, createPyodideModule }, where it is `alone`, without a server, as the first of all.
export function serve(config) {
  Object.assign(phone, config);
  addEventListener("install", (event) => event.waitUntil(install(config)));
  addEventListener("activate", (event) => event.waitUntil(activate(config), exchange()));
  addEventListener("message", (event) => event.waitUntil(MESSAGES[event.data?.type]?.()));
  addEventListener("fetch", route);
}

function route(event) {
  const { request } = event;
  const path = pathOf(request);
  // Without a bundle nothing stands in for a part of a page.
  if (!request.url.startsWith(HOME) || !isOurs(request) || !(phone.kit || isPage(request))) return;
  if (path === "/offline/status") event.respondWith(giveStatus());
  // The stream of a table lasts longer than a worker does. It is asked for again where it has broken off.
  else if (path.endsWith("/live") && !away && !isOnlyHere(request)) event.waitUntil(begin().then(look));
  else event.respondWith((FILE.test(path) ? answerFile(request) : begin().then(() => answerPage(request))).catch(leave));

  // An error of our own is no lost network: the browser asks as it would without a worker.
  function leave(error) {
    logError(error);
    return fetch(request);
  }
}

// Take over now; a page that had begun to load before this worker was active is of it from now on too.
async function takeOver() {
  await skipWaiting();
  if (registration.active) await clients.claim().catch(() => {});
}

// A file's address changes with its content, so a copy is as good as the file.
async function answerFile(request) {
  return await caches.match(request.url) ?? fetch(request);
}

// With the first request, which only a worker in use gets: go on from before this one was ended.
async function begin() {
  if (phone.kit) begun ??= resume().catch(logError);
  await begun;
}

async function resume() {
  const found = await read("away", "state");
  follow(found.state);
  if (found.away) note(true);
  if (away) look();
}

async function giveStatus() {
  await begin();
  sendWaiting();
  return new Response(JSON.stringify(describe()));
}

const describe = () => ({ kit: phone.kit?.release, away, ...phone.status });

// Tell the pages.
const report = () => post({ type: "status", ...describe() });

async function post(message) {
  const pages = await clients.matchAll({ includeUncontrolled: true, type: "window" });
  for (const page of pages) page.postMessage(message);
}

function logError(error) {
  console.error(error);
}
