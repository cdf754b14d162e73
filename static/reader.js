// Readers are not disturbed: parts that a change does not touch stay as and where they are.
const deals = (within) => all("#follow .sheet > details", within);
const number = (deal) => Number(deal.id.slice("deal-".length));
const chainOf = (within) => find("#follow", within).dataset.chain.split(" ").map((each) => each.split("."));
const topOf = (part) => part.getBoundingClientRect().top;
const PARTS = ".own, .top, .head, :is(.own, .whose, .rights, .top, .head) > *, .facts, .names, .sheet > details, .older, #curve, .who";
const known = new Map();
let places, anchor;

// Details that somebody opened or closed here stay so.
htmx.config.morphIgnore.push("open");

function learn(within) {
  for (const [deal, link] of chainOf(within)) known.set(deal, link);
}
learn(document);

document.addEventListener("htmx:before:swap", ({ detail: { tasks } }) => {
  const { fragment } = tasks.find((task) => find("#follow", task.fragment)) ?? {};
  if (!fragment) return;
  anchor = reading();
  places = new Map(all(PARTS).map((part) => [part, topOf(part)]));
  const same = isSame(fragment);
  if (!same) known.clear();
  learn(fragment);
  if (same) keepOlder(fragment);
});

afterSwap(() => {
  // A sheet that opens over the table moves nothing.
  if (!places) return;
  if (anchor) scrollBy({ top: topOf(anchor.read) - anchor.top, behavior: "instant" });
  glide();
  places = undefined;
});

// Of the deals before the newest, the one in the middle of the screen stays in its place. Browsers
// anchor at the edge, if at all, and that is where a deal begins or ends.
function reading() {
  // A reader who has not scrolled reads the newest.
  const part = scrollY && document.elementFromPoint(innerWidth / 2, innerHeight / 2);
  const read = part && part.closest(".sheet > details:not(:first-of-type), #curve, .who");
  return read && { read, top: topOf(read) };
}

// Nothing jumps: a moved element glides to its place, also while it glides still, and a new one
// fades in; so do all where motion is reduced.
function glide() {
  const parts = all(PARTS);
  const moved = new Map(parts.map((part) => [part, places.get(part) - topOf(part)]));
  for (const part of parts) {
    // Within a gliding part, only elements that do not move along with it.
    const by = moved.get(part) - (moved.get(part.parentElement) || 0);
    if (Math.abs(by) < .5) continue;
    const fades = still.matches || isNaN(by);
    const frames = fades ? { opacity: [0, 1] } : { translate: [`0 ${by}px`, "0 0"], composite: "add" };
    part.animate(frames, { duration: 400, easing: "ease-out" });
  }
}

// Whether the deals before those of a message are still as they came.
function isSame(fragment) {
  const [[deal, link]] = chainOf(fragment);
  const names = (within) => text(find(".names", within));
  return names(fragment) === names() && known.get(deal) === link;
}

// A message has the newest deals; those before them stay beneath them.
function keepOlder(fragment) {
  const oldest = deals(fragment).pop();
  const older = deals(document).filter((deal) => number(deal) < number(oldest));
  oldest.after(...older.map((deal) => deal.cloneNode(true)));
}

// As a deal ends, who deals or begins the next one feels it. Nothing is told of what stood there.
const role = () => find(".own")?.dataset.role;
let [had, knew] = [role(), facts()];
afterSwap(() => {
  if (role() && role() !== had && facts() > knew && !still.matches) navigator.vibrate?.(80);
  [had, knew] = [role(), facts()];
});
