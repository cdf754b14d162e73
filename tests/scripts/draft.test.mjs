// What is typed into a form and not yet used is kept on the phone.
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { makePart, openParts } from "./parts.mjs";
import { settled } from "./stand_ins.mjs";

const KEY = "draft:/next";

class Storage {
  items = new Map();
  getItem(key) { return this.items.get(key) ?? null; }
  setItem(key, value) { this.items.set(key, value); }
  removeItem(key) { this.items.delete(key); }
}

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
});

async function open(localStorage, dataset = {}) {
  const ctx = { request: {}, response: { headers: new Map([["HX-Redirect", "/"]]) } };
  const fields = [["seq", "5"], ["player", ""], ["player", "Bo"], ["on", "four"]];
  const form = makePart({
    action: "http://table/next", dataset: { draft: "v1", ...dataset }, elements: [],
  });
  class FormData {
    *[Symbol.iterator]() { yield* fields; }
  }
  const sent = [], replaced = [];
  const page = openParts(["app.js", "draft.js"], { "[data-draft]": form }, {
    FormData, URL, localStorage,
    location: { search: "?preset=pagat" },
    history: { replaceState: (_, __, address) => replaced.push(address) },
    htmx: { ajax: (method, address) => sent.push([method, address]) },
  });
  mock.timers.tick(0);
  if (sent.length) await page.dispatch("htmx:before:request", { detail: { ctx } });
  await settled();
  const type = async () => {
    fields[1][1] = "Åsa";
    fields.pop();
    await page.dispatch("input");
  };
  return { ...page, type, sent, replaced, body: ctx.request.body, use: () => page.dispatch("htmx:after:request", { detail: { ctx } }) };
}

test("a draft is sent as it was left, without the page's own fields, and is gone once it is used", async () => {
  const storage = new Storage();
  await (await open(storage)).type();
  const later = await open(storage);
  assert.deepEqual(later.sent, [["POST", "/next?preset=pagat"]]);
  assert.equal(`${later.body}`, "player=%C3%85sa&player=Bo&do=restored&seating=");
  await later.use();
  assert.equal(storage.items.size, 0);
});

test("a form as it begins is no draft, and no draft comes to a newer one", async () => {
  const storage = new Storage();
  const page = await open(storage);
  await page.dispatch("input");
  assert.equal(storage.items.size, 0);
  await page.type();
  assert.equal((await open(storage, { draft: "v2" })).sent.length, 0);
  assert.equal(storage.items.size, 0);
});

test("a form that came filled in is a draft at once, and what led to it is none any more", async () => {
  const storage = new Storage();
  storage.setItem(KEY, "v1 player=Cissi");
  storage.setItem("draft:/rules", "v1 stop=47");
  const { sent, replaced } = await open(storage, { given: "all", used: "draft:/rules" });
  assert.equal(sent.length, 0);
  assert.deepEqual([...storage.items], [[KEY, "v1 player=&player=Bo&on=four"]]);
  assert.deepEqual(replaced, ["http://table/next"]);
});

const full = Object.assign(new Storage(), { setItem() { throw new Error("full"); } });
for (const [what, storage] of Object.entries({ undefined, full, refused: null })) {
  test(`a browser without memory has a form without one: ${what}`, async () => {
    const page = await open(storage, { given: "all" });
    await page.type();
    await page.use();
    assert.equal(page.sent.length, 0);
  });
}

for (const text of ["{", "null", "v1", "v10 player=Bo"]) {
  test(`what is no draft is passed over: ${text}`, async () => {
    const storage = new Storage();
    storage.setItem(KEY, text);
    assert.equal((await open(storage)).sent.length, 0);
  });
}
