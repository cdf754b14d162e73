// The score keeper on this phone: one request after the other, and none is answered before its
// change is on the disk.

// `status` is the application's: changes that are only here, and its tables.
const phone = { status: { waiting: 0, only_here: [], held: [] } };

let turn = Promise.resolve();
// The application in its Python, and the generation of the file that it has open.
let application, generation;

// The response to { method, url, headers, body }, as of the server. Where this throws nothing has happened.
function answer(request) {
  const result = turn.then(() => attempt(request));
  turn = result.catch(() => {});
  return result;
}

async function attempt(request) {
  try {
    application ??= await boot(phone);
    if (generation === undefined) await open();
    const { response, kept } = application.respond(request);
    if (kept) await keep(kept);
    return response;
  } catch (error) {
    // The next request goes on from the stored file; after an error in Python with another Python.
    generation = undefined;
    // Another worker has written meanwhile.
    if (!error) return attempt(request);
    if (!(error instanceof DOMException)) application = undefined;
    throw error;
  }
}

// Open the file that is kept.
async function open() {
  const { file, state } = await read("file", "state");
  application.begin(file, HOME, phone.alone);
  follow(state);
  generation = state?.generation ?? 0;
}

function follow(state) {
  Object.assign(phone.status, state?.status);
}

async function keep({ status, ...files }) {
  const state = { generation: generation + 1, status };
  await write({ ...files, state }, generation);
  ({ generation } = state);
  follow(state);
  report();
  sendWaiting();
}
