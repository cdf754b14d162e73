// The score keeper on this phone: one request after the other, and none is answered before its
// change is on the disk.

const DATABASE = "/chicago.db";
const NOTHING = new Uint8Array();
// Those of the browser, which adds them to a request on its way; a choice made in the score keeper
// comes before them.
const LANGUAGES = [["Accept-Language", navigator.languages?.join() ?? ""]];
const EMPTY = { waiting: 0, only_here: [], held: [] };

// The application's status: changes that are only here, and its tables; `changed` is called when a
// change was stored.
const phone = { status: EMPTY, changed() {} };

let turn = Promise.resolve();
// Python, the application in it, and the generation of the file that it has open.
let python, application, generation;

function inTurn(act) {
  const result = turn.then(act);
  turn = result.catch(() => {});
  return result;
}

// Start before it is needed.
const prepare = () => inTurn(start).catch(logError);

async function start() {
  python ??= await boot(phone);
  if (generation === undefined) await open();
}

// Open the file that is kept.
async function open() {
  const { file = NOTHING, state } = await read("file", "state");
  application = python.pyimport("app.offline.phone");
  application.stop();
  python.FS.writeFile(DATABASE, file);
  try {
    application.start(DATABASE, HOME, Boolean(phone.alone), Intl.DateTimeFormat().resolvedOptions().timeZone);
  } catch (error) {
    throw /Database(Refused|Unavailable)/.test(error.type) ? new Trouble("unreadable", error) : error;
  }
  follow(state);
  generation = state?.generation ?? 0;
}

function follow(state) {
  phone.status = state?.status ?? EMPTY;
}

// The response to { method, url, headers, body }, as of the server. Where this throws nothing has
// happened. Throws Trouble.
function answer(request) {
  return inTurn(() => attempt(request).catch((error) => {
    if (error.reason === "outdated") return attempt(request);
    throw error;
  }));
}

async function attempt(request) {
  try {
    await start();
    const { changed, response } = call(request);
    if (changed) await keep();
    return response;
  } catch (error) {
    // The next request goes on from the stored file; after an error in Python with another Python.
    generation = undefined;
    if (!error.reason) python = undefined;
    throw error;
  }
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
  // A synthetic response has no address of its own, to which another could be relative.
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
async function giveFile() {
  const headers = { "Content-Disposition": 'attachment; filename="chicago.db"' };
  return new Response((await read("file")).file, { headers });
}

// Put a file that cannot be opened aside, and begin anew.
async function beginAnew() {
  const { file } = await read("file");
  await write({ [new Date().toISOString()]: file, file: undefined, state: { generation: Date.now() } });
  generation = undefined;
  return Response.redirect(HOME, 303);
}
