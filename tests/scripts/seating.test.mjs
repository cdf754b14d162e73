// Taps quicker than their answers all count, each on the form as the one before has left it.
import assert from "node:assert/strict";
import { test } from "node:test";

import { makePart, openParts } from "./parts.mjs";

async function open(values) {
  const clicked = [];
  const buttons = values.map((value) => makePart({ value, click: () => clicked.push(value) }));
  for (const button of buttons) button.closest = () => button;
  const parts = { "#start button": buttons, ".sideways": makePart(), "[name=dealer]": [makePart()] };
  const page = openParts(["app.js", "seating.js"], parts);
  await page.dispatch("htmx:before:request");
  return { ...page, clicked, buttons, tap: (place) => page.dispatch("click", { target: buttons[place] }) };
}

test("what is tapped meanwhile is made in order, and what is gone by then is passed over", async () => {
  const { tap, dispatch, clicked, buttons } = await open(["name:Anna", "name:Bo", ""]);
  for (const place of [0, 1, 2]) assert.equal((await tap(place)).stopped, true);
  buttons.shift();
  await dispatch("htmx:finally:request");
  assert.deepEqual(clicked, ["name:Bo"]);
  await dispatch("htmx:before:request");
  await dispatch("htmx:finally:request");
  assert.deepEqual(clicked, ["name:Bo", ""]);
  assert.equal((await tap(0)).stopped, false);
});

test("a place may be another's by then, and without an answer nothing is made", async () => {
  const { tap, dispatch, clicked } = await open(["up:2", "name:Bo"]);
  await tap(0);
  await dispatch("htmx:finally:request");
  assert.deepEqual(clicked, []);
  await dispatch("htmx:before:request");
  await tap(1);
  await dispatch("htmx:error", { detail: { ctx: { request: { method: "POST" } } } });
  await dispatch("htmx:finally:request");
  assert.deepEqual(clicked, []);
});
