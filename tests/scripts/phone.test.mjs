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

test("a page is in the browser's language, which no request tells a worker", async () => {
  const world = await startPhone();
  await world.read("/t/x");
  assert.deepEqual([...world.headers], [["Accept-Language", "fi-FI,fi"]]);
});

for (const [name, reason] of [["QuotaExceededError", "full"], ["UnknownError", "broken"]]) {
  test(`with a storage that is ${reason} nothing of a tap has happened, and the table can be looked at`, async () => {
    const world = await startPhone();
    await world.read("/t/x/events", POST);
    world.database.failure = new DOMException(reason, name);
    const refused = await (await world.ask("/t/x/events", POST));
    assert.deepEqual([refused.status, await refused.text()], [503, reason]);
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
  assert.equal(await world.read("/t/x"), "failed");
  assert.ok(world.log.includes("error unthought of"));
  await world.read("/t/x/events", POST);
  assert.equal(kept(world).length, 2);
  assert.equal(world.log.filter((line) => line === "started").length, 2);
});

test("without a part of the kit Python is not started", async () => {
  const world = await startPhone();
  await (await caches.open("kit")).delete(KIT.files[3].url);
  assert.equal(await world.read("/t/x"), "incomplete");
  assert.ok(!world.log.includes("started"));
});

test("a redirect leads to an address of this site, and an empty answer is empty", async () => {
  const world = await startPhone();
  world.answers["POST /t/x/events"] = { status: 303, headers: [["Location", "/t/x"]] };
  const led = await (await world.ask("/t/x/events", POST));
  assert.equal(led.headers.get("Location"), `${SITE}/t/x`);
  world.answers["GET /t/x"] = { status: 204 };
  assert.equal((await (await world.ask("/t/x"))).body, null);
});

test("a file that cannot be opened can be saved, and put aside for a new one", async () => {
  const world = await startPhone();
  world.database.kept.set("file", new Uint8Array([7, 7]));
  world.refused = true;
  assert.equal(await world.read("/t/x"), "unreadable");
  const saved = await (await world.ask("/offline/file"));
  assert.deepEqual(new Uint8Array(await saved.arrayBuffer()), new Uint8Array([7, 7]));
  assert.match(saved.headers.get("Content-Disposition"), /attachment/);
  const led = await (await world.ask("/offline/aside", { method: "POST" }));
  assert.equal(led.headers.get("Location"), `${SITE}/`);
  const aside = [...world.database.kept].filter(([name]) => name.startsWith("20"));
  assert.deepEqual(aside.map(([, file]) => [...file]), [[7, 7]]);
  assert.equal(kept(world), undefined);
  world.refused = false;
  assert.equal(await world.read("/t/x"), "table");
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
  const { away, kit, waiting, update } = JSON.parse(await world.read("/offline/status", { mode: "cors" }));
  assert.deepEqual({ away, kit, waiting, update }, { away: true, kit: "one", waiting: 1, update: false });
});
