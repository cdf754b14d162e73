// Stands for IndexedDB in memory: a transaction is kept whole when nothing is asked of it any more,
// or, when it is aborted or a write of it fails, not at all.
const compare = (one, other) => (typeof one === typeof other ? (one < other ? -1 : Number(one > other)) : typeof one === "number" ? -1 : 1);

export const IDBKeyRange = {
  lowerBound: (bound) => (key) => compare(key, bound) >= 0,
  upperBound: (bound) => (key) => compare(key, bound) <= 0,
};

export function makeIndexedDB() {
  const stores = new Map();
  const database = {
    createObjectStore: (name) => stores.set(name, new Map()),
    transaction: (names, mode, options) => {
      if (factory.closed) {
        factory.closed = false;
        throw new DOMException("closed", "InvalidStateError");
      }
      Object.assign(factory, { mode, durability: options.durability });
      return new Transaction(names);
    },
    close() {},
  };
  const factory = {
    stores, opened: 0,
    // The next write fails so.
    failure: undefined,
    // The browser has closed the connection without a word.
    closed: false,
    open() {
      factory.opened += 1;
      const asked = { result: database };
      setImmediate(() => {
        if (!stores.size) asked.onupgradeneeded();
        asked.onsuccess();
      });
      return asked;
    },
  };

  class Transaction {
    constructor(names) {
      this.before = new Map([...stores].map(([name, store]) => [name, new Map(store)]));
      this.names = names;
      this.pending = 0;
      this.over = false;
      setImmediate(() => this.#finish());
    }

    objectStore(name) {
      if (!this.names.includes(name)) throw new DOMException(name, "NotFoundError");
      const store = stores.get(name);
      const keys = () => [...store.keys()].sort(compare);
      const remove = (range) => keys().filter(typeof range === "function" ? range : (key) => key === range).forEach((key) => store.delete(key));
      const put = (value, key) => {
        if (factory.failure) throw factory.failure;
        store.set(key, structuredClone(value));
        return key;
      };
      return {
        get: (key) => this.#ask(() => structuredClone(store.get(key))),
        getAll: () => this.#ask(() => keys().map((key) => structuredClone(store.get(key)))),
        getAllKeys: () => this.#ask(keys),
        put: (value, key) => this.#ask(() => put(value, key)),
        add: (value) => this.#ask(() => put(value, (keys().at(-1) ?? 0) + 1)),
        delete: (range) => this.#ask(() => remove(range)),
        clear: () => this.#ask(() => store.clear()),
      };
    }

    abort(error) {
      if (this.over) throw new DOMException("over", "InvalidStateError");
      this.over = true;
      this.error = error ?? null;
      for (const [name, store] of this.before) stores.set(name, store);
      setImmediate(() => this.onabort());
    }

    #ask(act) {
      const asked = {};
      this.pending += 1;
      setImmediate(() => {
        if (this.over) return;
        try {
          asked.result = act();
        } catch (error) {
          asked.error = error;
          asked.onerror?.();
          this.abort(error);
          return;
        }
        asked.onsuccess?.();
        this.pending -= 1;
        setImmediate(() => this.#finish());
      });
      return asked;
    }

    #finish() {
      if (this.over || this.pending) return;
      this.over = true;
      this.oncomplete();
    }
  }

  return factory;
}
