// Rules that are being changed and not yet used are kept on the phone.
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { makePart, openParts } from "./parts.mjs";
import { settled } from "./stand_ins.mjs";

const KEY = "rules:/rules:v1-main";

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

async function open(storage) {
  const field = (name, value, type = "text", checked = false) => ({ name, value, type, checked });
  const fields = [
    field("origin", "v1-main"), field("restored", ""), field("base", "main"), field("seq", "5"),
    field("stop", "45"), field("ties", "shared", "radio", true), field("ties", "suits", "radio"),
  ];
  const [origin, restored, , seq, stop, shared, suits] = fields;
  const form = makePart({ elements: Object.assign([...fields], { origin, restored }), dispatchEvent: () => {} });
  class FormData {
    *[Symbol.iterator]() {
      for (const { name, value, type, checked } of fields) if (type !== "radio" || checked) yield [name, value];
    }
  }
  const page = openParts(["app.js", "rule_draft.js"], { "#rules": form }, {
    FormData, location: { pathname: "/rules" }, localStorage: storage,
  });
  mock.timers.tick(0);
  await settled();
  return {
    ...page, restored, seq, stop, shared, suits,
    use: () => page.dispatch("htmx:after:request", {
      detail: { ctx: { sourceElement: { value: "use" }, response: { headers: new Map([["HX-Redirect", "/"]]) } } },
    }),
  };
}

async function change(page) {
  page.stop.value = "47";
  [page.shared.checked, page.suits.checked] = [false, true];
  await page.dispatch("input");
}

test("a draft comes back as it was left, and is gone once it is used", async () => {
  const storage = new Storage();
  await change(await open(storage));
  const later = await open(storage);
  assert.deepEqual([later.stop.value, later.shared.checked, later.suits.checked], ["47", false, true]);
  assert.deepEqual([later.restored.value, later.seq.value], ["yes", "5"]);
  await later.use();
  assert.equal(storage.getItem(KEY), null);
});

for (const text of ["{", "null", "[]", '{"at": 1e15, "fields": "[1]"}', "%"]) {
  test(`what cannot be read is passed over: ${text}`, async () => {
    const storage = new Storage();
    storage.setItem(KEY, text);
    const { stop, shared, restored } = await open(storage);
    assert.deepEqual([stop.value, shared.checked, restored.value], ["45", true, ""]);
  });
}

