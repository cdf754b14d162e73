// The worker's life: a release of the bundle is fetched whole beside the one in use, and takes over when
// a page says that nobody is in the middle of a game.

const KIT = `kit${PLACE}`;
// Those of a host may be wrong, and with another one the browser does not compile Python.
const TYPES = { css: "text/css", js: "text/javascript", svg: "image/svg+xml", wasm: "application/wasm" };

async function install({ kit }) {
  await takeWords();
  if (kit) await takeKit(kit);
  // A release in use goes on until a good moment; else the first tables are here before it is said to work.
  if (kit && registration.active?.scriptURL.endsWith("?kit")) return;
  await exchange();
  await skipWaiting();
}

// Each file is stored by itself, so that a broken download goes on from there.
async function takeKit({ files, download: all }) {
  let done = 0;
  for (const file of files) {
    await findFile(file).catch(reportFull);
    done += file.download;
    post({ type: "taking", done, all });
  }
}

async function findFile({ url, integrity }) {
  const cache = await caches.open(KIT);
  if (!await cache.match(url)) {
    const { body } = await fetchWhole(url, { integrity, cache: "no-cache" });
    const type = TYPES[url.split("?")[0].split(".").pop()];
    await cache.put(url, new Response(body, type && { headers: { "Content-Type": type } }));
  }
  return cache.match(url);
}

function reportFull(error) {
  if (error.name === "QuotaExceededError") post({ type: "taking", error: "room" });
  throw error;
}

async function activate({ kit }) {
  // Copies of pages, of a release before this one.
  await caches.delete("pages-1");
  if (kit) await dropOld(kit);
  await clients.claim();
}

async function dropOld({ files }) {
  const used = files.map(({ url }) => url);
  const cache = await caches.open(KIT);
  for (const { url } of await cache.keys()) if (!used.includes(url)) await cache.delete(url);
}

// A page has put a worker without it in its place.
async function forgetKit() {
  await caches.delete(KIT);
  indexedDB.deleteDatabase(`chicago${PLACE}`);
}
