// Keeps what a page needs to open without a network. The pages put their own copies in; here they
// are only taken out, when the score keeper does not answer.
"use strict";

const FILES = "files-1";
const PAGES = "pages-1";
// What is being taken along, until its own worker is in place.
const KIT = "kit";
const PATIENCE = 4000;
const GONE = [404, 410];
const TABLE = /^\/t\/[^/]+/;

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(begin()));
addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (pathname.startsWith("/static/")) event.respondWith(file(request));
  else if (request.mode === "navigate" && !/\/(pen|recovery)\//.test(pathname)) event.respondWith(page(request));
});

async function begin() {
  for (const name of await caches.keys()) {
    if (![FILES, PAGES, KIT].includes(name)) await caches.delete(name);
  }
  await clients.claim();
}

// A file's address changes with its content, so a copy is as good as the file.
async function file(request) {
  const files = await caches.open(FILES);
  const copy = await files.match(request);
  if (copy) return copy;
  try {
    const response = await fetch(request);
    if (response.ok && new URL(request.url).search) await replace(files, request, response.clone());
    return response;
  } catch (error) {
    const older = await files.match(request, { ignoreSearch: true });
    if (older) return older;
    throw error;
  }
}

async function replace(files, request, response) {
  for (const old of await files.keys(request, { ignoreSearch: true })) await files.delete(old);
  await files.put(request, response);
}

// A page comes from the score keeper; its last copy stands in when there is no answer in time.
async function page(request) {
  const copy = await (await caches.open(PAGES)).match(request.url, { ignoreSearch: true });
  if (!copy) return ask(request);
  const late = new Promise((give) => setTimeout(give, PATIENCE, copy));
  return Promise.race([ask(request).catch(() => copy), late]);
}

async function ask(request) {
  const response = await fetch(request);
  if (GONE.includes(response.status)) await forget(new URL(request.url).pathname);
  return response;
}

// Of a table that is gone nothing is kept, nor the list of tables in which it stood.
async function forget(pathname) {
  const [table] = TABLE.exec(pathname) ?? [pathname];
  const pages = await caches.open(PAGES);
  for (const { url } of await pages.keys()) {
    const path = new URL(url).pathname;
    if (path === "/" || `${path}/`.startsWith(`${table}/`)) await pages.delete(url);
  }
}
