// Keeps what a page needs to open without a network. The pages put their own copies in; here they
// are only taken out, when the score keeper does not answer.
"use strict";

const FILES = "files-1";
const PAGES = "pages-1";
// Milliseconds: so long an answer is waited for where a copy could stand in, where there is none, and
// where something was sent.
const PATIENCE = 4000;
const WITHOUT_COPY = 6000;
const SENT = 30000;
const GONE = [404, 410];
// What all our addresses begin with, on a host that may have others.
const HOME = new URL(registration.scope).pathname;
const TABLE = /^.*?\/t\/[^/]+/;
// What an iPhone's home screen opens each time, which after the first is the start.
const START = `${HOME}start/`;
// Caches of ours, of whatever release; what is being taken along has another one.
const OURS = /^(files|pages)-\d+$/;
// Our own words for a page that is not here, and for a form that got no answer.
const AWAY = `${HOME}away`;
const AWAY_SENT = `${AWAY}?sent`;
const asked = new Set();

// Nobody waits for our own words: a page that was asked for meanwhile would have no worker.
addEventListener("install", () => {
  skipWaiting();
  prepare().catch(() => {});
});
addEventListener("activate", (event) => event.waitUntil(begin()));
addEventListener("message", ({ data }) => data?.type === "claim" && clients.claim());
addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.method === "GET" && pathname.startsWith(`${HOME}static/`)) event.respondWith(file(request));
  if (request.mode !== "navigate") return;
  event.waitUntil(prepareAgain());
  if (request.method === "GET") event.respondWith(page(request));
  // What another site's page sends must not look as if we had sent it.
  else if (request.referrer.startsWith(`${location.origin}/`)) event.respondWith(form(request));
});

// This script is another one with each release and language, and then our own words come anew.
async function prepare() {
  const files = await caches.open(FILES);
  for (const address of [AWAY, AWAY_SENT]) {
    const response = await fetch(address, { cache: "no-store" });
    const html = await response.clone().text();
    for (const [, part] of html.matchAll(/(?:src|href)="([^"]*\/static\/[^"]+)"/g)) await file(new Request(part));
    await files.put(address, response);
  }
}

// What could not be had when this script was installed.
async function prepareAgain() {
  const files = await caches.open(FILES);
  if (!await files.match(AWAY_SENT)) await prepare().catch(() => {});
}

async function begin() {
  for (const name of await caches.keys()) {
    if (OURS.test(name) && ![FILES, PAGES].includes(name)) await caches.delete(name);
  }
  await clients.claim();
}

// What stands in for an answer that fails, or takes too long.
function orElse(answer, other, patience) {
  const late = new Promise((give) => setTimeout(give, patience, other));
  return Promise.race([answer.catch(() => other), late]);
}

// A file's address changes with its content, so a copy is as good as the file.
async function file(request) {
  const files = await caches.open(FILES);
  const copy = await files.match(request);
  if (copy) return copy;
  const older = await files.match(request, { ignoreSearch: true });
  const answer = fetchFile(files, request);
  return older ? orElse(answer, older, PATIENCE) : answer;
}

async function fetchFile(files, request) {
  const response = await fetch(request);
  if (response.ok && new URL(request.url).search) await replace(files, request, response.clone());
  return response;
}

async function replace(files, request, response) {
  for (const old of await files.keys(request, { ignoreSearch: true })) await files.delete(old);
  await files.put(request, response);
}

// A page comes from the score keeper; its last copy stands in when there is no answer in time.
async function page(request) {
  if (new URL(request.url).pathname.startsWith(START)) return orElse(ask(request), Response.redirect(HOME), WITHOUT_COPY);
  const copy = await (await caches.open(PAGES)).match(request.url, { ignoreSearch: true });
  if (copy) return orElse(ask(request), copy, PATIENCE);
  // Over a network that is only slow, whoever asks again gets it.
  const patience = asked.has(request.url) ? SENT : WITHOUT_COPY;
  asked.add(request.url);
  return orElse(ask(request), await ownWords(AWAY), patience);
}

async function form(request) {
  return orElse(ask(request), await ownWords(AWAY_SENT), SENT);
}

// Not found to be all right, so that it is never kept as what a link leads to.
async function ownWords(address) {
  const copy = await (await caches.open(FILES)).match(address);
  return copy ? new Response(copy.body, { status: 504, headers: copy.headers }) : Response.error();
}

async function ask(request) {
  const response = await fetch(request);
  // What a proxy says when it cannot reach the score keeper is no answer.
  if (response.status > 500 && !response.headers.has("X-Request-Id")) throw new Error(response.status);
  if (GONE.includes(response.status)) await forget(new URL(request.url).pathname);
  return response;
}

// Of a table that is gone nothing is kept, nor the list of tables in which it stood.
async function forget(pathname) {
  const [table] = TABLE.exec(pathname) ?? [pathname];
  const pages = await caches.open(PAGES);
  for (const { url } of await pages.keys()) {
    const path = new URL(url).pathname;
    if (path === HOME || `${path}/`.startsWith(`${table}/`)) await pages.delete(url);
  }
}
