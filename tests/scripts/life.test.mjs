// A release of the kit is fetched whole beside the one in use, waits there, and takes over.
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

import { KIT, ours, SITE, startWorker } from "./worker.mjs";

const PLAIN = { scriptURL: "http://chicago.test/worker.js" };
const ANOTHER = { scriptURL: "http://chicago.test/worker.js?kit" };
const keys = async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url.slice(19));

test("the first kit takes the place of a worker without one, and pages are told how far it has come", async () => {
  const world = await startWorker({ active: PLAIN, taken: false });
  const asked = [];
  world.server = ({ url }, options) => {
    if (options?.integrity) asked.push([url.slice(20), options.integrity, options.cache]);
    return ours();
  };
  await world.dispatch("install");
  assert.deepEqual(asked, KIT.files.map(({ url, integrity }) => [url, integrity, "no-store"]));
  assert.deepEqual(world.told.slice(-1)[0], { type: "taking", done: 50, all: 50 });
  // Once it has asked for the phone's tables.
  assert.deepEqual(world.heard, [["POST /offline/exchange", "[]"]]);
});

test("what broke off goes on where it was", async () => {
  const world = await startWorker({ active: ANOTHER, taken: false });
  let left = 2;
  let fetched = 0;
  world.server = (_, options) => {
    if (options?.integrity && (left -= 1) < 0) throw new TypeError("lost");
    if (options?.integrity) fetched += 1;
    return ours();
  };
  await assert.rejects(world.dispatch("install"));
  assert.deepEqual(world.log, []);
  left = 10;
  await world.dispatch("install");
  assert.equal(fetched, KIT.files.length);
});

test("a phone that has no room is told so", async () => {
  const world = await startWorker({ taken: false });
  (await caches.open("kit")).failure = new DOMException("full", "QuotaExceededError");
  await assert.rejects(world.dispatch("install"));
  assert.deepEqual(world.told.slice(-1)[0], { type: "taking", error: "room" });
});

test("another release waits until a page says so, whatever waits to be pushed", async () => {
  const world = await startWorker({ active: ANOTHER, status: { waiting: 1 } });
  await world.dispatch("install");
  assert.deepEqual([world.log, world.heard], [[], []]);
  await world.post("take-over");
  // With the pages that had begun to load before.
  assert.deepEqual(world.log, ["took over", "claimed"]);
});

test("in use, it drops what only others used", async () => {
  const world = await startWorker();
  await caches.open("files-1");
  await (await caches.open("kit")).put("/offline/old/app.zip", new Response());
  await world.dispatch("activate");
  assert.deepEqual(await keys("kit"), KIT.files.map(({ url }) => `/${url}`));
  assert.deepEqual(await caches.keys(), ["kit"]);
  assert.ok(world.log.includes("claimed"));
});

test("left behind, nothing of it stays, and what other folders of the host keep does", async () => {
  const world = await startWorker({ kit: null });
  for (const name of ["kit", "kitelsewhere/"]) await caches.open(name);
  await world.post("leave");
  assert.deepEqual([...world.caches.all.keys()], ["kitelsewhere/"]);
  assert.deepEqual(world.database.deleted, ["chicago"]);
});

test("below a path its caches and its database have that in their names, and its addresses begin with it", async () => {
  const world = await startWorker({ home: `${SITE}/a/b/`, taken: false });
  world.server = ({ url }) => ours(url);
  await world.dispatch("install");
  assert.deepEqual(await caches.keys(), ["kita/b/"]);
  const cache = await caches.open("kita/b/");
  assert.ok((await cache.keys()).every(({ url }) => url.startsWith(`${SITE}/a/b/`)));
  assert.deepEqual(world.database.names, ["chicagoa/b/"]);
  assert.equal((await cache.match(`${SITE}/a/b/offline/hash/pyodide.asm.wasm`)).headers.get("Content-Type"), "application/wasm");
});

test("where there is no server files come packed, and the phone is tried", async () => {
  const files = KIT.files.map((file) => ({ ...file, packed: `${file.url}.bin` }));
  const world = await startWorker({ kit: { ...KIT, files }, alone: true, taken: false });
  const asked = [];
  world.server = ({ url }) => {
    asked.push(url);
    return new Response(gzipSync(url.includes("asm.js") ? "return {}" : "whole"));
  };
  await world.dispatch("install");
  assert.ok(asked.every((url) => url.endsWith(".bin")), asked.join());
  assert.equal(await (await caches.match(`${SITE}/${files[0].url}`)).text(), "whole");
  assert.deepEqual(world.heard.map(([what]) => what), ["GET /"]);
});

test("a browser in which it does not start is told so, and keeps no worker", async () => {
  const world = await startWorker({ alone: true });
  world.failing = new Error("no memory");
  await assert.rejects(world.dispatch("install"));
  assert.deepEqual(world.told.slice(-1)[0], { type: "taking", error: "unable" });
});

test("an older release is not taken after a newer one, whose file it cannot read", async () => {
  const world = await startWorker({ kit: { ...KIT, schema: 6 }, active: ANOTHER, status: { schema: 7 }, taken: false });
  await assert.rejects(world.dispatch("install"), /older/);
  assert.deepEqual(world.asked, []);
  assert.deepEqual([...world.caches.all.keys()], []);
});
