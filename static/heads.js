// The heads: facts that found no room are counted, what a tap gave flies there from its cell, and the
// winner's points count up.

// They stand in a second column, which is cut off; all are measured before any is written.
function countFurther() {
  const found = all(".words").map(({ children, offsetLeft, clientWidth, nextElementSibling }) => [
    nextElementSibling,
    [...children].filter((word) => word.offsetLeft >= offsetLeft + clientWidth).length,
  ]);
  for (const [further, out] of found) {
    further.hidden = !out;
    further.textContent = `+${out} …`;
  }
}

// Styles move what is new; from afar it grows in its place.
let from;
on("submit", ({ submitter }) => {
  from = still.matches ? undefined : submitter?.getBoundingClientRect();
}, true);
afterSwap(() => {
  for (const gain of from ? all(".news .difference") : []) {
    const to = gain.parentElement.getBoundingClientRect();
    gain.animate({ translate: [`${from.right - to.right}px ${from.top - to.top}px`, "0 0"] }, 180);
  }
  from = undefined;
});

// For as long as a win shines.
const SHINES = 600;
on("animationstart", ({ animationName, target }) => {
  if (animationName !== "shine") return;
  const points = find(".standing", target).firstChild, words = points.data, began = performance.now();
  requestAnimationFrame(function count(now) {
    const part = Math.min(1, Math.max(0, now - began) / SHINES);
    points.data = words.replace(/\d+/, (sum) => Math.round(sum * part));
    if (part < 1) requestAnimationFrame(count);
  });
});

// Last: what it writes has the heads laid out anew.
countFurther();
afterSwap(countFurther);
addEventListener("resize", countFurther);
