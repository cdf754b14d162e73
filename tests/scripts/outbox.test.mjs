// Taps that have no answer yet are kept on the phone and written once, in order, or not at all.
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { answerOf, openPage, sent, Storage } from "./page.mjs";
import { settled } from "./stand_ins.mjs";

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000_000 });
});

async function pass(wait) {
  mock.timers.tick(wait);
  await settled();
}

test("a tap is sent with what the person saw, and gone once it is written", async () => {
  const page = openPage({ seq: 5 });
  await page.tap("Anna: Par");
  assert.equal(page.asked[0].url, "/t/x/events");
  assert.deepEqual(sent(page.asked[0]), { seq: "5", event: "Anna: Par" });
  assert.deepEqual(page.words, ["Anna: Par"]);
  assert.equal(page.box.hidden, true);
  await page.answer(answerOf({ seq: 6, said: "" }));
  assert.deepEqual(page.words, []);
  assert.equal(page.swapped.length, 1);
});

test("without an answer it waits in sight, and is sent again as it was, less and less often", async () => {
  const page = openPage({ seq: 5 });
  await page.tap("Anna: Par");
  await page.fail();
  assert.equal(page.box.hidden, false);
  assert.equal(page.body.classes.has("waits"), true);
  page.seq = 9;
  for (const rest of [1000, 2000, 4000, 8000, 15000, 15000]) {
    const before = page.asked.length;
    await pass(rest - 1);
    assert.equal(page.asked.length, before);
    await pass(1);
    assert.equal(page.asked.length, before + 1);
    assert.deepEqual(sent(page.asked.at(-1)), { seq: "5", event: "Anna: Par" });
    await page.fail();
  }
  for (const type of ["online", "pageshow", "live", "visibilitychange"]) {
    const before = page.asked.length;
    await page.tell(type);
    assert.equal(page.asked.length, before + 1, type);
    await page.fail();
  }
  await page.tell("online");
  await page.answer(answerOf({ seq: 6 }));
  assert.deepEqual(page.words, []);
  assert.equal(page.box.hidden, true);
});

for (const [what, page, status] of [
  ["a database that is locked", { seq: 5 }, 503],
  ["a server that is asked too often", { seq: 5 }, 429],
  ["a server that got it too slowly", { seq: 5 }, 408],
  ["a hotel's login page", undefined, 200],
]) {
  test(`no answer is ${what}`, async () => {
    const opened = openPage();
    await opened.tap("Anna: Par");
    await opened.answer({ status, text: async () => JSON.stringify(page ?? null) });
    assert.deepEqual(opened.words, ["Anna: Par"]);
    await pass(1000);
    assert.equal(opened.asked.length, 2);
  });
}

test("a slow answer is told of after a while, and given up after another", async () => {
  const page = openPage();
  await page.tap("Anna: Par");
  await pass(2499);
  assert.equal(page.box.hidden, true);
  await pass(1);
  assert.equal(page.box.hidden, false);
  assert.equal(page.patience, 10000);
  await page.answer(answerOf({ seq: 6 }));
  assert.deepEqual(page.words, []);
});

test("several taps are sent one after the other, in order, each on top of the one before", async () => {
  const page = openPage({ seq: 5 });
  await page.tap("one");
  await page.fail();
  await page.tap("two");
  await page.tap("three");
  assert.deepEqual(page.words, ["one", "two", "three"]);
  await page.tell("online");
  assert.equal(page.asked.length, 2);
  for (const [seq, event] of [["5", "one"], ["6", "two"], ["7", "three"]]) {
    assert.deepEqual(sent(page.asked.at(-1)), { seq, event });
    page.seq = Number(seq) + 1;
    await page.answer(answerOf({ seq: page.seq }));
  }
  assert.deepEqual(page.words, []);
});

test("while an answer is on its way no other tap is taken, until it is late", async () => {
  const page = openPage();
  await page.tap("one");
  await page.tap("two");
  assert.deepEqual(page.words, ["one"]);
  await pass(2500);
  await page.tap("two");
  assert.deepEqual(page.words, ["one", "two"]);
});

test("where a step waits, nothing else is taken for it; what belongs to no step is", async () => {
  const page = openPage();
  await page.tap("Anna: Par", { due: true });
  await page.fail();
  await page.tap("Bo: Färg", { due: true });
  assert.deepEqual(page.words, ["Anna: Par"]);
  assert.deepEqual(page.hints, ["Anna: Par waits"]);
  assert.equal(page.body.classes.has("past"), true);
  await page.tap("correction");
  assert.deepEqual(page.words, ["Anna: Par", "correction"]);
});

test("an undo takes a tap back that was never sent, and is sent after one that was", async () => {
  const page = openPage();
  await page.tap("tried");
  await page.fail();
  await page.tap("untried");
  await page.undo();
  assert.deepEqual(page.words, ["tried"]);
  await page.undo();
  assert.deepEqual(page.words, ["tried", "↶ tried"]);
  await page.tap("Anna: Par", { due: true });
  assert.deepEqual(page.words, ["tried", "↶ tried", "Anna: Par"]);
  await page.drop(0);
  assert.deepEqual(page.words, ["Anna: Par"]);
});

test("what the server holds is undone without a network but once", async () => {
  const page = openPage();
  await page.undo();
  await page.fail();
  await page.undo();
  assert.deepEqual(page.words, ["Undo"]);
  assert.deepEqual(page.hints, ["Undo waits"]);
});

test("the same again asks whether it happened twice, and is taken then", async () => {
  const page = openPage();
  await page.tap("correction");
  await page.fail();
  await page.tap("correction");
  assert.deepEqual(page.said, ["twice?"]);
  assert.deepEqual(page.words, ["correction"]);
  await page.tap("correction");
  assert.deepEqual(page.words, ["correction", "correction"]);
});

test("why a cell may not be used is only looked at, and kept by nobody", async () => {
  const page = openPage();
  await page.tap("Chicago", { idle: true });
  await page.fail();
  assert.deepEqual(page.words, []);
  assert.deepEqual(page.hints, ["away"]);
  await page.tap("Anna: Par");
  await page.fail();
  await page.tap("Chicago", { idle: true });
  assert.deepEqual(page.words, ["Anna: Par"]);
});

test("what is refused at once is said and gone", async () => {
  const page = openPage();
  await page.tap("Anna: Par");
  await page.answer(answerOf({ seq: 5, said: "No." }, 422));
  assert.deepEqual(page.said, ["No."]);
  assert.deepEqual(page.words, []);
});

async function refusedLate() {
  const page = openPage({ seq: 5 });
  await page.tap("one");
  await page.fail();
  await page.tap("two");
  await page.tell("online");
  page.seq = 8;
  await page.answer(answerOf({ seq: 8, said: "Stale." }, 409));
  return page;
}

test("what is refused after a wait is the person's to decide, and nothing goes by itself", async () => {
  const page = await refusedLate();
  assert.equal(page.kept.why, "Stale.");
  assert.equal(page.box.open, true);
  await pass(60000);
  await page.tell("online");
  await page.tap("three");
  assert.equal(page.asked.length, 2);
  assert.deepEqual(page.words, ["one", "two"]);
});

test("it can be sent on top of what is seen now", async () => {
  const page = await refusedLate();
  await page.sendAnyway();
  assert.deepEqual(sent(page.asked.at(-1)), { seq: "8", event: "one" });
  page.seq = 9;
  await page.answer(answerOf({ seq: 9 }));
  assert.deepEqual(sent(page.asked.at(-1)), { seq: "9", event: "two" });
});

test("it can be dropped one by one, or all of it", async () => {
  const page = await refusedLate();
  await page.drop(1);
  assert.deepEqual([page.words, page.kept.why], [["one"], "Stale."]);
  await page.drop(0);
  assert.deepEqual(page.kept, { entries: [], why: "" });
  const other = await refusedLate();
  await other.dropAll();
  assert.deepEqual(other.kept, { entries: [], why: "" });
});

test("what waited is there on the page that is opened next, and sent from it", async () => {
  const storage = new Storage();
  const first = openPage({ storage });
  await first.tap("Anna: Par");
  await first.fail();
  const again = openPage({ storage, seq: 7 });
  assert.equal(again.box.hidden, false);
  await again.tell("pageshow");
  assert.deepEqual(sent(again.asked[0]), { seq: "5", event: "Anna: Par" });
});

test("where nothing can be stored it lives as long as the page", async () => {
  const storage = new Storage();
  storage.setItem = storage.getItem = () => { throw new Error("no room"); };
  const page = openPage({ storage });
  await page.tap("Anna: Par");
  await page.fail();
  assert.equal(page.box.hidden, false);
  await pass(1000);
  assert.deepEqual(sent(page.asked[1]), { seq: "5", event: "Anna: Par" });
});
