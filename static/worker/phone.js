// The score keeper on this phone: one request after the other, and none is answered before what it
// changed is on the disk.
import { HOME } from "./network.js";
import { boot } from "./python.js";
import { read, Trouble, write } from "./storage.js";

const DATABASE = "/chicago.db";
const STORAGE = ["full", "broken"];
const NOTHING = new Uint8Array();
// Those of the browser, which adds them to a request on its way; a choice made in the score keeper
// comes before them.
const LANGUAGES = [["Accept-Language", navigator.languages?.join() ?? ""]];
const EMPTY = { waiting: 0, since: null, only_here: [], unopened: [], conflicts: [], held: [], line: "" };

// What the application says is only here, and which tables it has; `changed` is called when something
// was kept.
export const phone = { kit: undefined, status: EMPTY, changed() {} };

let turn = Promise.resolve();
// Python, the application in it, and the generation of the file that it has open.
let python, application, generation;

function inTurn(act) {
  const result = turn.then(act);
  turn = result.catch(() => {});
  return result;
}

export const isReady = () => generation !== undefined;

// Start before it is needed.
export const prepare = () => inTurn(start).catch(() => {});

async function start() {
  python ??= await boot(phone);
  if (!isReady()) await open();
}

// Open the file that is kept.
async function open() {
  const { file = NOTHING, state } = await read("file", "state");
  application = python.pyimport("app.offline.phone");
  application.stop();
  python.FS.writeFile(DATABASE, file);
  try {
    application.start(DATABASE);
  } catch (error) {
    throw /Database(Refused|Unavailable)/.test(error.type) ? new Trouble("unreadable", error) : error;
  }
  follow(state);
  generation = state?.generation ?? 0;
}

export function follow(state) {
  phone.status = { ...EMPTY, ...state?.status };
}

// The response to { method, url, headers, body }, as of the server. Where this throws nothing has
// happened. Throws Trouble.
export function answer(request) {
  return inTurn(() => attempt(request).catch((error) => {
    if (error.reason === "outdated") return attempt(request);
    throw error;
  }));
}

async function attempt(request) {
  let result;
  try {
    await start();
    result = call(request);
    if (result.changed) await keep();
  } catch (error) {
    // The next request goes on from what is kept; after an error in Python with another one.
    generation = undefined;
    if (!error.reason) python = undefined;
    // With a storage that is full everything can still be looked at.
    const looked = result && request.method === "GET" && STORAGE.includes(error.reason);
    if (!looked) throw error;
  }
  return result.response;
}

function call({ method, url, headers = [], body = NOTHING }) {
  const given = [[...LANGUAGES, ...headers], body].map((value) => python.toPy(value));
  const found = application.answer(method, url, ...given);
  const { status, changed, headers: pairs, body: bytes } = found;
  const response = makeResponse(url, status, pairs.toJs(), bytes.toJs());
  for (const proxy of [...given, found, pairs, bytes]) proxy.destroy();
  return { changed, response };
}

function makeResponse(url, status, pairs, body) {
  const headers = new Headers(pairs);
  // What a worker makes up has no address of its own, to which another could be relative.
  if (headers.has("Location")) headers.set("Location", new URL(headers.get("Location"), url));
  return new Response(body.length ? body : null, { status, headers });
}

async function keep() {
  const { response } = call({ method: "GET", url: `${HOME}offline/status` });
  const state = { generation: generation + 1, status: await response.json() };
  await write({ file: python.FS.readFile(DATABASE), state }, generation);
  ({ generation } = state);
  follow(state);
  phone.changed();
}

// The file that is kept, as a download.
export async function giveFile() {
  const headers = { "Content-Disposition": 'attachment; filename="chicago.db"' };
  return new Response((await read("file")).file, { headers });
}

// Put a file that cannot be opened aside, and begin anew.
export async function beginAnew() {
  const { file } = await read("file");
  await write({ [new Date().toISOString()]: file, file: undefined, state: { generation: Date.now() } });
  generation = undefined;
  return Response.redirect(HOME, 303);
}
