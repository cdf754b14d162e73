// Stands for IndexedDB in memory: a transaction is kept whole when nothing is asked of it any more,
// or, when it is aborted or a write of it fails, not at all.
export function makeIndexedDB() {
  const factory = {
    kept: new Map(), durability: undefined, names: [], deleted: [],
    // The next write fails so; or, where the browser has closed what was just opened, is not begun.
    failure: undefined, closing: undefined,
    deleteDatabase(name) { factory.deleted.push(name); },
    open(name) {
      if (!factory.names.includes(name)) factory.names.push(name);
      const asked = { result: { createObjectStore() {}, close() {}, transaction } };
      setImmediate(() => asked.onsuccess());
      return asked;
    },
  };
  const transaction = (_, mode, { durability }) => {
    const { closing } = factory;
    factory.closing = undefined;
    if (closing && mode === "readwrite") throw closing;
    factory.durability = durability;
    return new Transaction(factory);
  };
  return factory;
}

class Transaction {
  error = null;
  #pending = 0;
  #over = false;

  constructor(factory) {
    this.factory = factory;
    this.written = new Map();
    setImmediate(() => this.#finish());
  }

  objectStore() {
    return {
      get: (name) => this.#ask(() => structuredClone(this.factory.kept.get(name))),
      put: (value, name) => this.#ask(() => {
        if (this.factory.failure) throw this.factory.failure;
        this.written.set(name, structuredClone(value));
      }),
    };
  }

  abort(error = null) {
    this.#over = true;
    this.error = error;
    setImmediate(() => this.onabort());
  }

  #ask(act) {
    const asked = { transaction: this };
    this.#pending += 1;
    setImmediate(() => {
      if (this.#over) return;
      try {
        asked.result = act();
      } catch (error) {
        this.abort(error);
        return;
      }
      asked.onsuccess?.({ target: asked });
      this.#pending -= 1;
      setImmediate(() => this.#finish());
    });
    return asked;
  }

  #finish() {
    if (this.#over || this.#pending) return;
    this.#over = true;
    for (const [name, value] of this.written) this.factory.kept.set(name, value);
    this.oncomplete();
  }
}
