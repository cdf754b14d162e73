// Which way a request goes: to the server, or to this phone.
import assert from "node:assert/strict";
import { test } from "node:test";

import { KIT, ours, pass, settled, SITE, startWorker } from "./worker.mjs";

const POST = { method: "POST", body: "seq=1" };
const PART = { mode: "cors" };
const lost = () => { throw new TypeError("lost"); };

const answering = { text: "here" };

test("with a network the server answers, also that something is not there", async () => {
  const world = await startWorker();
  assert.equal(await world.read("/t/x"), "server");
  world.server = () => ours("none", 404);
  assert.equal(await world.read("/t/x"), "none");
});

test("a navigation goes on as it came, and anything else is called off with time", async () => {
  const world = await startWorker();
  const given = [];
  world.server = ({ mode }, { signal }) => {
    given.push([mode, Boolean(signal)]);
    return ours();
  };
  await world.read("/t/x");
  await world.read("/t/x", PART);
  assert.deepEqual(given, [["navigate", false], ["cors", true]]);
});

for (const [list, path] of [["only_here", "/t/x/protocol"], ["only_here", "/offline"], ["held", "/t/x/decide"], ["held", "/offline/file"]]) {
  test(`${path} is answered here, network or not, where the table is among ${list}`, async () => {
    const world = await startWorker({ status: { [list]: ["x"] } });
    world.answers[`GET ${path}`] = answering;
    assert.equal(await world.read(path), "here");
    assert.equal(await world.read("/t/y"), "server");
  });
}

test("without an answer the phone answers, and from then on at once, until the network is back", async () => {
  const world = await startWorker();
  world.answers["GET /t/x"] = answering;
  world.server = lost;
  assert.equal(await world.read("/t/x"), "here");
  let asked = 0;
  world.server = () => { asked += 1; return ours("server"); };
  assert.equal(await world.read("/t/x", PART), "here");
  assert.equal(asked, 0);
  await pass(4000);
  assert.equal(await world.read("/t/x", PART), "server");
});

test("for a table that is not here own words stand in, or for a script nothing", async () => {
  const world = await startWorker();
  world.server = lost;
  assert.equal(await world.read("/t/x?from=mail"), "page");
  assert.equal(await world.read("/t/x", { ...POST, referrer: `${SITE}/t/x/join` }), `sent <a href="${SITE}/t/x/join">`);
  assert.equal(await world.read("/t/x/events", { ...POST, ...PART }), "error");
});

test("without a kit own words stand in, and parts of pages are the browser's", async () => {
  const world = await startWorker({ kit: null });
  assert.equal(await world.ask("/t/x", PART), undefined);
  assert.equal(await world.ask("/t/x/live", PART), undefined);
  assert.equal(await world.ask("/static/x.js?v=1", PART), undefined);
  assert.equal(await world.read("/t/x"), "server");
  world.server = lost;
  const words = await (await world.ask("/t/x"));
  assert.deepEqual([words.status, await words.text()], [503, "page"]);
});

test("an error of our own is no lost network: the browser asks as it would without a worker", async () => {
  const world = await startWorker();
  world.caches.match = () => { throw new RangeError("ours"); };
  const { fetch } = globalThis;
  globalThis.fetch = (request, options) => {
    if (options) throw new RangeError("ours");
    return fetch(request);
  };
  for (const [path, options] of [["/t/x", POST], ["/static/x.js?v=1", PART]]) {
    assert.equal(await world.read(path, { ...options, mode: "cors" }), "server");
  }
  assert.deepEqual(world.log, ["error ours", "error ours"]);
  assert.ok(!world.told.some(({ away }) => away));
});

for (const [what, path, options, patience] of [
  ["a page without a table", "/rules", {}, 2500],
  ["a table that is held", "/t/held", {}, 2500],
  ["a table of which there is nothing", "/t/unknown", {}, 30000],
  ["a form with files", "/t/held/files", { ...PART, method: "POST", body: "x".repeat(65536) }, 68036],
]) {
  test(`${what} is waited for ${patience} milliseconds`, async () => {
    const world = await startWorker({ status: { held: ["held"] } });
    world.server = ({ url }) => (url.endsWith("/healthz") ? ours() : undefined);
    let answered = false;
    const answer = world.ask(path, options).then((found) => found).then(() => { answered = true; });
    await settled();
    await pass(patience - 1);
    assert.equal(answered, false);
    await pass(1);
    await answer;
  });
}

test("a form of another site's page is left to the browser", async () => {
  const world = await startWorker();
  for (const referrer of ["http://elsewhere.test/", `${SITE}.elsewhere.test/`, ""]) {
    assert.equal(await world.ask("/t/x/undo", { ...POST, referrer }), undefined);
  }
  assert.equal(await world.read("/t/x/undo", { ...POST, referrer: `${SITE}/t/x` }), "server");
});

test("a stream is the browser's, and one word where the phone answers", async () => {
  const world = await startWorker({ status: { only_here: ["x"] } });
  assert.equal(await world.ask("/t/y/live", PART), undefined);
  world.answers["GET /t/x/live"] = { text: "event: away" };
  await world.read("/t/y");
  assert.equal(await world.read("/t/x/live", PART), "event: away");
});

test("a worker begun anew by a stream tells pages the tables that are here, network or not", async () => {
  const world = await startWorker({ status: { held: ["x"] } });
  world.server = lost;
  assert.equal(await world.ask("/t/x/live", PART), undefined);
  assert.deepEqual(world.told.map(({ away, held }) => [away, held]), [[true, ["x"]]]);
});

test("a file of the kit comes from it, any other from the network", async () => {
  const world = await startWorker();
  assert.equal(await world.read(`/${KIT.files[4].url}`, PART), KIT.files[4].url);
  assert.equal(await world.read("/static/app.css?v=2", PART), "server");
});

test("what this phone refuses it says to whoever asked", async () => {
  const world = await startWorker({ status: { only_here: ["x"] } });
  world.failing = new RangeError("no memory");
  assert.equal(await world.read("/t/x"), "page");
  assert.equal(await world.read("/t/x/events", { ...POST, ...PART }), "error");
  world.failing = undefined;
  world.answers["GET /t/x"] = { status: 422, text: "refused" };
  assert.equal(await world.read("/t/x"), "refused");
});

test("where there is no server this phone answers all of it, but what else the host has", async () => {
  const world = await startWorker({ alone: true });
  world.answers["GET /t/x"] = answering;
  let asked = 0;
  world.server = ({ url }) => {
    asked += 1;
    return url.endsWith("/other/") ? new Response("host") : new Response("none", { status: 404 });
  };
  assert.equal(await world.read("/t/x"), "here");
  world.answers["GET /t/x/live"] = { text: "event: away" };
  assert.equal(await world.read("/t/x/live", PART), "event: away");
  assert.equal(asked, 0);
  assert.equal(await world.read("/other/"), "host");
  assert.equal((await (await world.ask("/t/gone"))).status, 404);
  await world.read("/t/x/events", POST);
  await pass(10000);
  assert.equal(asked, 2);
  assert.equal(JSON.parse(await world.read("/offline/status", PART)).away, false);
});
