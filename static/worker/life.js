// The worker's life: a release of the bundle is fetched whole beside the one in use, and takes over when
// a page says that nobody is in the middle of a game.

const KIT = `kit${PLACE}`;
// Those of a host may be wrong, and with another one the browser does not compile Python.
const TYPES = { css: "text/css", js: "text/javascript", svg: "image/svg+xml", wasm: "application/wasm" };

async function install({ kit, alone }) {
  const { state } = await read("state");
  // An older release cannot read the file of a newer.
  if (state?.status.schema > kit?.schema) throw new Trouble("older");
  if (!alone) await takeWords();
  if (kit) await takeKit(kit);
  // A release in use goes on until a good moment; else the first tables are here before it is said to work.
  if (kit && registration.active?.scriptURL.endsWith("?kit")) return;
  if (alone) await takeWords().catch(reportUnable);
  else await exchange();
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

async function findFile({ url, packed, integrity }) {
  const cache = await caches.open(KIT);
  if (!await cache.match(url)) {
    const { body } = await fetchWhole(packed ?? url, { integrity, cache: packed ? "no-store" : "no-cache" });
    const type = TYPES[url.split("?")[0].split(".").pop()];
    // The start page has asked for it.
    const whole = packed ? body.pipeThrough(new globalThis.DecompressionStream("gzip")) : body;
    await cache.put(url, new Response(whole, type && { headers: { "Content-Type": type } }));
  }
  return cache.match(url);
}

function reportFull(error) {
  if (error.name === "QuotaExceededError") post({ type: "taking", error: "room" });
  throw error;
}

function reportUnable(error) {
  post({ type: "taking", error: "unable" });
  throw error;
}

async function activate({ kit, alone }) {
  // Copies of pages, of a release before this one.
  await caches.delete("pages-1");
  if (kit) await dropOld(kit);
  if (alone) await takeWords();
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
