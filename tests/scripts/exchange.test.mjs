// Push and pull: the phone says what is to be sent, until that is nothing.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { KIT, ours, pass, settled, startWorker } from "./worker.mjs";

const POST = { method: "POST", mode: "cors", body: "seq=1" };
const PULL = "offline/replicas";
let world, waits, failing;

// What the phone says here: a push for each table that waits, then a pull.
function talk(body) {
  const answers = JSON.parse(body);
  const taken = answers.filter(({ status }) => status === 200).map(({ path }) => path);
  waits = waits.filter((path) => !taken.includes(path));
  const done = taken.includes(PULL);
  const pushes = answers.length ? [] : waits;
  const paths = pushes.length || answers.some(({ path }) => path === PULL) ? pushes : [PULL];
  return { text: JSON.stringify({ calls: paths.map((path) => ({ path, body: `of ${path}` })), done }) };
}

beforeEach(async () => {
  waits = [];
  failing = {};
  world = await startWorker({ status: { held: ["x"] } });
  world.answers["POST /offline/exchange"] = talk;
  world.server = async (request) => {
    const path = new URL(request.url).pathname;
    if (path === "/healthz") return ours();
    world.log.push(path);
    if (failing[path] === 0) throw new TypeError("lost");
    return ours(`answer to ${await request.text()}`, failing[path] ?? 200);
  };
});

const sent = () => world.log.filter((line) => line.startsWith("/offline/")).map((line) => line.slice(9));
const said = () => world.heard.filter(([what]) => what === "POST /offline/exchange").map(([, body]) => JSON.parse(body));
const errors = () => world.log.filter((line) => line.startsWith("error"));
const exchanged = () => world.post("changed");

test("what the phone says is sent, and it is given the answers", async () => {
  waits = ["offline/tables/a", "offline/tables/b"];
  await exchanged();
  assert.deepEqual(sent(), ["tables/a", "tables/b", "replicas"]);
  assert.deepEqual(said()[1][0], {
    path: "offline/tables/a", body: "of offline/tables/a", status: 200, text: "answer to of offline/tables/a",
  });
});

for (const [what, failure] of [["that gets lost", 0], ["that is none of ours", 500]]) {
  test(`an answer ${what} stops no other table; the same is sent again when a page asks`, async () => {
    world.status = { ...world.status, waiting: 1 };
    world.database.kept.set("state", { generation: 0, status: world.status });
    waits = ["offline/tables/a", "offline/tables/b"];
    failing["/offline/tables/a"] = failure;
    await exchanged();
    assert.deepEqual(waits, ["offline/tables/a"]);
    assert.equal(said()[1][0].status, failure || undefined);
    world.log.length = 0;
    delete failing["/offline/tables/a"];
    await world.read("/offline/status", { mode: "cors" });
    await settled();
    assert.deepEqual(sent(), ["tables/a", "replicas"]);
    assert.deepEqual(errors(), []);
  });
}

test("a function that the browser lacks is told of, as no lost network is", async () => {
  failing["/offline/replicas"] = 0;
  await exchanged();
  assert.deepEqual(errors(), []);
  globalThis.fetch = undefined;
  await world.dispatch("activate");
  await settled();
  assert.deepEqual(errors(), ["error fetch is not a function"]);
});

test("after a write that the server has accepted the table comes at once, and a refused one brings nothing", async () => {
  await exchanged();
  world.log.length = 0;
  assert.match(await world.read("/t/x/events", POST), /^answer/);
  await settled();
  assert.deepEqual(sent(), ["replicas"]);
  failing["/t/x/events"] = 422;
  await world.read("/t/x/events", POST);
  await settled();
  assert.deepEqual(sent(), ["replicas"]);
});

test("what the server accepted and cannot be pulled any more is written here as well, before anything else", async () => {
  await exchanged();
  world.heard.length = 0;
  failing["/offline/replicas"] = 0;
  await world.read("/t/x/events", POST);
  failing["/t/x/events"] = 0;
  world.answers["POST /t/x/events"] = { text: "here" };
  assert.equal(await world.read("/t/x/events", { ...POST, body: "seq=2" }), "here");
  const written = world.heard.filter(([what]) => what === "POST /t/x/events").map(([, text]) => text);
  assert.deepEqual(written, ["seq=1", "seq=2"]);
});

test("a pull that takes long holds no page back", async () => {
  await exchanged();
  const { server } = world;
  world.server = (request) => (request.url.endsWith("/replicas") ? undefined : server(request));
  assert.match(await world.read("/t/x/events", POST), /^answer/);
});

test("what others change while it runs comes as well", async () => {
  await Promise.all([exchanged(), exchanged()]);
  assert.deepEqual(sent(), ["replicas"]);
  const { server } = world;
  let go;
  world.server = (request) => (request.url.endsWith("/replicas") && !go
    ? new Promise((done) => { go = () => done(server(request)); }) : server(request));
  const first = exchanged();
  await settled();
  const second = exchanged();
  go();
  await Promise.all([first, second]);
  assert.deepEqual(sent(), ["replicas", "replicas", "replicas"]);
});

test("what is written here goes at once", async () => {
  world.status = { ...world.status, waiting: 1, only_here: ["x"] };
  world.database.kept.set("state", { generation: 0, status: world.status });
  waits = ["offline/tables/a"];
  world.answers["POST /t/x/events"] = { text: "here", changed: true };
  assert.equal(await world.read("/t/x/events", POST), "here");
  await settled();
  assert.ok(sent().includes("tables/a"));
});

test("with the network what waits is sent, and what is missing of the kit fetched", async () => {
  waits = ["offline/tables/a"];
  const { server } = world;
  await (await caches.open("kit")).delete(KIT.files[3].url);
  world.server = () => { throw new TypeError("lost"); };
  await world.read("/t/y");
  world.server = server;
  await pass(4000);
  assert.deepEqual(sent(), ["hash/app.zip", "tables/a", "replicas"]);
});
