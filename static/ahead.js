// Boards ahead: while taps wait for a network, the step that follows on them is offered all the same. The
// score keeper has said beforehand which board each fact leads to, and what only scores decide is not.

// The table as the score keeper has shown it last.
let base;

const digits = (part) => Number(part.textContent.replace(/\D/g, ""));

async function fetchBoards() {
  const board = find("#table")?.dataset.board;
  if (!board || boards?.boards[board]) return;
  boards = await fetch(`${table}/ahead`).then((answer) => answer.json()).catch(() => boards);
  render();
}

// The table as it was shown last, with what waits in its place.
function draw() {
  const now = find("#table"), stood = now.matches(".ahead");
  list();
  here = undefined;
  next = "";
  if (!waiting && !stood) return;
  if (!stood) base = now.outerHTML;
  const page = parse(base, "#table"), open = entries.filter(({ seq }) => seq >= page.dataset.seq);
  if (waiting) here = boards?.boards[page.dataset.board];
  if (here && open.some(({ moves }) => moves)) fill(page, leadFrom(page, open));
  else if (!stood) return;
  swap(page.outerHTML);
}

// Where the waiting taps lead; nobody knows where what changes more than a step does.
function leadFrom(page, open) {
  const at = {
    board: here,
    deal: digits(find(".where b", page)),
    turn: all(".head:not(.frozen)", page).findIndex((head) => find(".deals", head)),
    marks: [],
  };
  let rooms = all(".score", page).map((score) => boards.target - digits(score));
  for (const { fields, moves } of open) {
    const [key, endsDeal, risky, gains = [], mark = ""] = here?.leads[new Map(fields).get("event")] ?? [];
    if (here && moves) at.marks.push([at.deal, here.now, mark]);
    rooms = rooms.map((room, seat) => room - gains[seat]);
    here = risky && Math.min(...rooms) <= 0 ? undefined : boards.boards[key];
    if (here) Object.assign(at, { board: here, deal: at.deal + endsDeal, turn: at.turn + endsDeal });
  }
  return at;
}

function fill(page, { board, deal, turn, marks }) {
  const written = (words) => words.replace("{deal}", () => deal);
  const there = parse(written(board.html.replace("{turn}", () => boards.turns[turn % boards.turns.length])), "body");
  const strip = all(".strip li", there);
  if (marks[0][0] === deal) all(".strip li", page).forEach(({ innerHTML }, place) => { strip[place].innerHTML = innerHTML; });
  for (const [of, place, mark] of marks) if (of === deal) strip[place].innerHTML += mark;
  for (const part of [".top", ".board"]) find(part, page).replaceWith(find(part, there));
  page.className = here ? "ahead" : "ahead shut";
  delete page.dataset.sheets;
  next = written(here ? board.next : boards.unknown);
}

// Each that waits can be taken back.
function list() {
  find("ul", box).replaceChildren(...(waiting && boards ? entries : []).map(({ words }, place) => {
    const item = parse("<li><button></button></li>", "li"), button = find("button", item);
    const more = entries.length - left(place).length - 1;
    button.textContent = more ? boards.more.replace("{count}", () => more) : boards.back;
    button.addEventListener("click", () => takeBack(place));
    item.prepend(words);
    return item;
  }));
}

// A step needs the steps before it; a correction is needed by none.
const left = (from) => entries.filter((entry, place) => (
  place < from || (place > from && !(entries[from].moves && entry.moves))));

function takeBack(from) {
  if (!from) sending?.request.abort();
  const first = entries[0].seq;
  keep(left(from).map((entry, place) => ({ ...entry, seq: first + place })));
}

if (find("#unsent")) {
  redraw = draw;
  afterSwap(() => find("#table.ahead") || render());
  // Without an answer undo takes back what waits, and no link leads anywhere but to a sheet that is here.
  on("click", (event) => {
    const way = event.target.closest("a[href]:not([data-close]), .undo");
    if (!way || !waiting || (way.matches("[data-sheet]") && sheetsAhead())) return;
    stop(event);
    if (way.matches(".undo")) takeBack(entries.length - 1);
    else hint(away);
  }, true);
  render();
}
