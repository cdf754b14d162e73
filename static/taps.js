// A tap is one tap: a finger that bounces writes nothing twice, and the cell shows that it counted.

// Milliseconds in which the same spot was hit by the same tap, where the table may have other cells
// by then; in which the same fact is asked about; and for which the new fact is marked.
const BOUNCE = 1000;
const SOON = 3000;
const MARKED = 700;
let spot, tapped = {};

const since = (moment) => Date.now() - moment?.when;

on("click", (event) => {
  const { target, detail, clientX: x, clientY: y } = event;
  if (!detail || !target.closest("#table .cell")) return;
  if (since(spot) < BOUNCE && Math.hypot(x - spot.x, y - spot.y) < 24) return stop(event);
  spot = { x, y, when: Date.now() };
}, true);

on("submit", (event) => {
  const what = event.submitter?.matches(".cell") && event.submitter.value;
  if (what && what === tapped.what && since(tapped) < SOON && facts() > tapped.facts) {
    stop(event);
    settle();
    hint(document.body.dataset.again);
    tapped = {};
    return;
  }
  tapped = { what, when: Date.now(), facts: facts() };
  // A finger feels that it was taken.
  if (what) navigator.vibrate?.(10);
}, true);

afterSwap(() => {
  if (!(since(tapped) < MARKED && facts() > tapped.facts)) return;
  const cell = all("#table .cell[name=event]").find(({ value }) => value === tapped.what);
  cell?.classList.add("done");
  setTimeout(() => cell?.classList.remove("done"), MARKED);
});
