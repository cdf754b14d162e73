// Readers are not disturbed: parts that a change does not touch stay as and where they are.
const role = () => find(".news .own")?.dataset.role;
let read, top, had;

on("htmx:before:swap", ({ detail: { tasks } }) => {
  read = reading();
  top = read?.getBoundingClientRect().top;
  had = role();
  for (const { fragment } of tasks) keepOlder(fragment);
});
afterSwap(() => {
  if (read) scrollBy(0, read.getBoundingClientRect().top - top);
  // As a deal ends, who deals or begins the next one feels it.
  if (role() && role() !== had && !still.matches) navigator.vibrate?.(80);
});

// Of the deals before the newest, the one in the middle of the screen stays in its place. Browsers
// anchor at the edge, if at all, and that is where a deal begins or ends.
function reading() {
  // A reader who has not scrolled reads the newest.
  const part = scrollY ? document.elementFromPoint(innerWidth / 2, innerHeight / 2) : null;
  return part?.closest(".sheet > details:not(:first-of-type), #curve, .who");
}

// A message has the newest deals; those before them stay beneath them while they are the same.
function keepOlder(fragment) {
  const oldest = find("#follow .sheet > details:last-child", fragment);
  if (!oldest || find(`#${oldest.id}`)?.dataset.before !== oldest.dataset.before) return;
  oldest.after(...all(`#${oldest.id} ~ details`).map((deal) => deal.cloneNode(true)));
}
