// Push and pull: waiting changes go to the server, and changes of others come here.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { KIT, ours, pass, settled, startWorker } from "./worker.mjs";

const POST = { method: "POST", mode: "cors", body: "seq=1" };
let world, batches, failing;

beforeEach(async () => {
  batches = [];
  failing = {};
  world = await startWorker({ status: { held: ["x"] } });
  Object.assign(world.answers, {
    "GET /offline/have": { text: "have" },
    "POST /offline/replicas?status=200": { status: 204 },
    "POST /offline/replicas?status=0": { status: 400 },
    "GET /offline/outbox": () => ({ text: JSON.stringify(batches) }),
  });
  for (const link of ["a", "b"]) {
    world.answers[`POST /offline/receipts/${link}?status=200`] = () => {
      batches = batches.filter((batch) => batch.link !== link);
      return { status: 204, changed: true };
    };
    for (const status of [0, 500]) world.answers[`POST /offline/receipts/${link}?status=${status}`] = { status: 400 };
  }
  world.server = async (request) => {
    const path = new URL(request.url).pathname;
    if (path === "/healthz") return ours();
    world.log.push(path);
    if (failing[path] === 0) throw new TypeError("lost");
    return ours(`answer to ${await request.text()}`, failing[path] ?? 200);
  };
});

const wait = (...links) => { batches = links.map((link) => ({ link })); };
const sent = () => world.log.filter((line) => line.startsWith("/offline/")).map((line) => line.slice(9));

test("it pushes each table's batch until nothing is left, and pulls", async () => {
  wait("a", "b");
  await world.post("push");
  assert.deepEqual(sent(), ["tables/a", "tables/b", "replicas"]);
  assert.deepEqual(world.heard.find(([what]) => what.startsWith("POST /offline/receipts/a")), [
    "POST /offline/receipts/a?status=200", 'answer to {"link":"a"}',
  ]);
  assert.ok(world.heard.some(([what, text]) => what === "POST /offline/replicas?status=200" && text === "answer to have"));
});

for (const [what, failure] of [["that gets lost", 0], ["that is none of ours", 500]]) {
  test(`an answer ${what} stops no other table; the same is sent again when a page asks`, async () => {
    world.status = { ...world.status, waiting: 1 };
    wait("a", "b");
    failing["/offline/tables/a"] = failure;
    await world.post("push");
    assert.deepEqual(sent(), ["tables/a", "tables/b", "tables/a", "replicas", "tables/a"]);
    world.log.length = 0;
    delete failing["/offline/tables/a"];
    await world.read("/offline/status", { mode: "cors" });
    await settled();
    assert.deepEqual(sent(), ["tables/a", "replicas"]);
  });
}

for (const [what, status] of [["there is none", 0], ["it is one of another program", 500], ["the phone cannot read it", 200]]) {
  test(`what waits is pushed whatever comes of a pull: ${what}`, async () => {
    wait("a", "b");
    failing["/offline/replicas"] = status;
    world.answers[`POST /offline/replicas?status=${status}`] = { status: 422 };
    await world.post("push");
    assert.deepEqual(sent(), ["tables/a", "tables/b", "replicas"]);
    assert.deepEqual(batches, []);
  });
}

test("what a browser without a pen may not push goes once a pull has brought one", async () => {
  wait("a");
  failing["/offline/tables/a"] = 500;
  world.answers["POST /offline/replicas?status=200"] = () => {
    delete failing["/offline/tables/a"];
    return { status: 204 };
  };
  await world.post("push");
  assert.deepEqual(sent(), ["tables/a", "replicas", "tables/a"]);
});

test("a function that the browser lacks is told of, as no lost network is", async () => {
  failing["/offline/replicas"] = 0;
  await world.post("push");
  assert.deepEqual(world.log.filter((line) => line.startsWith("error")), []);
  globalThis.fetch = undefined;
  await world.dispatch("activate");
  await settled();
  assert.deepEqual(world.log.filter((line) => line.startsWith("error")), ["error fetch is not a function"]);
});

test("asked for twice at once it is done once", async () => {
  wait("a");
  await Promise.all([world.post("push"), world.post("push")]);
  assert.deepEqual(sent(), ["tables/a", "replicas"]);
});

test("after a write that the server has accepted the table comes at once, and a refused one brings nothing", async () => {
  await world.post("push");
  world.log.length = 0;
  assert.match(await world.read("/t/x/events", POST), /^answer/);
  assert.deepEqual(sent(), ["replicas"]);
  failing["/t/x/events"] = 422;
  await world.read("/t/x/events", POST);
  assert.deepEqual(sent(), ["replicas"]);
});

test("what the server accepted and cannot be pulled any more is written here as well, before anything else", async () => {
  await world.post("push");
  world.heard.length = 0;
  failing["/offline/replicas"] = 0;
  await world.read("/t/x/events", POST);
  failing["/t/x/events"] = 0;
  world.answers["POST /t/x/events"] = { text: "here" };
  assert.equal(await world.read("/t/x/events", { ...POST, body: "seq=2" }), "here");
  const written = world.heard.filter(([what]) => what === "POST /t/x/events").map(([, text]) => text);
  assert.deepEqual(written, ["seq=1", "seq=2"]);
});

test("a pull that takes long holds the page's answer back no longer than a quarter of a second", async () => {
  await world.post("push");
  const { server } = world;
  world.server = (request) => (request.url.endsWith("/replicas") ? undefined : server(request));
  let answered = false;
  const answer = world.read("/t/x/events", POST).then(() => { answered = true; });
  await settled();
  await pass(249);
  assert.equal(answered, false);
  await pass(1);
  await answer;
});

test("what others have changed is fetched soon, once for all that is told meanwhile", async () => {
  world.post("changed");
  await pass(1999);
  world.post("changed");
  await pass(1999);
  assert.deepEqual(sent(), []);
  await pass(1);
  assert.deepEqual(sent(), ["replicas"]);
});

test("what is written here goes at once", async () => {
  world.status = { ...world.status, waiting: 1, only_here: ["x"] };
  world.database.kept.set("state", { generation: 0, status: world.status });
  wait("a");
  world.answers["POST /t/x/events"] = { text: "here", changed: true };
  assert.equal(await world.read("/t/x/events", POST), "here");
  await settled();
  assert.ok(sent().includes("tables/a"));
});

test("with the network what waits is sent, and what is missing of the kit fetched", async () => {
  wait("a");
  const { server } = world;
  await (await caches.open("kit")).delete(KIT.files[3].url);
  world.server = () => { throw new TypeError("lost"); };
  await world.read("/t/y");
  world.server = server;
  await pass(4000);
  assert.deepEqual(sent(), ["hash/app.zip", "tables/a", "replicas"]);
});
