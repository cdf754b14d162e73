// A tap is one tap: a finger that bounces writes nothing twice, and the cell shows that it counted.

// Milliseconds in which the same spot was hit by the same tap, where the table may have other cells
// by then; in which the same fact is asked about; and for which the new fact is marked.
const BOUNCE = 1000;
const SOON = 3000;
const MARKED = 700;
let spot, tapped = { when: 0 };

document.addEventListener("click", (event) => {
  if (!event.detail || !event.target.closest("#table .cell")) return;
  const now = { x: event.clientX, y: event.clientY, when: Date.now() };
  const near = spot && Math.hypot(now.x - spot.x, now.y - spot.y) < 24;
  if (near && now.when - spot.when < BOUNCE) return stop(event);
  spot = now;
}, true);

document.addEventListener("submit", (event) => {
  const { submitter } = event;
  const now = { what: submitter?.matches(".cell") && submitter.value, when: Date.now(), facts: facts() };
  const same = now.what && now.what === tapped.what && now.facts > tapped.facts;
  if (same && now.when - tapped.when < SOON) {
    stop(event);
    settle();
    hint(document.body.dataset.again);
    tapped = { when: 0 };
    return;
  }
  tapped = now;
  // A finger feels that it was taken.
  if (now.what) navigator.vibrate?.(10);
}, true);

afterSwap(() => {
  if (Date.now() - tapped.when > MARKED || !(facts() > tapped.facts)) return;
  const cell = all("#table .cell[name=event]").find(({ value }) => value === tapped.what);
  cell?.classList.add("done");
  setTimeout(() => cell?.classList.remove("done"), MARKED);
});
