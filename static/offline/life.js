// The worker's life: a release is fetched whole beside the one that is used, waits there, and takes
// over when nothing is to be handed over and nobody is in the middle of a game.
import { CACHE } from "./boot.js";
import { FILES, PAGES } from "./copies.js";
import { loadState } from "./storage.js";

const KEPT = [CACHE, FILES, PAGES];

// Have every file of the kit, without fetching those that are there; then the worker waits. Throws
// where one cannot be had.
export async function install({ files }) {
  const cache = await caches.open(CACHE);
  for (const file of files) if (!await cache.match(file.url)) await take(cache, file);
  // The worker that keeps copies of pages only has nothing that could be lost.
  const { active } = registration;
  if (active && new URL(active.scriptURL).pathname !== location.pathname) await skipWaiting();
}

async function take(cache, { url, sha256 }) {
  const response = await fetch(url, { cache: "no-cache" });
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  const bytes = await response.arrayBuffer();
  if (await digest(bytes) !== sha256) throw new Error(`${url}: not what it should be`);
  await cache.put(url, new Response(bytes, { headers: response.headers }));
}

async function digest(bytes) {
  const found = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...found].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function waits() {
  return Boolean((await loadState().catch(() => undefined))?.status?.waiting);
}

// A page says that now is a good moment; it is none while anything waits to be handed over.
export async function takeOver() {
  if (!await waits()) await skipWaiting();
}

// What only the release before used goes.
export async function activate({ files }) {
  const used = new Set(files.map(({ url }) => new URL(url, location).href));
  const cache = await caches.open(CACHE);
  for (const request of await cache.keys()) if (!used.has(request.url)) await cache.delete(request);
  for (const name of await caches.keys()) if (!KEPT.includes(name)) await caches.delete(name);
  await clients.claim();
}
