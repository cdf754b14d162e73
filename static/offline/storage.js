// What the phone keeps, in IndexedDB: the database file in chunks, the cookies and the key that
// signs them, what the page has to know without starting anything, and the writes that the server
// has acknowledged since it was asked for its tables last. A write is one transaction, and is on
// the disk when it is over.

const NAME = "chicago";
const VERSION = 1;
export const CHUNK = 32768;
// One record beside the chunks: { generation, size, cookie, status }.
const STATE = "state";
const AWAY = "away";
const TEMPLATES = "templates";

// The storage cannot be read or written to; `reason` is "full" or "broken".
export class StorageError extends Error {
  constructor(reason, cause) {
    super(`The storage is ${reason}: ${cause?.message ?? cause}`, { cause });
    this.reason = reason;
  }
}

// Another worker has written meanwhile: what was loaded here is old.
export class Outdated extends Error {}

let opening;

function open() {
  opening ??= connect().catch((error) => {
    opening = undefined;
    throw error;
  });
  return opening;
}

function connect() {
  return new Promise((give, refuse) => {
    const asked = indexedDB.open(NAME, VERSION);
    asked.onupgradeneeded = () => {
      for (const store of ["chunks", "state", "aside"]) asked.result.createObjectStore(store);
      asked.result.createObjectStore("acknowledged", { autoIncrement: true });
    };
    asked.onblocked = () => refuse(new Error("blocked"));
    asked.onerror = () => refuse(asked.error);
    asked.onsuccess = () => {
      const database = asked.result;
      database.onclose = () => { opening = undefined; };
      // Whoever takes the kit away deletes all of it.
      database.onversionchange = () => {
        database.close();
        opening = undefined;
      };
      give(database);
    };
  });
}

// Do something in one transaction; all of it is kept when this is over, or nothing is.
async function transact(stores, mode, act) {
  try {
    return await attempt(await open(), stores, mode, act);
  } catch (error) {
    if (error instanceof Outdated) throw error;
    if (error?.name !== "InvalidStateError") throw translated(error);
  }
  // The browser has closed the connection, which it may at any time.
  opening = undefined;
  try {
    return await attempt(await open(), stores, mode, act);
  } catch (error) {
    throw error instanceof Outdated ? error : translated(error);
  }
}

function attempt(database, stores, mode, act) {
  const transaction = database.transaction(stores, mode, { durability: "strict" });
  return new Promise((give, refuse) => {
    let result, failed;
    transaction.oncomplete = () => give(result);
    transaction.onabort = () => refuse(failed ?? transaction.error);
    act((store) => transaction.objectStore(store)).then((value) => { result = value; }, (error) => {
      failed = error;
      try {
        transaction.abort();
      } catch {
        refuse(error);
      }
    });
  });
}

function translated(error) {
  return new StorageError(error?.name === "QuotaExceededError" ? "full" : "broken", error);
}

function done(asked) {
  return new Promise((give, refuse) => {
    asked.onsuccess = () => give(asked.result);
    asked.onerror = () => refuse(asked.error);
  });
}

// All that is kept: { generation, size, cookie, status, bytes }; the first time nothing.
export function load() {
  return transact(["chunks", "state"], "readonly", async (store) => {
    const [state, chunks] = await Promise.all([done(store("state").get(STATE)), done(store("chunks").getAll())]);
    return state && { ...state, bytes: joined(chunks, state.size) };
  });
}

function joined(chunks, size) {
  const bytes = new Uint8Array(size);
  let place = 0;
  for (const chunk of chunks) {
    bytes.set(chunk.subarray(0, size - place), place);
    place += chunk.length;
  }
  if (place < size) throw new Error("a part of the file is missing");
  return bytes;
}

// What was kept beside the file, without reading that.
export function loadState() {
  return transact(["state"], "readonly", (store) => done(store("state").get(STATE)));
}

// Keep a new version of the file, of which these chunks are new, and what belongs to it. Writes up
// to `acknowledged` are in it. Returns the new generation. Throws Outdated, StorageError.
export function save({ generation, ...state }, chunks, acknowledged = 0) {
  return transact(["chunks", "state", "acknowledged"], "readwrite", async (store) => {
    const found = await done(store("state").get(STATE));
    if ((found?.generation ?? 0) !== generation) throw new Outdated();
    for (const [number, chunk] of chunks) store("chunks").put(chunk, number);
    store("chunks").delete(IDBKeyRange.lowerBound(Math.ceil(state.size / CHUNK)));
    if (acknowledged) store("acknowledged").delete(IDBKeyRange.upperBound(acknowledged));
    await done(store("state").put({ ...state, generation: generation + 1 }, STATE));
    return generation + 1;
  });
}

// The chunks in which a file differs from what it was, each with its number.
export function findChanges(bytes, before) {
  const found = [];
  for (let place = 0; place < bytes.length; place += CHUNK) {
    const chunk = bytes.subarray(place, place + CHUNK);
    if (!same(chunk, before.subarray(place, place + CHUNK))) found.push([place / CHUNK, chunk.slice()]);
  }
  return found;
}

function same(one, other) {
  if (one.length !== other.length) return false;
  const whole = one.length >> 2;
  const words = new Uint32Array(one.buffer, one.byteOffset, whole);
  const others = new Uint32Array(other.buffer, other.byteOffset, whole);
  for (let place = 0; place < whole; place += 1) if (words[place] !== others[place]) return false;
  for (let place = whole * 4; place < one.length; place += 1) if (one[place] !== other[place]) return false;
  return true;
}

// A write that the server has said yes to, until its table comes anew.
export function addAcknowledged(write) {
  return transact(["acknowledged"], "readwrite", (store) => done(store("acknowledged").add(write)));
}

// Those writes in order, each with its number as `id`.
export function listAcknowledged() {
  return transact(["acknowledged"], "readonly", async (store) => {
    const [ids, writes] = await Promise.all([
      done(store("acknowledged").getAllKeys()), done(store("acknowledged").getAll()),
    ]);
    return writes.map((write, place) => ({ ...write, id: ids[place] }));
  });
}

export function dropAcknowledged(last) {
  return transact(["acknowledged"], "readwrite", (store) =>
    done(store("acknowledged").delete(IDBKeyRange.upperBound(last))));
}

// The templates as they were compiled, which can be had again at any time.
export function saveTemplates(bytes) {
  return transact(["state"], "readwrite", (store) => done(store("state").put(bytes, TEMPLATES)));
}

export function loadTemplates() {
  return transact(["state"], "readonly", (store) => done(store("state").get(TEMPLATES)));
}

// Whether the network was away when that was seen last, which a worker that is ended forgets.
export function saveAway(away) {
  return transact(["state"], "readwrite", (store) => done(store("state").put(away, AWAY)));
}

export function loadAway() {
  return transact(["state"], "readonly", (store) => done(store("state").get(AWAY)));
}

// Put a file that cannot be opened aside, whole, and begin with none.
export function setAside() {
  return transact(["chunks", "state", "aside"], "readwrite", async (store) => {
    const [state, chunks] = await Promise.all([done(store("state").get(STATE)), done(store("chunks").getAll())]);
    store("aside").put({ ...state, chunks }, new Date().toISOString());
    store("chunks").clear();
    const { cookie, generation } = state;
    await done(store("state").put({ cookie, generation: generation + 1, size: 0 }, STATE));
  });
}
