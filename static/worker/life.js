// The worker's life: a release of the bundle is fetched whole beside the one in use, and takes over when
// a page says that nobody is in the middle of a game.
import { exchange } from "./exchange.js";
import { take, takeWords } from "./files.js";
import { post } from "./status.js";

const KIT = "kit";

export async function install({ kit }) {
  await takeWords();
  if (kit) await takeKit(kit);
  // A release in use goes on until a good moment; else the first tables are here before it is said to work.
  if (kit && registration.active?.scriptURL.endsWith("?kit")) return;
  await exchange();
  await skipWaiting();
}

// Each file is stored by itself, so that a broken download goes on from there.
async function takeKit({ files, download: all }) {
  const cache = await caches.open(KIT);
  let done = 0;
  for (const { url, integrity, download } of files) {
    if (!await cache.match(url)) await take(cache, url, { integrity, cache: "no-cache" }).catch(reportFull);
    done += download;
    post({ type: "taking", done, all });
  }
}

function reportFull(error) {
  if (error.name === "QuotaExceededError") post({ type: "taking", error: "room" });
  throw error;
}

export async function activate({ kit }) {
  // Copies of pages, of a release before this one.
  await caches.delete("pages-1");
  if (kit) await dropOld(kit);
  await clients.claim();
}

async function dropOld({ files }) {
  const used = files.map(({ url }) => location.origin + url);
  const cache = await caches.open(KIT);
  for (const { url } of await cache.keys()) if (!used.includes(url)) await cache.delete(url);
}
