// The screen stays on while a game is written down, and on a large screen that shows one.
// No phone is as wide, upright or on its side.
const LARGE = matchMedia("(min-width: 60rem)");
let awake;
async function stayAwake() {
  if (document.hidden || !navigator.wakeLock) return;
  const playing = find("#table .board, #middle") || (LARGE.matches && find(".follow"));
  if (!playing) {
    await awake?.release();
  } else if (awake?.released !== false) {
    awake = await navigator.wakeLock.request("screen").catch(() => undefined);
  }
}
stayAwake();

// Where no script may: once a deal is over, a line leads to how a person can.
const dark = find("#dark"), atFirst = find(".where b")?.textContent;
afterSwap(() => {
  if (dark && find(".where b").textContent !== atFirst) dark.hidden = false;
});
on("visibilitychange", stayAwake);
afterSwap(stayAwake);
