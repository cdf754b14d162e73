// What others record comes by itself, and what is tapped as it comes is meant for the table before.
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { makePart, openParts } from "./parts.mjs";
import { makeFetch, settled } from "./stand_ins.mjs";

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000_000 });
});

async function open() {
  const streams = [];
  class EventSource {
    static CLOSED = 2;
    heard = {};
    constructor() { streams.push(this); }
    addEventListener(type, act) { this.heard[type] = act; }
    close() { this.closed = true; }
  }
  const { fetch, asked } = makeFetch();
  const live = makePart({ dataset: { live: "/t/x", on: "on", off: "off" } });
  const table = makePart({ dataset: { seq: "5", facts: "0" } });
  const said = makePart();
  const parts = { "#ask-said, #said": said, "#live": live, "[data-seq]": table, "[data-facts]": table };
  const page = openParts(["app.js", "live.js"], parts, {
    EventSource, fetch, Math: { random: () => 0 },
    location: { search: "", reload: () => { page.reloaded = true; } },
    matchMedia: () => ({ matches: false }),
    navigator: { vibrate: () => { page.felt = (page.felt ?? 0) + 1; } },
    htmx: {
      async swap({ text }) {
        table.dataset.seq = /data-seq="(\d+)"/.exec(text)[1];
        await page.dispatch("htmx:after:swap");
      },
    },
  });
  await page.dispatch("pageshow");
  const come = async (seq, more = "") => {
    streams.slice(-1)[0].heard.table({ lastEventId: `${seq}`, data: `<main data-seq="${seq}"${more}>` });
    await settled();
  };
  const refuse = () => {
    streams.slice(-1)[0].readyState = EventSource.CLOSED;
    streams.slice(-1)[0].heard.error();
  };
  return Object.assign(page, { said, streams, asked, live, table, parts, come, refuse });
}

test("what is tapped right after the table changed was meant for the table before", async () => {
  const page = await open();
  const field = page.parts["#table [name=seq]"] = makePart();
  await page.come(6);
  assert.equal(field.value, 5);
  mock.timers.tick(800);
  assert.equal(field.value, 6);
  // When it changes by a tap of this phone, the next tap is meant for what that has made.
  page.run("sending = {}");
  await page.come(7);
  assert.equal(field.value, 6);
});

test("a version that is shown already, or was before, changes nothing", async () => {
  const page = await open();
  await page.come(4);
  assert.equal(page.table.dataset.seq, "5");
  assert.equal(page.live.textContent, "on");
});

test("of an answer that is older than the table here, or none, only the words are shown", async () => {
  const page = await open();
  const target = { id: "table" };
  const swap = async (seq, to = target) => {
    const came = seq && { dataset: { seq: `${seq}` } };
    const fragment = { querySelector: () => came, querySelectorAll: () => [{ textContent: "No." }] };
    const { prevented } = await page.dispatch("htmx:before:swap", { detail: { ctx: { target: to }, tasks: [{ fragment }] } });
    return prevented;
  };
  assert.deepEqual([await swap(6), await swap(5), await swap(4, "#ask")], [false, false, false]);
  assert.equal(page.said.textContent, "");
  for (const seq of [4, undefined]) assert.equal(await swap(seq), true);
  assert.equal(page.said.textContent, "No.");
  assert.equal(page.streams.length, 3);
});

test("a stream that says nothing for long is opened anew, and none on a page nobody sees", async () => {
  const page = await open();
  mock.timers.tick(45_000);
  assert.deepEqual(page.streams.map(({ closed }) => Boolean(closed)), [true, false]);
  page.document.hidden = true;
  await page.dispatch("visibilitychange");
  mock.timers.tick(90_000);
  assert.deepEqual(page.streams.map(({ closed }) => closed), [true, true]);
});

test("where no stream is given another is asked for, unless the table is gone", async () => {
  const page = await open();
  for (const [status, streams] of [[502, 2], [404, 2]]) {
    page.refuse();
    assert.equal(page.live.textContent, "off");
    mock.timers.tick(5000);
    page.asked.slice(-1)[0].answer({ status });
    await settled();
    assert.equal(page.streams.length, streams);
  }
  assert.equal(page.reloaded, true);
});

test("whose pen is gone gets a page to read on", async () => {
  const page = await open();
  await page.come(6);
  assert.equal(page.reloaded, undefined);
  await page.come(6, ' id="follow"');
  assert.equal(page.reloaded, true);
});

test("what was recorded since is news, and a shout is felt on the keeper's phone", async () => {
  const page = await open();
  const count = async (facts) => {
    page.table.dataset.facts = `${facts}`;
    await page.dispatch("htmx:after:swap");
    return page.body.classes.has("news");
  };
  assert.equal(await count(0), false);
  assert.equal(await count(1), true);
  Object.assign(page.parts, { ".loud, .result": makePart() });
  await count(2);
  assert.equal(page.felt, undefined);
  Object.assign(page.parts, { ".undo": makePart() });
  await count(3);
  assert.equal(page.felt, 1);
  assert.equal(await count(2), false);
  assert.equal(page.felt, 1);
});
