// Whether there is a network is told by what requests meet, and asked for while there is none.
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { makeFetch, ours, setGlobals, settled } from "./stand_ins.mjs";
import { makeIndexedDB } from "./indexed_db.mjs";
import { load, pass, SITE } from "./worker.mjs";

let phone, ask, look, asked, told;

beforeEach(async () => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  const made = makeFetch();
  asked = made.asked;
  told = [];
  setGlobals({
    fetch: made.fetch, indexedDB: makeIndexedDB(), registration: { scope: `${SITE}/` },
    clients: { matchAll: async () => [{ postMessage: ({ away }) => told.push(away) }] },
  });
  ({ phone, ask, look } = await load());
  phone.kit = { release: "one" };
  // What runs meanwhile is asked of no Python.
  phone.loadPyodide = () => new Promise(() => {});
});

// How a question ends, once it has: its status, or "lost".
function begin() {
  const ended = { how: undefined };
  ask(2500, `${SITE}/`).then((found) => { ended.how = found?.status ?? "lost"; });
  return ended;
}

test("an answer of the server's is handed on, whatever it says", async () => {
  for (const status of [200, 404, 500, 503]) {
    const found = begin();
    asked.slice(-1)[0].answer(ours("", status));
    await settled();
    assert.equal(found.how, status);
  }
  assert.deepEqual(told, []);
});

for (const status of [502, 503, 504]) {
  test(`a server in front that says ${status} is no answer`, async () => {
    const found = begin();
    asked[0].answer(new Response("", { status }));
    await settled();
    assert.equal(found.how, "lost");
    assert.deepEqual(told, [true]);
  });
}

test("a network that swallows is waited for so long", async () => {
  const found = begin();
  await pass(2499);
  assert.equal(found.how, undefined);
  await pass(1);
  assert.equal(found.how, "lost");
  assert.equal(asked[0].options.signal.aborted, true);
  assert.deepEqual(told, [true]);
});

test("a function that the browser lacks is no lost network", async () => {
  setGlobals({ fetch: undefined });
  await assert.rejects(ask(2500, `${SITE}/`), /fetch is not a function/);
  assert.deepEqual(told, []);
});

test("while it is away it is looked for from time to time, until the server itself answers", async () => {
  look();
  asked[0].refuse(new TypeError("refused"));
  await settled();
  await pass(3999);
  assert.equal(asked.length, 1);
  await pass(1);
  assert.equal(asked[1].url, `${SITE}/healthz`);
  asked[1].answer(new Response("Welcome, log in"));
  await settled();
  assert.deepEqual(told, [true]);
  await pass(4000);
  asked[2].answer(ours());
  await settled();
  assert.deepEqual(told, [true, false]);
  await pass(10000);
  assert.equal(asked.length, 3);
});
