// The worker's life: a release of the bundle is fetched whole beside the one in use, and takes over when
// a page says that nobody is in the middle of a game.

const KIT = `kit${PLACE}`;

async function install({ kit, alone }) {
  if (!kit) return;
  const { state } = await read("state");
  // An older release cannot read the file of a newer.
  if (state?.status.schema > kit.schema) throw new Error("older");
  await takeKit(kit);
  // A release in use goes on until a good moment; else the first tables are here before it is said to work.
  if (registration.active?.scriptURL.endsWith("?kit")) return;
  if (alone) await answer({ method: "GET", url: "/" }).catch(reportUnable);
  else await exchange();
}

// Each file is stored by itself, so that a broken download goes on from there.
async function takeKit({ files, download: all }) {
  const cache = await caches.open(KIT);
  const there = (await cache.keys()).map(({ url }) => url);
  let done = 0;
  for (const { url, packed, type, integrity, download } of files) {
    done += download;
    if (!there.includes(HOME + url)) {
      const { body } = await fetch(HOME + (packed ?? url), { integrity, cache: "no-store" });
      const whole = packed ? body.pipeThrough(new globalThis.DecompressionStream("gzip")) : body;
      await cache.put(HOME + url, new Response(whole, { headers: { "Content-Type": type } })).catch(reportFull);
      post({ type: "taking", done, all });
    }
  }
}

function reportFull(error) {
  if (error.name === "QuotaExceededError") post({ type: "taking", error: "room" });
  throw error;
}

function reportUnable(error) {
  post({ type: "taking", error: "unable" });
  throw error;
}

async function activate({ kit }) {
  // Files and words, of a release before this one.
  await caches.delete(`files-1${PLACE}`);
  if (kit) await dropOld(kit);
  await clients.claim();
}

async function dropOld({ files }) {
  const cache = await caches.open(KIT);
  const used = files.map(({ url }) => HOME + url);
  for (const { url } of await cache.keys()) if (!used.includes(url)) await cache.delete(url);
}

// A page has put a worker without it in its place.
async function forgetKit() {
  await caches.delete(KIT);
  indexedDB.deleteDatabase(`chicago${PLACE}`);
}
