// The phone answers one request after the other, and none before what it changed is on the disk.
import assert from "node:assert/strict";
import { test } from "node:test";

import { KIT, settled, SITE, startWorker } from "./worker.mjs";

const POST = { method: "POST", mode: "cors", body: "seq=1" };

// A phone with a table of its own, where a tap changes the file.
async function startPhone(options) {
  const world = await startWorker({ status: { only_here: ["x"], waiting: 1 }, ...options });
  world.server = () => { throw new TypeError("lost"); };
  world.answers["GET /t/x"] = { text: "table" };
  world.answers["POST /t/x/events"] = { text: "tapped", changed: true };
  return world;
}
const kept = (world, name = "file") => world.database.kept.get(name);

test("a tap is answered once the file and what pages are told are kept, in one strict write", async () => {
  const world = await startPhone();
  await world.read("/t/x");
  world.status = { ...world.status, waiting: 2 };
  assert.equal(await world.read("/t/x/events", POST), "tapped");
  assert.equal(kept(world).length, 1);
  assert.deepEqual(kept(world, "state"), { generation: 1, status: world.status });
  assert.equal(world.database.durability, "strict");
  assert.equal(world.told.slice(-1)[0].waiting, 2);
});

for (const [name, failing] of [["QuotaExceededError", "failure"], ["UnknownError", "failure"], ["InvalidStateError", "closing"]]) {
  test(`with a storage that fails (${name}) nothing of a tap has happened, and the table can be looked at`, async () => {
    const world = await startPhone();
    await world.read("/t/x/events", POST);
    world.database[failing] = new DOMException("no", name);
    world.answers[`GET /away/${name}`] = { status: 422, text: "told" };
    const refused = await (await world.ask("/t/x/events", POST));
    assert.deepEqual([refused.status, await refused.text()], [422, "told"]);
    assert.equal(kept(world).length, 1);
    assert.equal(await world.read("/t/x"), "table");
    world.database.failure = undefined;
    await world.read("/t/x/events", POST);
    assert.equal(kept(world).length, 2);
    assert.equal(world.log.filter((line) => line === "started").length, 1);
  });
}

test("a tap is done again on what another worker has kept meanwhile", async () => {
  const world = await startPhone();
  await world.read("/t/x/events", POST);
  world.database.kept.set("file", new Uint8Array(10));
  world.database.kept.set("state", { generation: 7, status: world.status });
  assert.equal(await world.read("/t/x/events", POST), "tapped");
  assert.equal(kept(world).length, 11);
  assert.equal(kept(world, "state").generation, 8);
});

test("after an error in Python another one goes on from what is kept", async () => {
  const world = await startPhone();
  await world.read("/t/x/events", POST);
  world.answers["GET /t/x"] = () => { throw new Error("unthought of"); };
  world.answers["GET /away/Error"] = { status: 503, text: "failed" };
  assert.equal(await world.read("/t/x"), "failed");
  assert.ok(world.log.includes("error unthought of"));
  await world.read("/t/x/events", POST);
  assert.equal(kept(world).length, 2);
  assert.equal(world.log.filter((line) => line === "started").length, 2);
});

test("without a part of the kit Python is not started", async () => {
  const world = await startPhone();
  await (await caches.open("kit")).delete(KIT.files[3].url);
  assert.equal(await world.read("/t/x"), "page");
  assert.ok(!world.log.includes("started"));
});

test("a file that the phone puts aside is kept beside the new one", async () => {
  const world = await startPhone();
  world.database.kept.set("file", new Uint8Array([7, 7]));
  world.answers["POST /offline/aside"] = { changed: true, kept: { file: new Uint8Array(), 20261129: new Uint8Array([7, 7]) } };
  await world.read("/offline/aside", { method: "POST" });
  assert.deepEqual([...kept(world, "20261129")], [7, 7]);
  assert.equal(kept(world).length, 0);
});

test("whether the network is away, and what is only here, outlive the worker", async () => {
  const before = await startPhone();
  await before.read("/t/other");
  await settled();
  const world = await startPhone();
  world.database.kept.set("away", kept(before, "away"));
  let asked = 0;
  world.server = () => { asked += 1; };
  world.answers["GET /t/other"] = { text: "other" };
  assert.equal(await world.read("/t/other", { mode: "cors" }), "other");
  // Whether it is back.
  assert.equal(asked, 1);
  const { away, kit, waiting } = JSON.parse(await world.read("/offline/status", { mode: "cors" }));
  assert.deepEqual({ away, kit, waiting }, { away: true, kit: "one", waiting: 1 });
});
