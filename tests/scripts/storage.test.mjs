// What the phone keeps: one transaction for each write, whole or not at all.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { IDBKeyRange, makeIndexedDB } from "./indexed_db.mjs";
import { load, setGlobals } from "./stand_ins.mjs";

let database, storage;

beforeEach(async () => {
  database = makeIndexedDB();
  setGlobals({ indexedDB: database, IDBKeyRange });
  storage = await load("storage.js");
});

function makeFile(size, fill = 0) {
  return new Uint8Array(size).fill(fill);
}

// Keep a file as phone.js does, after the one before.
function keep(bytes, before = new Uint8Array(), values = {}) {
  const state = { generation: 0, cookie: "c", size: bytes.length, ...values };
  return storage.save(state, storage.findChanges(bytes, before), values.acknowledged);
}

test("at first nothing is kept", async () => {
  assert.equal(await storage.load(), undefined);
  assert.equal(await storage.loadState(), undefined);
});

test("a file comes back as it was kept, with what belongs to it, and each write is on the disk", async () => {
  const bytes = makeFile(storage.CHUNK * 2 + 100).map((_, place) => place % 251);
  assert.equal(await keep(bytes), 1);
  assert.equal(database.durability, "strict");
  const found = await storage.load();
  assert.deepEqual([found.generation, found.cookie], [1, "c"]);
  assert.deepEqual(found.bytes, bytes);
  assert.equal((await storage.loadState()).size, bytes.length);
});

test("only chunks that differ are written, and what a shorter file no longer has goes", async () => {
  const before = makeFile(storage.CHUNK * 3);
  await keep(before);
  const after = before.slice(0, storage.CHUNK + 5);
  after[storage.CHUNK + 4] = 1;
  assert.deepEqual(storage.findChanges(after, before).map(([number]) => number), [1]);
  assert.deepEqual(storage.findChanges(before, before), []);
  await keep(after, before, { generation: 1 });
  assert.deepEqual((await storage.load()).bytes, after);
  assert.equal(database.stores.get("chunks").size, 2);
});

test("where another worker has written meanwhile nothing is", async () => {
  await keep(makeFile(10, 1));
  await assert.rejects(keep(makeFile(10, 2)), storage.Outdated);
  assert.deepEqual((await storage.load()).bytes, makeFile(10, 1));
});

for (const [name, reason] of [["QuotaExceededError", "full"], ["UnknownError", "broken"]]) {
  test(`a storage that is ${reason} keeps nothing of a write, and all that was before`, async () => {
    await keep(makeFile(10, 1));
    database.failure = new DOMException(reason, name);
    await assert.rejects(keep(makeFile(10, 2), undefined, { generation: 1 }), (error) =>
      error instanceof storage.StorageError && error.reason === reason);
    const found = await storage.load();
    assert.deepEqual([found.bytes, found.generation], [makeFile(10, 1), 1]);
  });
}

test("a file of which a part is missing is not taken for whole", async () => {
  await keep(makeFile(storage.CHUNK * 2));
  database.stores.get("chunks").delete(1);
  await assert.rejects(storage.load(), storage.StorageError);
});

test("a connection that the browser has closed is opened anew", async () => {
  await keep(makeFile(10, 1));
  database.closed = true;
  assert.deepEqual((await storage.load()).bytes, makeFile(10, 1));
  assert.equal(database.opened, 2);
});

test("writes that the server has said yes to are kept in order, until they are in the file", async () => {
  for (const url of ["one", "two", "three"]) await storage.addAcknowledged({ url });
  assert.deepEqual(await storage.listAcknowledged(), [
    { url: "one", id: 1 }, { url: "two", id: 2 }, { url: "three", id: 3 },
  ]);
  await storage.dropAcknowledged(1);
  await keep(makeFile(10), undefined, { acknowledged: 2 });
  assert.deepEqual(await storage.listAcknowledged(), [{ url: "three", id: 3 }]);
});

test("a file that cannot be opened is put aside whole, and another begun", async () => {
  await keep(makeFile(10, 7));
  await storage.setAside();
  const [{ chunks, size }] = database.stores.get("aside").values();
  assert.deepEqual([chunks, size], [[makeFile(10, 7)], 10]);
  const found = await storage.load();
  assert.deepEqual([found.bytes.length, found.generation], [0, 2]);
});

test("what was compiled, and whether the network was away, outlive the worker", async () => {
  await storage.saveTemplates(makeFile(3, 1));
  await storage.saveAway(true);
  assert.deepEqual(await storage.loadTemplates(), makeFile(3, 1));
  assert.equal(await storage.loadAway(), true);
});
