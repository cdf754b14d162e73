// Taps that have no answer yet are kept on the phone and written once, in order, or not at all.
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { answerOf, openPage, sent } from "./page.mjs";
import { settled } from "./stand_ins.mjs";

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setInterval"] });
});

async function pass(wait) {
  mock.timers.tick(wait);
  await settled();
}

test("a tap is sent with what the person saw, and gone once it is written", async () => {
  const page = openPage({ seq: 5 });
  await page.tap("Anna: Par");
  assert.equal(page.asked[0].action, "/t/x/events");
  assert.deepEqual(sent(page.asked[0]), { seq: "5", event: "Anna: Par" });
  assert.deepEqual(page.words, ["Anna: Par"]);
  assert.equal(page.box.hidden, true);
  await page.answer(answerOf({ seq: 6 }));
  assert.deepEqual(page.words, []);
  assert.equal(page.shown.seq, 6);
});

test("without an answer it waits in sight, and is sent again as it was", async () => {
  const page = openPage({ seq: 5 });
  await page.tap("Anna: Par");
  await page.fail();
  assert.equal(page.box.hidden, false);
  assert.equal(page.shownWords, "Anna: Par – waits");
  page.seq = 9;
  for (const before of [1, 2]) {
    await pass(2999);
    assert.equal(page.asked.length, before);
    await pass(1);
    assert.equal(page.asked.length, before + 1);
    assert.deepEqual(sent(page.asked.slice(-1)[0]), { seq: "5", event: "Anna: Par" });
    await page.fail();
  }
  await page.dispatch("live");
  assert.equal(page.asked.length, 4);
  await page.answer(answerOf({ seq: 6 }));
  assert.deepEqual(page.words, []);
  assert.equal(page.box.hidden, true);
});

for (const [what, answer] of [
  ["a database that is locked", answerOf({ said: "Out of order." }, 503)],
  ["a server that is asked too often", answerOf({ said: "A lot at once." }, 429)],
  ["a server that got it too slowly", answerOf({ said: "Too long." }, 408)],
  ["a hotel's login page", { ...answerOf({ said: "Welcome!" }), headers: new Map() }],
]) {
  test(`no answer is ${what}`, async () => {
    const page = openPage();
    await page.tap("Anna: Par");
    await page.answer(answer);
    assert.deepEqual(page.words, ["Anna: Par"]);
    assert.equal(page.shown, undefined);
    await pass(3000);
    assert.equal(page.asked.length, 2);
  });
}

test("several taps are sent one after the other, in order, each on top of the one before", async () => {
  const page = openPage({ seq: 5 });
  await page.tap("one");
  await page.fail();
  await page.tap("two");
  await page.tap("three");
  assert.deepEqual(page.words, ["one", "two", "three"]);
  await page.dispatch("live");
  assert.equal(page.asked.length, 2);
  for (const [seq, event] of [["5", "one"], ["6", "two"], ["7", "three"]]) {
    assert.deepEqual(sent(page.asked.slice(-1)[0]), { seq, event });
    page.seq = Number(seq) + 1;
    await page.answer(answerOf({ seq: page.seq }));
  }
  assert.deepEqual(page.words, []);
});

test("a phone that has the table itself keeps nothing, but sends what waited before", async () => {
  const storage = {};
  const before = openPage({ storage, seq: 5 });
  await before.tap("Anna: Par");
  await before.fail();
  const page = openPage({ storage, seq: 5, held: "x" });
  await page.tap("Bo: Par");
  assert.deepEqual(page.words, ["Anna: Par", "Bo: Par"]);
  await page.dispatch("live");
  for (const seq of ["5", "6"]) {
    assert.equal(sent(page.asked.slice(-1)[0]).seq, seq);
    await page.answer(answerOf({ seq: Number(seq) + 1 }));
  }
  await page.tap("Cilla: Par");
  assert.deepEqual([page.asked.length, page.words], [3, []]);
  await page.fail();
  await pass(60000);
  assert.deepEqual([page.asked.length, page.words, page.box.hidden], [3, [], true]);
});

test("where a step waits, nothing else is taken for it; what belongs to no step is", async () => {
  const page = openPage();
  await page.tap("Ca$$h: Par", { due: true });
  await page.fail();
  await page.tap("Bo: Färg", { due: true });
  assert.deepEqual(page.words, ["Ca$$h: Par"]);
  assert.deepEqual(page.hints, ["Ca$$h: Par – waits"]);
  await page.tap("correction");
  assert.deepEqual(page.words, ["Ca$$h: Par", "correction"]);
});

test("why a cell may not be used is only looked at, and asked as any page is", async () => {
  const page = openPage();
  await page.tap("Chicago", { idle: true });
  assert.deepEqual([page.asked.length, page.words], [1, []]);
});

test("what is refused at once is said and gone, where it was asked for", async () => {
  const page = openPage();
  await page.tap("Anna: Par", { sheet: true });
  await page.answer(answerOf({ said: "No." }, 422));
  assert.deepEqual(page.shown, { said: "No.", target: "#ask" });
  assert.deepEqual([page.words, page.closed], [[], 0]);
});

for (const [what, answer] of [["is written", answerOf({ seq: 6 })], ["waits", undefined]]) {
  test(`a sheet whose tap ${what} is closed`, async () => {
    const page = openPage();
    await page.tap("Anna: Par", { sheet: true });
    await page.answer(answer);
    assert.equal(page.closed, 1);
  });
}

test("what is refused after a wait is shown until it is dismissed, and what follows on it too", async () => {
  const page = openPage({ seq: 5 });
  await page.tap("one");
  await page.fail();
  await page.tap("two");
  await page.dispatch("live");
  page.seq = 8;
  await page.answer(answerOf({ said: "Stale." }, 409));
  // The sheet of it may be another by now.
  assert.equal(page.shown.target, "");
  assert.equal(page.kept.why, "Stale.");
  assert.equal(page.shownWords, "one · two – refused: Stale.");
  assert.equal(page.box.open, true);
  await pass(60000);
  await page.dispatch("live");
  await page.tap("three");
  assert.equal(page.asked.length, 2);
  assert.deepEqual(page.words, ["one", "two"]);
  page.dismiss();
  assert.deepEqual(page.kept, { entries: [], why: "" });
  assert.equal(page.box.hidden, true);
  await page.tap("three");
  assert.deepEqual(sent(page.asked[2]), { seq: "8", event: "three" });
});

test("what comes too late for the pen is shown as well, also when it was answered at once", async () => {
  const page = openPage();
  await page.tap("Anna: Par");
  await page.answer(answerOf({ said: "The pen is gone." }, 401));
  assert.equal(page.kept.why, "The pen is gone.");
});

test("what waited is there on the page that is opened next, and sent from it", async () => {
  const storage = {};
  const first = openPage({ storage });
  await first.tap("Anna: Par");
  await first.fail();
  const again = openPage({ storage, seq: 7 });
  assert.equal(again.box.hidden, false);
  await pass(3000);
  assert.deepEqual(sent(again.asked[0]), { seq: "5", event: "Anna: Par" });
});

test("where nothing can be stored it lives as long as the page", async () => {
  const storage = new Proxy({}, { set() { throw new Error("no room"); } });
  const page = openPage({ storage });
  await page.tap("Anna: Par");
  await page.fail();
  assert.equal(page.box.hidden, false);
  await pass(3000);
  assert.deepEqual(sent(page.asked[1]), { seq: "5", event: "Anna: Par" });
});

test("where there is no room any more taps still wait in order", async () => {
  const full = () => { throw new DOMException("full", "QuotaExceededError"); };
  const page = openPage({ storage: new Proxy({ "unsent:/t/x": "{}" }, { set: full }), seq: 5 });
  await page.tap("Anna: Par");
  await page.fail();
  await page.tap("Bo: Par");
  assert.equal(page.shownWords, "Bo: Par – waits");
  assert.equal(page.asked.length, 1);
  await pass(3000);
  await page.answer(answerOf({ seq: 6 }));
  assert.deepEqual(sent(page.asked[2]), { seq: "6", event: "Bo: Par" });
});
