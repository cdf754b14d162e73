// The score keeper on this phone: one request after the other, and none is answered before what it
// changed is on the disk.
import { boot } from "./boot.js";
import * as storage from "./storage.js";

const FOLDER = "/data";
const DATABASE = `${FOLDER}/chicago.db`;
const NOTHING = new Uint8Array();
// Milliseconds.
const SOON = 1000;

// The file that is kept cannot be opened; it is left as it is.
export class Unreadable extends Error {}

export const phone = {
  kit: undefined,
  // What the page has to know, as the application says: { waiting, since, only_here, … }.
  status: undefined,
  // How long the last start took, part by part, and the last request, in milliseconds; and how many
  // bytes Python's memory is.
  phases: {},
  // Called when something was kept that the status tells of.
  changed() {},
};

let turn = Promise.resolve();
let starting;
// What is kept: the state beside the file, and the file itself.
let kept = { generation: 0 };
let saved = NOTHING;

// Do one thing at a time. What is done within must not wait for its own turn.
export function inTurn(act) {
  const result = turn.then(act);
  turn = result.catch(() => {});
  return result;
}

// What was kept last, without starting anything.
export async function readStatus() {
  phone.status ??= (await storage.loadState())?.status;
  return phone.status;
}

// Begin before it is needed.
export function prepare() {
  return inTurn(started);
}

function started() {
  starting ??= start().catch((error) => {
    starting = undefined;
    throw error;
  });
  return starting;
}

async function start() {
  phone.phases = {};
  const templates = storage.loadTemplates().catch(() => undefined);
  const [python] = await Promise.all([boot(phone.kit, phone.phases), read()]);
  const running = { python, runtime: python.pyimport("app.phone.runtime"), sync: python.pyimport("app.phone.calls") };
  open(running);
  const compiled = python.toPy(await templates ?? NOTHING);
  running.runtime.load_templates(compiled);
  compiled.destroy();
  return running;
}

// Keep what was compiled meanwhile, soon, and not only when nobody plays any more: a worker is ended
// without a word.
let keeping;
function keepTemplates({ runtime }) {
  keeping ??= setTimeout(() => {
    keeping = undefined;
    const found = runtime.dump_templates();
    if (!found) return;
    storage.saveTemplates(found.toJs()).catch(() => {});
    found.destroy();
  }, SOON);
}

async function read() {
  const found = await storage.load();
  saved = found?.bytes ?? NOTHING;
  kept = { generation: 0, cookie: "", ...found };
  delete kept.bytes;
  phone.status = kept.status;
}

// Put the file that is kept in place, and let the application open it. Throws Unreadable.
function open(running) {
  const { python: { FS }, runtime } = running;
  const since = performance.now();
  runtime.stop();
  FS.mkdirTree(FOLDER);
  if (saved.length) FS.writeFile(DATABASE, saved);
  else if (FS.analyzePath(DATABASE).exists) FS.unlink(DATABASE);
  try {
    runtime.start(DATABASE, kept.cookie);
  } catch (error) {
    throw /Database(Refused|Unavailable)/.test(error.type) ? new Unreadable(error.message, { cause: error }) : error;
  }
  // Brought up to date, it is kept with the next change; until then that is done at every start.
  runtime.checkpoint();
  phone.phases.open = Math.round(performance.now() - since);
  phone.phases.memory = running.python._module.HEAP8.length;
}

// The bytes of the file as they lie in memory, not to be changed.
function contents({ FS }) {
  const { node } = FS.lookupPath(DATABASE);
  return node.contents.subarray(0, node.usedBytes);
}

// Keep what changed, in one transaction; where that fails, nothing of it has happened.
async function save(running, { cookie, acknowledged }) {
  const status = JSON.parse(run(running, "status"));
  const bytes = contents(running.python);
  const chunks = storage.findChanges(bytes, saved);
  if (!chunks.length && bytes.length === saved.length && !cookie && !acknowledged) return;
  const state = { ...kept, status, size: bytes.length, cookie: cookie ?? kept.cookie };
  try {
    state.generation = await storage.save(state, chunks, acknowledged);
  } catch (error) {
    await reopen(running);
    throw error;
  }
  kept = state;
  saved = bytes.slice();
  phone.status = status;
  phone.changed();
}

// Go back to what is kept; where not even that can be had, begin anew with the next request.
async function reopen(running) {
  try {
    await read();
    open(running);
  } catch {
    forget();
  }
}

function forget() {
  starting = undefined;
  saved = NOTHING;
}

// Let the application do something and keep what that changed. `act` gets what runs, and returns
// { changed, cookie, acknowledged, dispensable, … }; it is done again where another worker wrote in
// between. What is dispensable may be lost where it cannot be kept. Throws StorageError, Unreadable, Incomplete; in any case nothing is half done.
export async function change(act) {
  for (let again = false; ; again = true) {
    const running = await started();
    const since = performance.now();
    const result = await attempt(running, act);
    const done = performance.now();
    phone.phases.answer = done - since;
    keepTemplates(running);
    if (!result.changed && !result.acknowledged) return result;
    try {
      await save(running, result);
      phone.phases.save = performance.now() - done;
      return result;
    } catch (error) {
      if (result.dispensable && error instanceof storage.StorageError) return result;
      if (!(error instanceof storage.Outdated) || again) throw error;
    }
  }
}

// An error in here may have left anything behind, a memory that is full as well.
async function attempt(running, act) {
  try {
    return await act(running);
  } catch (error) {
    await reopen(running);
    throw error;
  }
}

// Answer a request, { method, url, headers, body }, as the server would. What reading a page leaves
// behind is dispensable: with a storage that is full everything can still be looked at.
export function answer(request) {
  const dispensable = ["GET", "HEAD"].includes(request.method);
  return change(({ python, runtime }) => ({ ...call(python, runtime, request), dispensable }));
}

export function call(python, runtime, { method, url, headers, body }) {
  const [theHeaders, theBody] = [python.toPy(headers), python.toPy(body)];
  const found = runtime.answer(method, url, theHeaders, theBody);
  const [list, bytes] = [found.headers, found.body];
  try {
    return {
      status: found.status, headers: list.toJs(), body: bytes.toJs(), changed: found.changed, cookie: found.cookie ?? undefined,
    };
  } finally {
    for (const proxy of [theHeaders, theBody, list, bytes, found]) proxy.destroy();
  }
}

// The file that is kept, as it is; null where there is none.
export async function readFile() {
  return (await storage.load())?.bytes ?? null;
}

// Call a function of app/phone/calls.py.
export function run({ sync }, name, ...given) {
  const act = sync[name];
  try {
    return act(...given);
  } finally {
    act.destroy();
  }
}

// Begin anew without the file that cannot be opened, which is put aside.
export async function setAside() {
  await storage.setAside();
  forget();
}
