// Stands for a browser with the service worker in it: the test says what the server and the phone's
// Python answer, and asks what the worker makes of it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mock } from "node:test";
import { pathToFileURL } from "node:url";

import { makeCaches } from "./caches.mjs";
import { makeIndexedDB } from "./indexed_db.mjs";
import { makeFetch, ours, setGlobals, settled } from "./stand_ins.mjs";

export const SITE = "http://chicago.test";
const SOURCES = new URL("../../static/worker/", import.meta.url);
const folder = mkdtempSync(join(tmpdir(), "worker-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, "package.json"), '{"type": "module"}');
let loads = 0;

// The worker's script, as app/http/assets.py makes it of its parts, begun anew.
const ORDER = ["network", "storage", "python", "phone", "exchange", "life", "router", "worker"];
const script = ORDER.map((name) => readFileSync(new URL(`${name}.js`, SOURCES), "utf8")).join("\n");
export function load() {
  const place = join(folder, `${loads += 1}.js`);
  writeFileSync(place, `${script}\nexport { phone, ask, look };`);
  return import(pathToFileURL(place).href);
}

const PARTS = ["pyodide.asm.wasm", "stdlib.zip", "site.zip", "app.zip"];
export const KIT = {
  release: "one", abi: "2026_0", download: 50,
  files: [...PARTS, "static/app.css?v=1"].map((name) => ({
    name, url: name.startsWith("static/") ? name : `offline/hash/${name}`,
    type: name.endsWith(".wasm") ? "application/wasm" : "x/y", integrity: `sha256-${name}`, download: 10,
  })),
};
const WORDS = { page: "page", sent: 'sent <a href="#back">' };
export const NOTHING = { waiting: 0, only_here: [], conflicts: [], held: [], unread: 0, line: "" };

const bytes = (text) => new TextEncoder().encode(text);

// The phone's Python: `answers` by method and path, each { status, text, headers, changed, kept } or a function
// that makes it. What changes the file adds a letter to it.
function makePython(world, home) {
  let file;
  const application = {
    begin(kept) {
      file = kept ?? new Uint8Array();
      world.log.push(`opened ${file.length}`);
    },
    respond({ method, url, headers, body }) {
      world.headers = headers;
      const place = url.startsWith(home) ? url.slice(home.length - 1) : url;
      world.heard.push([`${method} ${place}`, typeof body === "string" ? body : new TextDecoder().decode(body)]);
      let found = world.answers[`${method} ${place}`] ?? world.answers[place.split("?")[0]] ?? { status: 404 };
      if (typeof found === "function") found = found(body);
      const { status = 200, text = "", changed = false, kept = {} } = found;
      if (changed) file = new Uint8Array([...file, 1]);
      const response = new Response(text, { status });
      return { response, kept: changed ? { file, status: world.status, ...kept } : undefined };
    },
  };
  return { unpackArchive() {}, runPython() {}, pyimport: () => application };
}

// With a clock of the test's own.
export async function startWorker({ kit = KIT, status = {}, active, taken = true, home = `${SITE}/`, alone } = {}) {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  const { fetch, asked } = makeFetch();
  const listeners = {};
  const world = {
    log: [], heard: [], asked, listeners, told: [], database: makeIndexedDB(), caches: makeCaches(SITE),
    answers: { "POST /offline/exchange": { text: '{"calls": [], "done": true}' } }, status: { ...NOTHING, ...status },
    // Each answers a request, or, without an answer, leaves it waiting in `asked`.
    server: () => ours("server"),
  };
  const served = async (request, options) => {
    const found = await world.server(request.url ? request : new Request(new URL(request, SITE), options), options);
    return found ?? fetch(request, options);
  };
  setGlobals({
    fetch: served, caches: world.caches, indexedDB: world.database, navigator: { onLine: true, languages: ["fi-FI", "fi"] },
    location: { origin: SITE, pathname: "/worker.js" },
    registration: { scope: home, active },
    clients: { claim: async () => world.log.push("claimed"), matchAll: async () => [{ postMessage: (message) => world.told.push(message) }] },
    skipWaiting: async () => world.log.push("took over"),
    addEventListener: (type, act) => { listeners[type] = act; },
    console: { ...console, error: (error) => world.log.push(`error ${error.message}`) },
  });
  if (kit && taken) for (const { url } of kit.files) await (await caches.open("kit")).put(SITE + "/" + url, new Response(url));
  if (status) world.database.kept.set("state", { generation: 0, status: world.status });
  const loadPyodide = async () => {
    if (world.failing) throw world.failing;
    world.log.push("started");
    return makePython(world, home);
  };
  const { serve } = await load();
  const words = alone ? undefined : WORDS;
  serve(kit ? { words, kit, alone, loadPyodide, createPyodideModule: {} } : { words });
  return Object.assign(world, makeHands(world));
}

function makeHands({ listeners }) {
  const dispatch = async (type, event = {}) => {
    const waited = [];
    const answers = [];
    listeners[type]({ ...event, waitUntil: (promise) => waited.push(promise), respondWith: (answer) => answers.push(answer) });
    await Promise.all(waited);
    return answers[0];
  };
  return {
    dispatch,
    post: (type) => dispatch("message", { data: { type } }),
    // What a page gets: undefined where the request is left to the browser.
    ask: (path, options) => dispatch("fetch", { request: requestOf(path, options) }),
    async read(path, options) {
      const response = await (await dispatch("fetch", { request: requestOf(path, options) }));
      return response.type === "error" ? "error" : response.text();
    },
  };
}

// What a browser hands to a worker; Node's own can be no navigation.
function requestOf(path, { method = "GET", mode = "navigate", referrer = `${SITE}/`, body, headers } = {}) {
  const content = bytes(body);
  return {
    method, mode, referrer, url: SITE + path, headers: new Headers(headers), redirect: "follow",
    clone: () => ({ arrayBuffer: async () => content.buffer }),
  };
}

export async function pass(time) {
  mock.timers.tick(time);
  await settled();
}

export { ours, settled };
