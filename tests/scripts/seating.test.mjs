// Taps quicker than their answers all count, each on the form as the one before has left it.
import assert from "node:assert/strict";
import { test } from "node:test";

import { openParts } from "./parts.mjs";

const FIELDS = [["player", "Anna"], ["player", "Bo"]];

class FormData {
  entries = [...FIELDS];
  set(...field) { this.entries.push(field); }
  [Symbol.iterator]() { return this.entries.values(); }
}

for (const [what, asked] of Object.entries({ "a name": ["do", "name:Bo"], "a new table": ["apart", "1"], start: undefined })) {
  test(`what was tapped meanwhile is made on what is typed by then: ${what}`, async () => {
    const { dispatch } = openParts(["app.js", "seating.js"], { "#start": {} }, { FormData });
    const tapped = asked ? [asked] : [];
    const request = { body: new URLSearchParams([["player", "An"], ["player", ""], ...tapped]) };
    await dispatch("htmx:before:request", { detail: { ctx: { request } } });
    assert.deepEqual([...request.body], [...FIELDS, ...tapped]);
  });
}
