// What is only on this phone goes to the server, in order, until nothing is left or it must wait.
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { load, ours, setGlobals, settled } from "./stand_ins.mjs";

const URLS = Request;
let batches, answers, log, network, handOver, handOverMore;

beforeEach(async () => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  batches = [];
  answers = [];
  log = [];
  network = { away: false };
  // A worker's addresses are its site's.
  setGlobals({ Request: class extends URLS { constructor(path, options) { super(`http://chicago.test${path}`, options); } } });
  let turn = Promise.resolve();
  const run = (_, name, ...given) => {
    if (name === "outbox") return JSON.stringify(batches);
    const [link, status] = given;
    if (status === 502) throw new Error("no answer of ours");
    log.push(`noted ${link} ${status}`);
    batches = batches.filter((batch) => batch.link !== link);
    return undefined;
  };
  ({ handOver, handOverMore } = await load("hand_over.js", {
    "./network.js": {
      network,
      ask: async (request) => {
        const { link } = await request.json();
        assert.equal(new URL(request.url).pathname, `/offline/tables/${link}`);
        log.push(`sent ${link}`);
        const answer = answers.shift() ?? 200;
        if (answer instanceof Error) throw answer;
        return ours("{}", answer);
      },
    },
    "./phone.js": {
      run,
      change: async (act) => act({}),
      inTurn: (act) => {
        const result = turn.then(act);
        turn = result.catch(() => {});
        return result;
      },
      readStatus: async () => ({ waiting: batches.length }),
    },
    "./replicas.js": { refresh: async () => log.push("refreshed") },
  }));
});

const wait = (...links) => { batches = links.map((link) => ({ link })); };

test("each table's batch is sent and noted, one after the other; then the tables are fetched", async () => {
  wait("a", "b");
  await handOver();
  assert.deepEqual(log, ["sent a", "noted a 200", "sent b", "noted b 200", "refreshed"]);
});

test("called again meanwhile it is the same", async () => {
  wait("a");
  await Promise.all([handOver(), handOver()]);
  assert.deepEqual(log, ["sent a", "noted a 200", "refreshed"]);
});

test("without a network, and where nothing waits, nothing is sent", async () => {
  await handOver();
  wait("a");
  network.away = true;
  await handOver();
  assert.deepEqual(log, []);
});

test("nothing of one table waits for another's; what failed is sent again later, and later", async () => {
  wait("a", "b");
  answers = [new Error("lost")];
  await handOver();
  assert.deepEqual(log, ["sent a", "sent b", "noted b 200"]);
  for (const rest of [2000, 4000, 8000, 16000, 32000, 60000, 60000]) {
    log.length = 0;
    answers = [502];
    mock.timers.tick(rest - 1);
    await settled();
    assert.deepEqual(log, []);
    mock.timers.tick(1);
    await settled();
    assert.deepEqual(log, ["sent a"]);
  }
  log.length = 0;
  answers = [];
  mock.timers.tick(60000);
  await settled();
  assert.deepEqual(log, ["sent a", "noted a 200", "refreshed"]);
});

test("more that is kept goes at once, but for what a person decides or what has just failed", async () => {
  wait("a");
  handOverMore({ only_here: ["a"], conflicts: ["a"] });
  await settled();
  assert.deepEqual(log, []);
  answers = [new Error("lost")];
  handOverMore({ only_here: ["a"], conflicts: [] });
  await settled();
  assert.deepEqual(log, ["sent a"]);
  handOverMore({ only_here: ["a"], conflicts: [] });
  await settled();
  assert.deepEqual(log, ["sent a"]);
});
