// Where the focus is. A sheet takes it and gives it back, and Back closes the sheet; arrows move it in
// the grid, and after a change it is where the next fact is.

const dialog = find("#ask");
const CELLS = "[role=grid] .row :is(.cell, [type=radio])";
const MOVES = {
  ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
  Home: [0, -9], End: [0, 9],
};
let held, visible, aloud;

on("htmx:before:swap", () => {
  held = document.activeElement;
  visible = held.matches(":focus-visible");
});
afterSwap(({ detail: { ctx } }) => {
  if (dialog.firstElementChild) showSheet();
  // Why something on the sheet may not be used comes with the table behind it.
  const said = dialog.open && text(find("#said"));
  if (said) announce(said);
  // The focused element may be gone with the table that it belonged to.
  if (held !== document.body) keepFocus();
  rove();
});

function showSheet() {
  // A page that says why there is no sheet is none.
  if (!find(".ask", dialog)) return closeSheet(find(".said", dialog)?.textContent.trim() ?? away);
  if (dialog.open) return;
  announce("");
  aloud = find("#heard").textContent;
  dialog.showModal();
}

function closeSheet(words = "") {
  dialog.close?.();
  dialog.replaceChildren();
  if (words) announce(words);
}

// However it was closed: with Escape the browser does it.
dialog.addEventListener("close", () => {
  dialog.replaceChildren();
  keepFocus();
  // Messages of the table behind the sheet were read out to nobody.
  const told = find("#heard");
  if (told.textContent !== aloud) told.replaceChildren(...told.childNodes);
  if (sheetOf()) history.back();
});
dialog.addEventListener("click", (event) => {
  if (event.target !== dialog && !event.target.closest("[data-close]")) return;
  event.preventDefault();
  closeSheet();
});

// A link that opens a sheet; without scripts, and until all of them are there, it leads to a page.
onTap("[data-sheet]", (way, event) => {
  if (!window.htmx || !dialog.showModal || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  // The due step may be another by now.
  if (way.closest("[data-due]") && holdsBack()) return;
  openSheet(way.getAttribute("href"));
});

// Those fetched ahead that are as good as the table that is shown.
const sheetsAhead = () => find(`.sheets[data-of="${find("#table").dataset.sheets}"]`);

async function openSheet(action) {
  const ahead = find(`[data-at="${action}"]`, sheetsAhead()?.content);
  if (ahead) {
    await swap(ahead.innerHTML, dialog, "innerHTML");
    mean("#ask");
  } else await htmx.ajax("GET", action, { target: dialog });
  // An entry of the history for as long as a sheet is open, and never more than one.
  if (dialog.open) history[sheetOf() ? "replaceState" : "pushState"]({ sheet: action }, "");
}

// Back, forward, a page that is loaded anew or comes back as it was: the history says what is open.
const sheetOf = () => history.state?.sheet;
function follow() {
  if (!sheetOf()) closeSheet();
  else if (!dialog.open && window.htmx) openSheet(sheetOf());
}
addEventListener("popstate", follow);
addEventListener("pageshow", follow);

// Where columns would be too narrow, a row is chosen first; its cells are hidden until then.
const cellsOf = (part) => all(CELLS, part).filter((cell) => cell.offsetParent);
const nearest = (things, place) => things[Math.max(0, Math.min(place, things.length - 1))];

on("keydown", (event) => {
  const { key, target } = event;
  if (key === "Enter" && target.matches("[role=grid] [type=radio]")) target.click();
  if (!MOVES[key] || !target.matches(CELLS) || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const [down, right] = MOVES[key];
  const rows = all("[role=grid] .row").map(cellsOf);
  const row = rows.findIndex((cells) => cells.includes(target));
  nearest(nearest(rows, row + down), rows[row].indexOf(target) + right).focus();
});
on("focusin", ({ target }) => target.matches(CELLS) && rove());

// Tab leads into the grid once, to the cell that had the focus last or has the next fact.
function rove() {
  const { activeElement } = document;
  const entry = activeElement.matches(CELLS) ? activeElement : nextCell();
  for (const cell of all(CELLS)) cell.tabIndex = cell === entry ? 0 : -1;
}

function nextCell() {
  const cells = cellsOf();
  return cells.find((cell) => !cell.matches("[aria-disabled]")) ?? cells[0];
}

function keepFocus() {
  if (document.activeElement !== document.body) return;
  const next = held?.matches(".redo") ? find(".undo") : nextCell() ?? find(".verdict, .bar .go, .bar a");
  // Nothing jumps under a finger.
  next.focus({ preventScroll: !visible });
}

rove();
