// The pages as an app: kept on the phone to be read without a network, and the screen kept awake.
"use strict";

const PAGES = "pages-1";
const FILES = "files-1";
const MOST_PAGES = 30;
const READABLE = /\/$|\/t\/[\w.-]+(\/protocol|\/rules|\/games\/\d+)?$/;

workers?.getRegistration().then((found) => isKit(found) || workers.register(`${home}sw.js`)).catch(() => {});
workers?.ready.then(({ active }) => {
  // A page that was being loaded when its worker began is not yet the worker's.
  if (!workers.controller) active.postMessage({ type: "claim" });
  // What cannot be kept now, the network or the room being gone, is kept another time.
  for (const attempt of [forgetErased(), keepPage(), keepFiles()]) attempt.catch(() => {});
});

// What is kept is the page as it stands now, without what is half done on it.
let keeping;
async function keepPage() {
  if (!READABLE.test(location.pathname) || document.body.dataset.known || find("main.lost")) return;
  const pages = await caches.open(PAGES);
  await forgetErased();
  const headers = { "Content-Type": "text/html; charset=utf-8", "X-Erased": erased() };
  await pages.put(location.pathname, new Response(copyOfPage(), { headers }));
  const kept = await pages.keys();
  for (const old of kept.slice(0, Math.max(0, kept.length - MOST_PAGES))) await pages.delete(old);
}

// The version of the table at which something was erased last.
function erased() {
  return Math.max(0, ...all("[data-erased]").map((part) => Number(part.dataset.erased)));
}

// What was kept of a table before something was erased there goes, and the list of tables with it.
async function forgetErased() {
  const [table] = /^.*\/t\/[^/]+/.exec(location.pathname) ?? [];
  if (!table) return;
  const pages = await caches.open(PAGES);
  const old = [];
  for (const request of await pages.keys()) {
    if (!`${new URL(request.url).pathname}/`.startsWith(`${table}/`)) continue;
    const copy = await pages.match(request);
    if (Number(copy?.headers.get("X-Erased")) < erased()) old.push(request);
  }
  for (const address of old.length ? [...old, home] : []) await pages.delete(address);
}

function copyOfPage() {
  const copy = document.documentElement.cloneNode(true);
  find("body", copy).dataset.known = new Date().toISOString();
  for (const part of all("#ask, #said, #heard, #unsent ul, #live", copy)) part.replaceChildren();
  for (const part of all("#unsent", copy)) part.hidden = true;
  find("#only-here", copy)?.remove();
  find("#ask", copy)?.removeAttribute("open");
  return `<!DOCTYPE html>${copy.outerHTML}`;
}

// What the network did not give now is asked for again by the next page.
async function keepFiles() {
  const files = await caches.open(FILES);
  for (const { src, href } of all("script[src], link[rel=stylesheet], link[rel=icon]")) {
    const address = src ?? href;
    if (await files.match(address)) continue;
    for (const old of await files.keys(address, { ignoreSearch: true })) await files.delete(old);
    await files.add(address).catch(() => {});
  }
}

function keepSoon() {
  clearTimeout(keeping);
  if (workers?.controller) keeping = setTimeout(keepPage, 500);
}
document.addEventListener("htmx:after:swap", keepSoon);

// A copy says that it is one, until the score keeper answers.
const { known } = document.body.dataset;
if (known) {
  const note = document.createElement("p");
  const { lang, dataset: { zone = "Europe/Stockholm" } } = document.documentElement;
  const when = new Date(known).toLocaleString(lang, {
    weekday: "long", hour: "2-digit", minute: "2-digit", timeZone: zone,
  });
  note.className = "known-at";
  note.role = "status";
  note.textContent = document.body.dataset.last.replace("{time}", when);
  document.body.prepend(note);
  if (!find("#table")) addEventListener("online", () => location.reload());
}
document.addEventListener("live", () => {
  delete document.body.dataset.known;
  find(".known-at")?.remove();
});

// The screen stays on while a game is written down, and on a large screen that shows one.
const LARGE = matchMedia("(min-width: 60rem) and (min-height: 34rem) and (orientation: landscape)");
let awake;
async function stayAwake() {
  const playing = find("#table .board") || (LARGE.matches && find(".follow"));
  if (document.hidden || !navigator.wakeLock) return;
  if (!playing) {
    const held = awake;
    awake = undefined;
    return held?.release();
  }
  if (awake && !awake.released) return;
  awake = await navigator.wakeLock.request("screen").catch(() => undefined);
}
stayAwake();
document.addEventListener("visibilitychange", stayAwake);
document.addEventListener("htmx:after:swap", stayAwake);

// What could not be sent yet is told on the way to its table as well.
for (const link of all('.tables a[href*="/t/"], a.on')) {
  const unsent = JSON.parse(localStorage.getItem(`unsent:${link.pathname}`) ?? "{}").entries ?? [];
  if (!unsent.length) continue;
  const mark = document.createElement("strong");
  mark.className = "waiting";
  mark.textContent = `${unsent.length} ${document.body.dataset.unsent}`;
  link.append(mark);
}
