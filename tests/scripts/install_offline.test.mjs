// When a phone takes the score keeper along by itself, and what it makes of how that goes.
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import vm from "node:vm";

import { read, settled } from "./stand_ins.mjs";

const SOURCE = read("install_offline.js").replace("import.meta.url", '"https://example.com/static/bundles/phone.js"');
const WIFI = { effectiveType: "4g" };

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
});

const TAKEN = {
  scriptURL: "https://example.com/worker.js?kit",
  postMessage({ type }) { this.posted.push(type); },
};

// A page of a table: how many facts it has, the phone's setting, its network, and the worker it has.
async function openPage({ facts = 1, kit, connection = WIFI, board = {}, active = null, onLine = true, refused = false } = {}) {
  const asked = [], hints = [], heard = {}, taps = {}, posted = [];
  let newest;
  const workers = {
    controller: null,
    addEventListener: (type, act) => { heard[type] = act; },
    getRegistration: async () => ({ active, scope: "https://example.com/" }),
    register: async (url) => {
      asked.push(url);
      if (refused) throw new TypeError("no modules");
      newest = { state: "installing", postMessage: (message) => posted.push(message.type) };
      return { installing: newest };
    },
  };
  const found = { "#live[data-ready]": { dataset: { ready: "ready" } }, "#live": { dataset: { ready: "ready" } }, "#table .board": board };
  const localStorage = { kit, removeItem(name) { delete this[name]; } };
  const dataset = {};
  vm.runInNewContext(SOURCE, {
    URL, localStorage, console,
    navigator: { serviceWorker: workers, connection, onLine, userAgent: "" },
    root: { dataset },
    window: { WebAssembly }, addEventListener: (type, act) => { heard[type] = act; },
    find: (selector) => found[selector] ?? null, all: () => [], hint: (words) => hints.push(words), facts: () => page.facts,
    onTap: (selector, act) => { taps[selector] = act; },
    fetch: async () => ({ json: async () => page.status }),
    afterSwap: (act) => { heard["htmx:after:swap"] = act; },
    setTimeout: (...given) => setTimeout(...given), clearTimeout: (timer) => clearTimeout(timer),
  });
  const page = {
    asked, hints, heard, taps, posted, localStorage, dataset, facts,
    async become(state) {
      newest.state = state;
      newest.onstatechange();
      await settled();
    },
  };
  await settled();
  return page;
}

test("it is taken with the first fact, once, and told where the game is", async () => {
  const page = await openPage({ facts: 0 });
  assert.deepEqual([page.asked, page.dataset.kit], [["/worker.js"], "none"]);
  page.facts = 1;
  page.heard["htmx:after:swap"]();
  page.heard["htmx:after:swap"]();
  await settled();
  assert.deepEqual([page.asked.slice(1), page.dataset.kit], [["/worker.js?kit"], "taking"]);
  await page.become("activated");
  assert.deepEqual([page.hints, page.dataset.kit], [["ready"], "taken"]);
});

test("a worker is told to take over before it is installed, which a browser may never say", async () => {
  const page = await openPage();
  assert.deepEqual(page.posted, ["take-over"]);
  await page.become("activated");
  assert.deepEqual([page.posted, page.dataset.kit], [["take-over"], "taken"]);
});

test("a worker that the browser cannot run is no error", async () => {
  const old = await openPage({ facts: 0, refused: true });
  mock.timers.tick(30000);
  await settled();
  assert.deepEqual(old.asked, ["/worker.js"]);
});

for (const [why, given] of [
  ["a network that is paid for", { connection: { ...WIFI, type: "cellular" } }],
  ["a network whose data is saved", { connection: { ...WIFI, saveData: true } }],
  ["a network that is slow", { connection: { effectiveType: "slow-2g" } }],
  ["who turned it off", { kit: "off" }],
  ["who only reads", { board: null }],
]) {
  test(`it is not taken by itself for ${why}`, async () => {
    const page = await openPage(given);
    assert.deepEqual([page.asked, page.dataset.kit], [["/worker.js"], given.kit ?? "none"]);
  });
}

test("who asked for it gets it over any network, also on the next page", async () => {
  const page = await openPage({ kit: "on", board: null, connection: { saveData: true } });
  assert.deepEqual(page.asked, ["/worker.js?kit"]);
});

test("what breaks off goes on after a while, unless it was left by then", async () => {
  const page = await openPage();
  await page.become("redundant");
  assert.equal(page.dataset.kit, "broken");
  mock.timers.tick(30000);
  await settled();
  assert.equal(page.asked.length, 2);
  await page.become("redundant");
  page.dataset.kit = "none";
  mock.timers.tick(30000);
  await settled();
  assert.equal(page.asked.length, 2);
});

test("where there is no room it is left, until another page", async () => {
  const page = await openPage();
  page.heard.message({ data: { type: "taking", error: "room" } });
  await page.become("redundant");
  page.heard["htmx:after:swap"]();
  mock.timers.tick(60000);
  await settled();
  assert.deepEqual([page.asked.length, page.dataset.kit], [1, "room"]);
});

for (const [kit, hints] of [["on", ["ready"]], ["told", []]]) {
  test(`a phone that has it asks for nothing, has its worker answer this page, and says so once: ${kit}`, async () => {
    const active = { ...TAKEN, posted: [] };
    const page = await openPage({ kit, active });
    assert.deepEqual(active.posted, ["take-over"]);
    assert.deepEqual([page.asked, page.hints, page.dataset.kit, page.localStorage.kit], [[], hints, "taken", "told"]);
  });
}

test("it is not put away while something is only here, however often that is asked for", async () => {
  const page = await openPage({ active: { ...TAKEN, posted: [] } });
  for (const [status, said] of [[{ waiting: 1 }, "waits"], [undefined, "unsure"]]) {
    page.status = status;
    for (const time of [1, 2]) {
      page.taps["#leave-behind"]();
      await settled();
      assert.deepEqual([page.asked, page.dataset.kit], [[], said], time);
    }
  }
  page.status = { waiting: 0 };
  page.taps["#leave-behind"]();
  await settled();
  assert.deepEqual(page.asked, ["/worker.js"]);
});
