// Whether there is a network is told by what requests meet, and asked for while there is none.
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { load, makeFetch, ours, setGlobals, settled } from "./stand_ins.mjs";

const ADDRESS = "http://chicago.test/";
let network, ask, look, resume, NoAnswer, asked, changes;

beforeEach(async () => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  const made = makeFetch();
  asked = made.asked;
  setGlobals({ fetch: made.fetch, navigator: { onLine: true } });
  ({ network, ask, look, resume, NoAnswer } = await load("network.js"));
  changes = [];
  network.changed = () => changes.push(network.away);
});

async function pass(wait) {
  for (let past = 0; past < wait; past += 50) {
    mock.timers.tick(Math.min(50, wait - past));
    await settled();
  }
}

// How a question ends, once it has: "200", or the error.
function end(promise) {
  const ended = { how: undefined };
  promise.then(({ status }) => { ended.how = status; }, (error) => { ended.how = error; });
  return ended;
}

test("an answer of the server's is handed on, whatever it says", async () => {
  for (const status of [200, 404, 500, 503]) {
    const found = end(ask(new Request(ADDRESS), 2500));
    asked.at(-1).answer(ours("", status));
    await settled();
    assert.equal(found.how, status);
  }
  assert.equal(network.away, false);
});

for (const status of [502, 503, 504]) {
  test(`a server in front that says ${status} is no answer`, async () => {
    const found = end(ask(new Request(ADDRESS), 2500));
    asked[0].answer(new Response("", { status }));
    await settled();
    assert.ok(found.how instanceof NoAnswer);
    assert.deepEqual(changes, [true]);
  });
}

test("a request that fails is no answer, and says that the network is away, once", async () => {
  for (let turn = 0; turn < 2; turn += 1) {
    const found = end(ask(new Request(ADDRESS), 2500));
    asked.at(-1).refuse(new TypeError("refused"));
    await settled();
    assert.ok(found.how instanceof NoAnswer);
  }
  assert.deepEqual(changes, [true]);
  const found = end(ask(new Request(ADDRESS), 2500));
  asked.at(-1).answer(ours());
  await settled();
  assert.equal(found.how, 200);
  assert.deepEqual(changes, [true, false]);
});

test("a network that swallows is waited for so long; the phone gets ready meanwhile", async () => {
  let slow = 0;
  network.slow = () => { slow += 1; };
  const found = end(ask(new Request(ADDRESS), 2500));
  await pass(650);
  assert.equal(slow, 0);
  await pass(100);
  assert.equal(slow, 1);
  await pass(1700);
  assert.equal(found.how, undefined);
  await pass(100);
  assert.ok(found.how instanceof NoAnswer);
  assert.equal(network.away, true);
});

test("where one request was swallowed, the others that wait as long are too; the patient wait on", async () => {
  const first = end(ask(new Request(ADDRESS), 2500));
  await pass(1000);
  const second = end(ask(new Request(ADDRESS), 2500));
  const patient = end(ask(new Request(ADDRESS), 30000));
  await pass(1600);
  assert.ok(first.how instanceof NoAnswer);
  assert.ok(second.how instanceof NoAnswer);
  assert.equal(patient.how, undefined);
  asked[2].answer(ours());
  await settled();
  assert.equal(patient.how, 200);
});

test("what the page has called off says nothing of the network", async () => {
  const stop = new AbortController();
  const found = end(ask(new Request(ADDRESS, { signal: stop.signal }), 2500));
  stop.abort();
  await settled();
  assert.equal(found.how.name, "AbortError");
  assert.equal(network.away, false);
});

test("a browser that knows that it is offline asks nobody", async () => {
  navigator.onLine = false;
  const found = end(ask(new Request(ADDRESS), 2500));
  await settled();
  assert.ok(found.how instanceof NoAnswer);
  assert.equal(asked.length, 0);
  await look();
  assert.equal(asked.length, 0);
});

test("while it is away it is looked for from time to time, until the server itself answers", async () => {
  resume(true);
  assert.equal(asked.length, 1);
  assert.equal(asked[0].url, "/healthz");
  asked[0].refuse(new TypeError("refused"));
  await settled();
  await pass(3950);
  assert.equal(asked.length, 1);
  await pass(50);
  assert.equal(asked.length, 2);
  asked[1].answer(new Response("Welcome, log in"));
  await settled();
  assert.equal(network.away, true);
  look();
  look();
  assert.equal(asked.length, 3);
  asked[2].answer(ours());
  await settled();
  assert.deepEqual(changes, [true, false]);
  await pass(10000);
  assert.equal(asked.length, 3);
});

test("a worker that is begun anew with a network looks for none", () => {
  resume(false);
  assert.equal(asked.length, 0);
});
