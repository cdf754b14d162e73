// Who follows along reads in peace: what a change does not touch stays, as it is and where it is.
const known = new Map();
const deals = (within) => all("#follow .sheet > details", within);
const number = (deal) => Number(deal.id.slice("deal-".length));
const chainOf = (within) => find("#follow", within).dataset.chain.split(" ").map((each) => each.split("."));

// By its place a column is known as the same, and not by what happens to stand in it.
function learn(within) {
  for (const deal of deals(within)) {
    all(".column", deal).forEach((column, place) => { column.id = `${deal.id}-${place}`; });
  }
  for (const [deal, link] of chainOf(within)) known.set(deal, link);
}
learn(document);

document.addEventListener("htmx:before:swap", ({ detail: { tasks } }) => {
  const { fragment } = tasks.find((task) => find("#follow", task.fragment)) ?? {};
  if (!fragment) return;
  anchor = reading();
  places = new Map(all(PARTS).map((part) => [part, topOf(part)]));
  keepOpen(fragment);
  const same = isSame(fragment);
  if (!same) for (const each of [known, tapped]) each.clear();
  learn(fragment);
  if (same) keepOlder(fragment);
});

// Of what came before the newest deal, whatever is in the middle of the screen stays in its place.
// Browsers do so by what is at the edge, if at all, and that is where a deal begins or ends.
// A screen has no part of a pixel: what is missing is made up for the next time.
let anchor;
let rest = 0;
function reading() {
  // Who has not scrolled reads the newest.
  if (!scrollY) return undefined;
  const part = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
  const read = part?.closest(".sheet > details:not(:first-of-type), #curve, .who");
  return read && { read, top: topOf(read) - rest };
}
document.addEventListener("htmx:after:swap", () => {
  // A sheet that opens over the table moves nothing.
  if (!places) return;
  for (const { style } of all(PARTS)) style.translate = style.opacity = "";
  if (anchor) {
    const moved = () => topOf(anchor.read) - anchor.top;
    scrollBy({ top: moved(), behavior: "instant" });
    rest = Math.abs(moved()) < 1 ? moved() : 0;
    anchor = undefined;
  }
  glide();
});

// Nothing jumps: what a change moves glides to its place, or where nothing is to move by itself,
// fades over there; and what is new comes into view. By hand, frame by frame: browsers take an
// animation that sets out from where the one before has come to for a jump.
const PARTS = ".own, .own > *, .whose > *, .rights > *, .top, .top > *, .field, .head, .head > *, .middle, .newest, .facts, .sheet, .names, .sheet > details, .older, #curve, .who";
const GLIDE = 400;
const topOf = (part) => part.getBoundingClientRect().top;
let places;
let moves = [];
let since, frame;
function glide() {
  const parts = all(PARTS);
  const away = new Map(parts.map((part) => [part, (places.get(part) ?? NaN) - topOf(part)]));
  // Within a part that glides only what that does not bring along.
  moves = parts.map((part) => ({ part, by: away.get(part) - (away.get(part.parentElement.closest(PARTS)) || 0) }))
    .filter(({ by }) => !(Math.abs(by) < .5));
  places = since = undefined;
  cancelAnimationFrame(frame);
  move();
}

// As it was at first, and so it is still shown once: only then does it move.
function move(now) {
  since ??= now;
  const left = now ? Math.max(0, 1 - (now - since) / GLIDE) : 1;
  for (const { part: { style }, by } of moves) {
    const fades = still.matches || isNaN(by);
    if (fades) style.opacity = isNaN(by) ? 1 - left : Math.abs(2 * left - 1);
    const at = fades ? Math.round(left) : left ** 3;
    style.translate = isNaN(by) ? "" : `0 ${by * at}px`;
    if (!left) style.translate = style.opacity = "";
  }
  if (left && moves.length) frame = requestAnimationFrame(move);
}

// What somebody opened or closed here stays so.
const tapped = new Set();
document.addEventListener("click", ({ target }) => {
  if (target.closest("#follow summary")) tapped.add(target.closest("details").id);
});

function keepOpen(fragment) {
  for (const deal of deals(fragment)) {
    if (tapped.has(deal.id)) deal.open = document.getElementById(deal.id)?.open ?? deal.open;
  }
}

// Whether the deals before those of a message are what they were when they came.
function isSame(fragment) {
  const [before] = chainOf(fragment);
  const names = (within) => text(find(".names", within));
  return names(fragment) === names() && known.get(before[0]) === before[1];
}

// A message has the newest deals; those before them stay beneath them.
function keepOlder(fragment) {
  const oldest = deals(fragment).at(-1);
  const older = deals(document).filter((deal) => number(deal) < number(oldest));
  oldest.after(...older.map((deal) => deal.cloneNode(true)));
}
