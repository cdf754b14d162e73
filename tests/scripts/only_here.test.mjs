// When a page lets a newer release of the bundle take over, and leaves taps to the worker.
import assert from "node:assert/strict";
import { test } from "node:test";
import vm from "node:vm";

import { read, settled, WITHOUT_YOUNG } from "./stand_ins.mjs";

// A page where the worker says this of the phone; whether it lets a release take over.
async function openPage(status, { plays = false, waiting = true, parts = {} } = {}) {
  const posted = [], heard = [];
  const release = { postMessage: ({ type }) => posted.push(type) };
  const workers = {
    controller: {}, addEventListener: (_, hear) => heard.push(hear),
    getRegistration: async () => ({ waiting: waiting ? release : null }),
  };
  const root = { dataset: {} };
  vm.runInNewContext(WITHOUT_YOUNG + read("only_here.js"), {
    workers, root, home: "/", isKit: () => true, plays: () => plays, find: (selector) => parts[selector], on() {}, afterSwap() {},
    fetch: async () => new Response(JSON.stringify({ line: "", away: false, waiting: 0, held: [], ...status })),
    document: { addEventListener() {}, hidden: false, body: { insertAdjacentHTML() {} } }, write() {}, addEventListener() {}, setInterval() {},
  });
  await settled();
  // The last entry of a game.
  const told = { type: "status", line: "", away: false, waiting: 0, held: [] };
  if (plays) heard.forEach((hear) => { plays = false; hear({ data: told }); });
  await settled();
  assert.ok(posted.every((type) => type === "take-over"));
  return { takes: posted.length > 0, held: root.dataset.held };
}
const takesOver = async (...given) => (await openPage(...given)).takes;

test("it does while nobody is in the middle of a game, or just was, and never without a newer one", async () => {
  assert.equal(await takesOver({}), true);
  assert.equal(await takesOver({}, { plays: true }), false);
  assert.equal(await takesOver({}, { waiting: false }), false);
});

test("what waits to be pushed holds it up for no longer than there is no network", async () => {
  assert.equal(await takesOver({ waiting: 3, away: true }), false);
  assert.equal(await takesOver({ waiting: 3 }), true);
  assert.equal(await takesOver({ away: true }), true);
});

test("taps are left to a worker that has the table, and to no other", async () => {
  const parts = { "#unsent": { dataset: { unsent: "/club/t/x" } } };
  assert.equal((await openPage({ held: ["y", "x"] }, { parts })).held, "x");
  assert.equal((await openPage({ held: ["y"] }, { parts })).held, "");
  assert.equal((await openPage({ held: ["x"] })).held, "");
});
