// Python, out of the kit that lies in the cache. A service worker imports nothing while it runs,
// so the modules are there from the beginning.
import { loadPyodide } from "./pyodide.mjs";
import createPyodideModule from "./pyodide.asm.mjs";
import { unzip } from "./unzip.js";

export const CACHE = "kit";
const WASM = "pyodide.asm.wasm";
const LIBRARY = "stdlib.zip";
// Archives, and where they are unpacked.
const FOLDERS = { "site.zip": "/site", "app.zip": "/app" };
// Imported one after the other, so that requests get their turn in between.
const STEPS = ["msgspec", "jinja2", "werkzeug.wrappers", "flask", "babel.dates", "sqlite_utils", "app.phone.runtime"];

// A part of the kit is not there: it has to be taken along again.
export class Incomplete extends Error {}

// The kit's parts that Python is made of, each as a response. Throws Incomplete before anything is
// started: it would wait for ever for what does not come.
async function collect(files) {
  const cache = await caches.open(CACHE);
  const wanted = files.filter(({ name }) => name === WASM || name.endsWith(".zip"));
  const found = await Promise.all(wanted.map(({ url }) => cache.match(url)));
  const missing = wanted.filter((_, place) => !found[place]);
  if (missing.length) throw new Incomplete(missing.map(({ name }) => name).join(", "));
  return new Map(wanted.map(({ name }, place) => [name, found[place]]));
}

// Start Python with the kit's libraries; `phases` is told how long each part took, in ms. What is
// imported is there for good: to look through it for what is not used any more would be in vain.
export async function boot({ abi, files }, phases = {}) {
  const clock = stopwatch(phases);
  const parts = await collect(files);
  clock("collect");
  const [python, ...archives] = await Promise.all([
    load(parts, abi, compile(files, parts)), ...Object.keys(FOLDERS).map((name) => parts.get(name).arrayBuffer()),
  ]);
  clock("python");
  Object.values(FOLDERS).forEach((folder, place) => put(python.FS, folder, archives[place]));
  clock("unpack");
  python.runPython(`import gc, sys; gc.disable(); sys.path[:0] = ["/app", "/site"]; sys.dont_write_bytecode = True`);
  for (const step of STEPS) {
    python.pyimport(step).destroy();
    await new Promise((go) => setTimeout(go));
  }
  python.runPython(`gc.freeze(); gc.enable()`);
  clock("imports");
  return python;
}

// Python's code. Browsers keep it compiled where the response is one of the network's, though it be
// out of their own cache: so that is asked first. What lies in ours is compiled anew each time.
async function compile(files, parts) {
  const { url } = files.find(({ name }) => name === WASM);
  try {
    const found = await fetch(url, { cache: "only-if-cached", mode: "same-origin" });
    if (found.ok) return await WebAssembly.compileStreaming(found);
  } catch {
    // It is not there any more, or not whole.
  }
  return WebAssembly.compileStreaming(parts.get(WASM));
}

// It fetches what it needs by address, and compiles it: here it finds that in the kit, and done.
async function load(parts, abi, compiled) {
  const elsewhere = globalThis.fetch;
  const anew = WebAssembly.instantiateStreaming;
  const module = await compiled;
  globalThis.fetch = (asked, ...options) => {
    const part = parts.get(String(asked.url ?? asked).split("/").at(-1));
    return part ? Promise.resolve(part) : elsewhere(asked, ...options);
  };
  WebAssembly.instantiateStreaming = async (_, imports) => (
    { module, instance: await WebAssembly.instantiate(module, imports) });
  try {
    return await loadPyodide({
      createPyodideModule,
      indexURL: `${location.origin}/offline/`,
      stdLibURL: `${location.origin}/offline/${LIBRARY}`,
      lockFileContents: { info: { abi_version: abi }, packages: {} },
      env: { HOME: "/home", PYTHONTZPATH: "/site/tzdata/zoneinfo" },
    });
  } finally {
    globalThis.fetch = elsewhere;
    WebAssembly.instantiateStreaming = anew;
  }
}

// The archive's memory becomes the files'.
function put(files, folder, archive) {
  const made = new Set();
  for (const [name, content] of unzip(archive)) {
    const path = `${folder}/${name}`;
    const within = path.slice(0, path.lastIndexOf("/"));
    if (!made.has(within)) files.mkdirTree(within);
    made.add(within);
    files.writeFile(path, content, { canOwn: true });
  }
}

function stopwatch(phases) {
  let since = performance.now();
  return (phase) => {
    const now = performance.now();
    phases[phase] = Math.round(now - since);
    since = now;
  };
}
