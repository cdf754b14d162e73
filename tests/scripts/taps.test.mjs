// A tap is one tap: a bounce writes nothing, and the same again is asked about.
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { makePart, openParts } from "./parts.mjs";

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000_000 });
});

function open() {
  const said = makePart();
  const happened = makePart({ dataset: { facts: "0" } });
  const cells = ["pair", "trick"].map((value) =>
    makePart({ value, closest: () => ({}), matches: (selector) => selector === ".cell" }));
  const parts = { "#ask-said, #said": said, "[data-facts]": happened, "#table .cell[name=event]": cells };
  const page = openParts(["app.js", "taps.js"], parts);
  const hit = ([x, y] = [0, 0]) =>
    page.dispatch("click", { target: cells[0], detail: 1, clientX: x, clientY: y });
  // What is sent is written at once.
  const send = async (cell) => {
    const event = await page.dispatch("submit", { submitter: cells[cell] });
    if (event.stopped) return false;
    happened.dataset.facts = `${Number(happened.dataset.facts) + 1}`;
    await page.dispatch("htmx:after:swap");
    return true;
  };
  return { hit, send, said, cells };
}

test("a finger that bounces has tapped once; a second later, or elsewhere, it taps again", async () => {
  const { hit } = open();
  const stopped = async (place) => (await hit(place)).stopped;
  assert.equal(await stopped(), false);
  assert.equal(await stopped([10, 10]), true);
  assert.equal(await stopped([0, 40]), false);
  mock.timers.tick(1000);
  assert.equal(await stopped([0, 40]), false);
});

test("the same fact so soon again is asked about once; later, or another, it counts", async () => {
  const { send, said } = open();
  assert.equal(await send(0), true);
  assert.equal(await send(0), false);
  assert.equal(said.textContent, "again?");
  assert.equal(await send(0), true);
  assert.equal(await send(1), true);
  mock.timers.tick(3000);
  assert.equal(await send(1), true);
});

test("the cell whose fact is written says so for a moment", async () => {
  const { send, cells } = open();
  await send(1);
  assert.deepEqual(cells.map(({ classes }) => classes.has("done")), [false, true]);
  mock.timers.tick(700);
  assert.equal(cells[1].classes.has("done"), false);
});
