// The heads: facts that found no room are counted, and what a tap has changed is seen to change.

// They stand in a second column, which is cut off; all are measured before any is written.
function countFurther() {
  const found = all(".words").map((words) => [
    find(".further", words.parentElement),
    [...words.children].filter((word) => word.offsetLeft - words.offsetLeft >= words.clientWidth).length,
  ]);
  for (const [further, out] of found) {
    further.hidden = !out;
    further.textContent = `+${out} …`;
  }
}

const MOVES_MS = { fly: 180, rise: 240, wipe: 300, fall: 400, shine: 600 };
const centre = (part) => {
  const { left, top, width, height } = part.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
};
const stopped = () => new Set(all(".slot.stop").map(({ parentElement }) => parentElement.id));
const standing = () => new Map(all(".head").map((head) => [head.title, text(find(".score", head))]));
let tappedAt, was;

document.addEventListener("submit", ({ submitter }) => {
  tappedAt = submitter?.matches(".cell") ? centre(submitter) : undefined;
}, true);
document.addEventListener("htmx:before:swap", () => {
  was = { facts: facts(), stopped: stopped(), standing: standing() };
});
afterSwap(() => {
  if (!was || still.matches || !(facts() > was.facts)) return;
  for (const gain of all(".difference")) fly(gain, tappedAt);
  for (const sum of all(".sums b")) move(sum, { translate: ["0 1.5rem", "0"], opacity: [0, 1] }, "rise");
  for (const id of stopped()) {
    if (!was.stopped.has(id)) move(find(`#${id} .slot`), { clipPath: ["inset(0 100% 0 0)", "inset(0)"] }, "wipe");
  }
  for (const head of all(".head")) {
    const score = find(".score", head);
    if (text(score) === "0" && ![undefined, "0"].includes(was.standing.get(head.title))) fall(score);
  }
  for (const { parentElement: won } of all(".ending > .standing")) shine(won, parseInt(was.standing.get(text(find(".why b", won))), 10));
  was = tappedAt = undefined;
});

function move(part, frames, how) {
  part.animate(frames, { duration: MOVES_MS[how], easing: "ease-out" });
}

// From the cell that was tapped to the head; from afar it grows in its place.
function fly(gain, from) {
  const to = centre(gain);
  const begin = from ? `${from[0] - to[0]}px ${from[1] - to[1]}px` : "0 1rem";
  move(gain, { translate: [begin, "0 0"], scale: [1.5, 1] }, "fly");
}

function fall(points) {
  move(points, { translate: ["0 -1.5rem", "0 .25rem", "0"], opacity: [0, 1, 1] }, "fall");
}

// Who has won: the points count up, and shine once.
function shine(won, from) {
  move(won, { clipPath: ["inset(0 50%)", "inset(0)"], filter: ["brightness(1.6)", "none"] }, "shine");
  const written = find(".standing", won).firstChild;
  const words = written.data, to = parseInt(words, 10), began = performance.now();
  const count = (now) => {
    const part = Math.min(1, Math.max(0, now - began) / MOVES_MS.shine);
    written.data = words.replace(/\d+/, () => `${Math.round(from + (to - from) * part)}`);
    if (part < 1) requestAnimationFrame(count);
  };
  if (from < to) requestAnimationFrame(count);
}

// Last: what it writes has the heads laid out anew, and what moves asks where they are.
countFurther();
afterSwap(countFurther);
addEventListener("resize", countFurther);
