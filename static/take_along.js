// Taking the score keeper along: its files, each checked, into the phone's own store, and then the
// worker that plays with them. What breaks off goes on where it was, on this page or the next one.
"use strict";

const KIT = "kit";
const LIST = "/offline/kit.json";
const WORKER = "/offline/worker.js";
const MEGABYTE = 1e6;
// Milliseconds after which what broke off is tried again, for as long as the page is open.
const AGAIN = 5000;
// More room than what is kept: while it is put away a file is there twice.
const SPARE = 1.3;
let stopping, later;

const section = () => find("#along");
const wordsFor = (name, values = {}) => Object.entries(values).reduce(
  (words, [key, value]) => words.replace(`{${key}}`, value), section()?.dataset[name] ?? "");
const megabytes = (bytes, digits = 0) => (bytes / MEGABYTE).toLocaleString(root.lang, {
  minimumFractionDigits: digits, maximumFractionDigits: digits,
});

function stand(state) {
  root.dataset.kit = state;
  if (state === "taking") localStorage.kit = state;
  else localStorage.removeItem("kit");
}

function tell(name, values) {
  const said = find(".along-said");
  if (said) write(wordsFor(name, values), said);
}

// How far it has come, in bytes as they come over the network.
function advance(done, all) {
  const bar = find("#along progress");
  if (!bar) return;
  bar.value = done / all;
  find("#along .far").textContent = wordsFor("progress", { done: megabytes(done, 1), all: megabytes(all, 1) });
}

// Why it cannot go on, in the words of the page.
class Unable extends Error {
  constructor(name, values) {
    super(name);
    this.values = values;
  }
}

async function takeAlong() {
  clearTimeout(later);
  stopping = new AbortController();
  const { signal } = stopping;
  stand("taking");
  tell("fetching");
  try {
    // Only one of this phone's pages fetches; another one waits, and then finds everything there.
    await navigator.locks.request(KIT, { signal }, () => fetchAll(signal));
    await putInPlace();
    stand("taken");
    tell("ready");
  } catch (error) {
    if (!signal.aborted) giveUp(error);
  }
}

// What the network breaks off goes on by itself; what else goes wrong is told, and left to the person.
function giveUp(error) {
  if (!(error instanceof Unable)) {
    tell("broken");
    later = setTimeout(takeAlong, AGAIN);
    return;
  }
  stand("none");
  tell(error.message, error.values);
}

function stop() {
  clearTimeout(later);
  stopping?.abort();
  stand("none");
  tell("");
}

async function fetchAll(signal) {
  const answer = await fetch(LIST, { cache: "no-cache", signal });
  if (!answer.ok) throw new Unable("failed");
  const list = await answer.json();
  const kit = await caches.open(KIT);
  const missing = [];
  for (const file of list.files) if (!await kit.match(file.url)) missing.push(file);
  await seeRoom(missing);
  const all = total(list.files, "download");
  let done = all - total(missing, "download");
  advance(done, all);
  for (const file of missing) {
    await fetchOne(file, kit, signal, (part) => advance(done + part * file.download, all));
    done += file.download;
  }
}

const total = (files, what) => files.reduce((sum, file) => sum + file[what], 0);

async function seeRoom(files) {
  const { quota = Infinity, usage = 0 } = await navigator.storage?.estimate?.() ?? {};
  const need = total(files, "bytes") * SPARE;
  if (quota - usage >= need) return;
  throw new Unable("room", { need: megabytes(need), room: megabytes(Math.max(0, quota - usage)) });
}

async function fetchOne({ url, sha256, bytes }, kit, signal, tellPart) {
  const answer = await fetch(url, { signal, priority: "low" });
  if (!answer.ok) throw new Unable("failed");
  const parts = [];
  let come = 0;
  for (const reader = answer.body.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    come += value.length;
    tellPart(Math.min(1, come / bytes));
  }
  const content = await new Blob(parts).arrayBuffer();
  if (await hash(content) !== sha256) throw new Unable("failed");
  const headers = { "Content-Type": answer.headers.get("Content-Type") ?? "", "Content-Length": bytes };
  await kit.put(url, new Response(content, { headers })).catch(() => {
    throw new Unable("room", { need: megabytes(bytes), room: megabytes(0) });
  });
}

async function hash(content) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// In the other worker's place at once: what is open here was answered by the server.
async function putInPlace() {
  const found = await workers.register(WORKER, { type: "module", scope: "/" }).catch((error) => {
    throw navigator.onLine ? new Unable("unable") : error;
  });
  const done = new AbortController();
  await new Promise((go, fail) => {
    const { signal } = done;
    let worker;
    const look = () => {
      const ours = [found.installing, found.waiting, found.active].find(isOurs) ?? worker;
      if (ours !== worker) ours.addEventListener("statechange", look, { signal });
      worker = ours;
      if (worker?.state === "installed") worker.postMessage({ type: "take-over" });
      if (worker?.state === "activated") go();
      if (worker?.state === "redundant") fail(new Unable("unable"));
    };
    found.addEventListener("updatefound", look, { signal });
    look();
    // The other worker may have something under way: then the next page at the latest has this one.
    const late = setTimeout(() => worker?.state === "installed" && go(), AGAIN);
    signal.addEventListener("abort", () => clearTimeout(late));
  }).finally(() => done.abort());
}

const isOurs = (worker) => isKit({ active: worker });

document.addEventListener("click", ({ target }) => {
  if (target.closest("#take-along")) {
    // Asked for while the tap counts: some browsers ask the person.
    navigator.storage?.persist?.().catch(() => {});
    takeAlong();
  }
  if (target.closest("[data-stop]")) stop();
});
addEventListener("online", () => root.dataset.kit === "taking" && takeAlong());

// A sheet brings the offer as well. It is shown once it has its style, so that nothing jumps.
function show() {
  for (const along of all("#along")) {
    const link = find("link", along);
    if (link.sheet) along.hidden = false;
    else link.onload = show;
  }
}
show();
document.addEventListener("htmx:after:swap", show);
if (root.dataset.kit === "taking") takeAlong();
