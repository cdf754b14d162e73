// Which way a request goes: to the server, or to this phone.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { load, ours, setGlobals } from "./stand_ins.mjs";

const SITE = "http://chicago.test";
class NoAnswer extends Error {}
class Unreadable extends Error {}
class Incomplete extends Error {}
class StorageError extends Error {
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}
let world, router;

// What a browser hands to a worker; Node's own can be no navigation.
function request(path, { method = "GET", mode = "navigate", referrer = `${SITE}/`, body } = {}) {
  const bytes = new TextEncoder().encode(body);
  return {
    method, mode, referrer, url: SITE + path, headers: new Headers(), redirect: "follow",
    signal: new AbortController().signal, clone: () => ({ arrayBuffer: async () => bytes }),
  };
}

beforeEach(async () => {
  world = {
    mine: [], held: [], copies: {}, away: false, log: [], here: { status: 200, headers: [], body: "here" },
    server: async () => ours("server"),
  };
  const network = { get away() { return world.away; } };
  setGlobals({ location: { origin: SITE }, console: { ...console, error: (error) => world.log.push(`error ${error.message}`) } });
  router = await load("router.js", {
    "./boot.js": { Incomplete },
    "./copies.js": {
      findPage: async ({ url }) => world.copies[url.slice(SITE.length)],
      forgetGone: async ({ status }, pathname) => world.log.push(`seen ${status} ${pathname}`),
    },
    "./replicas.js": {
      catchUp: async () => world.log.push("caught up"),
      noteWrite: async (table) => world.log.push(`noted ${table}`),
    },
    "./status.js": { isHeld: async (table) => world.held.includes(table), mustAnswer: async (table) => world.mine.includes(table) },
    "./network.js": {
      network, NoAnswer, PATIENCE: 2500, look: () => world.log.push("looked"),
      ask: async (asked, patience) => {
        world.asked = { method: asked.method, patience };
        return world.server();
      },
    },
    "./phone.js": {
      Unreadable, phone: { kit: { files: [{ name: "/static/app.css?v=1" }, { name: "/static/app.js?v=1" }] } },
      inTurn: (act) => act(),
      answer: async () => {
        if (world.here instanceof Error) throw world.here;
        return world.here;
      },
    },
    "./storage.js": { StorageError },
    "./words.js": { explain: (reason, _, styles) => new Response(`${reason} ${styles}`, { status: 503 }) },
  });
});

const textOf = async (...asked) => (await router.answerPage(request(...asked))).text();
const lose = () => { world.server = async () => { throw new NoAnswer("lost"); }; };

test("with a network the server answers", async () => {
  assert.equal(await textOf("/t/x"), "server");
  assert.deepEqual(world.log, ["seen 200 /t/x"]);
});

test("a table that is only here is answered for here, network or not", async () => {
  world.mine = ["x"];
  assert.equal(await textOf("/t/x/protocol"), "here");
  assert.equal(await textOf("/t/y"), "server");
});

test("without an answer the phone answers, after what the server has said yes to", async () => {
  lose();
  assert.equal(await textOf("/t/x"), "here");
  assert.deepEqual(world.log, ["caught up"]);
});

test("known to be away, nobody is asked; a page that is opened has the network looked for", async () => {
  world.away = true;
  assert.equal(await textOf("/t/x", { mode: "cors" }), "here");
  assert.deepEqual(world.log, ["caught up"]);
  assert.equal(await textOf("/t/x"), "here");
  assert.ok(world.log.includes("looked"));
  assert.equal(world.asked, undefined);
});

test("of a table that is not here a copy stands in, the phone's words, or for a script nothing", async () => {
  lose();
  world.here = { status: 404, headers: [], body: "not here" };
  assert.equal(await textOf("/t/x"), "not here");
  world.copies["/t/x"] = new Response("copy");
  assert.equal(await textOf("/t/x"), "copy");
  world.copies["/t/x"] = new Response("copy");
  assert.equal(await textOf("/t/x", { method: "POST", body: "seq=1" }), "not here");
  const part = await router.answerPage(request("/t/x/events", { method: "POST", mode: "cors" }));
  assert.equal(part.type, "error");
});

for (const [what, path, body, patience] of [
  ["a page without a table", "/rules", "", 2500],
  ["a table that is held", "/t/held", "", 2500],
  ["a table of which there is a copy", "/t/copied", "", 4000],
  ["a table of which there is nothing", "/t/unknown", "", 30000],
  ["a form with files", "/t/held/files", "x".repeat(65537), 30000],
]) {
  test(`${what} is waited for ${patience} milliseconds`, async () => {
    world.held = ["held"];
    world.copies["/t/copied"] = new Response("copy");
    await textOf(path, body ? { method: "POST", mode: "cors", body } : {});
    assert.equal(world.asked.patience, patience);
  });
}

test("a write that the server has said yes to is noted, one that it has refused is not", async () => {
  const post = { method: "POST", mode: "cors", body: "seq=1" };
  await textOf("/t/x/events", post);
  assert.deepEqual(world.log, ["noted x"]);
  world.server = async () => ours("", 422);
  await textOf("/t/x/events", post);
  assert.deepEqual(world.log, ["noted x"]);
});

test("only our own pages' forms are sent on or answered", () => {
  const form = { method: "POST" };
  assert.equal(router.isOurs(request("/", { ...form, referrer: `${SITE}/t/x` })), true);
  assert.equal(router.isOurs(request("/", { ...form, referrer: "http://elsewhere.test/" })), false);
  assert.equal(router.isOurs(request("/", { ...form, referrer: `${SITE}.elsewhere.test/` })), false);
  assert.equal(router.isOurs(request("/", { ...form, referrer: "" })), false);
  assert.equal(router.isOurs(request("/", { referrer: "" })), true);
  assert.equal(router.isOurs(request("/", { ...form, mode: "cors", referrer: "" })), true);
});

test("why the phone cannot answer is said in words, and what nobody thought of is logged", async () => {
  world.mine = ["x"];
  for (const [error, said] of [
    [new StorageError("full"), "full"], [new Unreadable("spoilt"), "unreadable"],
    [new Incomplete("gone"), "incomplete"], [new Error("unthought of"), "failed"],
  ]) {
    world.here = error;
    assert.equal(await textOf("/t/x"), `${said} /static/app.css?v=1`);
  }
  assert.deepEqual(world.log.filter((line) => line.startsWith("error")), ["error unthought of"]);
});

test("a redirect of the phone's leads to an address of this site, and an empty answer is empty", async () => {
  world.mine = ["x"];
  world.here = { status: 303, headers: [["Location", "/t/x"]], body: "" };
  const led = await router.answerPage(request("/t/x/games", { method: "POST" }));
  assert.equal(led.headers.get("Location"), `${SITE}/t/x`);
  world.here = { status: 204, headers: [], body: "" };
  assert.equal((await router.answerPage(request("/t/x"))).body, null);
});
