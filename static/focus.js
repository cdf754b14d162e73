// Where the focus is. A sheet takes it and gives it back, and Back closes the sheet; arrows move it in
// the grid, and after a change it is where the next fact is.

const dialog = find("#ask");
const CELLS = "[role=grid] .row :is(.cell, [type=radio])";
const MOVES = {
  ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
  Home: [0, -9], End: [0, 9],
};
// The column that is moved along, also past rows that have fewer cells.
let column = 0;
let held, visible, aloud, entry;

// Cells that are as they were are left alone, with all that a change makes of the others.
document.addEventListener("htmx:before:swap", ({ detail: { tasks } }) => {
  held = document.activeElement;
  visible = held.matches(":focus-visible");
  const part = held.closest("[role=grid] [id^=row-]");
  for (const { fragment } of tasks) {
    leaveOut(all(CELLS, fragment));
    // Where a focused cell is removed, all that is half swapped would be laid out.
    if (part && find("#table", fragment) && !find(`#${part.id}`, fragment)) held.blur();
  }
});
afterSwap(({ detail: { ctx } }) => {
  if (ctx.target === dialog) showSheet(ctx.request);
  // Why something on the sheet may not be used comes with the table behind it.
  const said = dialog.open && text(find("#said"));
  if (said) announce(said);
  // The focused element may be gone with the table that it belonged to.
  if (held !== document.body) keepFocus();
  rove(document.activeElement);
});

const sheetOf = () => history.state?.sheet;
function showSheet(request) {
  // A page that says why there is no sheet is none.
  if (!find(".ask", dialog)) return closeSheet(find(".said", dialog)?.textContent.trim() ?? away);
  // An entry of the history for as long as a sheet is open, and never more than one.
  if (request?.method === "GET") {
    history[sheetOf() ? "replaceState" : "pushState"]({ sheet: request.action }, "");
  }
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
  const ahead = sheetsAhead();
  const text = ahead && find(`[data-at="${action}"]`, ahead.content)?.innerHTML;
  if (!text) return htmx.ajax("GET", action, { target: dialog });
  await swap(text, dialog, "innerHTML", { method: "GET", action });
  renewSheet();
}

// The sheet that is open is about the table as it is now.
function renewSheet() {
  for (const field of all("#ask [name=seq]")) field.value = shown();
}

// Back, forward, a page that is loaded anew or comes back as it was: the history says what is open.
function follow() {
  if (!sheetOf()) closeSheet();
  else if (!dialog.open && window.htmx) openSheet(sheetOf());
}
addEventListener("popstate", follow);
addEventListener("pageshow", follow);

// Where columns would be too narrow, a row is chosen first; its cells are hidden until then.
const cellsOf = (row) => all(CELLS, row).filter((cell) => cell.offsetParent);
const rowsOfCells = () => all("[role=grid] .row").map(cellsOf);
const nearest = (things, place) => things[Math.max(0, Math.min(place, things.length - 1))];

document.addEventListener("keydown", (event) => {
  const [down, right] = MOVES[event.key] ?? [];
  if (event.key === "Enter" && event.target.matches("[role=grid] [type=radio]")) event.target.click();
  const rows = rowsOfCells();
  const row = rows.findIndex((cells) => cells.includes(event.target));
  if (down === undefined || row < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  nearest(nearest(rows, row + down), right ? rows[row].indexOf(event.target) + right : column).focus();
});
document.addEventListener("focusin", ({ target }) => {
  const row = target.closest("[role=grid] .row");
  if (!row || target === entry) return;
  if (!row.matches(".wide")) column = cellsOf(row).indexOf(target);
  rove(target);
});

// Tab leads into the grid once, to the cell that had the focus last or has the next fact.
function rove(to) {
  if (entry) entry.tabIndex = -1;
  entry = to?.closest("[role=grid]") ? to : nextCell();
  if (entry) entry.tabIndex = 0;
}

function leaveOut(cells) {
  for (const cell of cells) cell.tabIndex = -1;
}

// In the same column, else wherever there is an open cell.
function nextCell() {
  const rows = rowsOfCells();
  const cells = [...rows.map((row) => nearest(row, column)), ...rows.flat()];
  return cells.find((cell) => !cell.matches("[aria-disabled]")) ?? cells[0];
}

function keepFocus() {
  if (document.activeElement !== document.body) return;
  const next = held?.matches(".redo") ? find(".undo") : nextCell() ?? find(".verdict, .bar .go, .bar a");
  // Nothing jumps under a finger.
  next.focus({ preventScroll: !visible });
}

leaveOut(all(CELLS));
rove();
