// The phone's IndexedDB: values by their names. The database `file`, its `state` { generation, status },
// whether the network is `away`, and under the time files that could not be opened.
const STORE = "kept";

// The phone cannot answer; `reason`: full, broken, unreadable, incomplete, or outdated, where another
// worker has written meanwhile.
class Trouble extends Error {
  constructor(reason, cause) {
    super(reason, { cause });
    this.reason = reason;
  }
}

// An error of our own; a trouble is told to the person.
function logError(error) {
  if (!error.reason) console.error(error);
}

// Opened for each transaction: a browser may close an open database at any time.
function openStore() {
  return new Promise((give, refuse) => {
    const asked = indexedDB.open(`chicago${PLACE}`, 2);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE);
    asked.onsuccess = () => give(asked.result);
    asked.onerror = () => refuse(new Trouble("broken", asked.error));
  });
}

// Do all of something or nothing; a write is on the disk when this is over. Throws Trouble.
async function transact(mode, act) {
  const database = await openStore();
  const transaction = database.transaction(STORE, mode, { durability: "strict" });
  try {
    return await new Promise((give, refuse) => {
      const found = act(transaction.objectStore(STORE));
      transaction.oncomplete = () => give(found);
      transaction.onabort = () => refuse(troubleOf(transaction));
    });
  } finally {
    database.close();
  }
}

// Without an error it was aborted by `write`.
function troubleOf({ error }) {
  if (!error) return new Trouble("outdated");
  return new Trouble(error.name === "QuotaExceededError" ? "full" : "broken", error);
}

function read(...names) {
  return transact("readonly", (store) => {
    const found = {};
    for (const name of names) store.get(name).onsuccess = ({ target }) => { found[name] = target.result; };
    return found;
  });
}

// Keep values, where they are made of this generation of the file. Throws Trouble.
function write(values, generation) {
  return transact("readwrite", (store) => {
    store.get("state").onsuccess = ({ target: { result, transaction } }) => {
      if (generation !== undefined && generation !== (result?.generation ?? 0)) transaction.abort();
      else for (const [name, value] of Object.entries(values)) store.put(value, name);
    };
  });
}
