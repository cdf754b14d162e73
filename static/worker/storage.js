// The phone's IndexedDB: values by their names. The database `file`, its `state` { generation, status },
// whether the network is `away`, and under the time files that could not be opened.
const STORE = "kept";

// Do all of something or nothing; a write is on the disk when this is over. Refused with nothing where it
// was called off. Opened each time: a browser may close an open database whenever it likes.
function transact(mode, act) {
  return new Promise((give, refuse) => {
    const asked = indexedDB.open(`chicago${PLACE}`, 2);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE);
    asked.onerror = () => refuse(asked.error);
    asked.onsuccess = () => give(asked.result);
  }).then((database) => new Promise((give, refuse) => {
    const transaction = database.transaction(STORE, mode, { durability: "strict" });
    // Once the transaction is over.
    database.close();
    const found = act(transaction.objectStore(STORE));
    transaction.oncomplete = () => give(found);
    transaction.onabort = () => refuse(transaction.error);
  }));
}

function read(...names) {
  return transact("readonly", (store) => {
    const found = {};
    for (const name of names) store.get(name).onsuccess = ({ target }) => { found[name] = target.result; };
    return found;
  });
}

// Keep values, where they are made of this generation of the file; else it is called off.
function write(values, generation) {
  return transact("readwrite", (store) => {
    store.get("state").onsuccess = ({ target: { result, transaction } }) => {
      if (generation !== undefined && generation !== (result?.generation ?? 0)) transaction.abort();
      else for (const [name, value] of Object.entries(values)) store.put(value, name);
    };
  });
}
