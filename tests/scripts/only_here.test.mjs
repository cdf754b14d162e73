// When a page lets a newer release of the bundle take over.
import assert from "node:assert/strict";
import { test } from "node:test";
import vm from "node:vm";

import { read, settled, WITHOUT_YOUNG } from "./stand_ins.mjs";

// Whether it does, where the worker says this of the phone.
async function takesOver(status, { plays = false, waiting = true } = {}) {
  const posted = [];
  const release = { postMessage: ({ type }) => posted.push(type) };
  const workers = {
    controller: {}, addEventListener() {},
    getRegistration: async () => ({ waiting: waiting ? release : null }),
  };
  vm.runInNewContext(WITHOUT_YOUNG + read("only_here.js"), {
    workers, home: "/", isKit: () => true, plays: () => plays, find: () => null, on() {}, afterSwap() {},
    fetch: async () => new Response(JSON.stringify({ line: "", away: false, waiting: 0, ...status })),
    document: { addEventListener() {}, hidden: false, body: { insertAdjacentHTML() {} } }, write() {}, addEventListener() {}, setInterval() {},
  });
  await settled();
  assert.ok(posted.every((type) => type === "take-over"));
  return posted.length > 0;
}

test("it does while nobody is in the middle of a game, and never without a newer one", async () => {
  assert.equal(await takesOver({}), true);
  assert.equal(await takesOver({}, { plays: true }), false);
  assert.equal(await takesOver({}, { waiting: false }), false);
});

test("what waits to be pushed holds it up for no longer than there is no network", async () => {
  assert.equal(await takesOver({ waiting: 3, away: true }), false);
  assert.equal(await takesOver({ waiting: 3 }), true);
  assert.equal(await takesOver({ away: true }), true);
});
