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

// Where a waiting tap leads from there; nobody knows where what changes more than a step does.
function leadFrom({ board, deal, turn, rooms }, { fields }) {
  const [place, endsDeal, risky, gains, mark] = board?.leads[new Map(fields).get("event")] ?? [];
  if (!place) return {};
  const left = rooms.map((room, seat) => room - gains[seat]);
  if (risky && Math.min(...left) <= 0) return { mark };
  return { board: boards.boards[place], deal: deal + endsDeal, turn: turn + endsDeal, rooms: left, mark };
}

// The table as it was shown last, with what waits in its place.
function draw() {
  const now = find("#table"), stood = now.matches(".ahead"), steps = [];
  list();
  here = undefined;
  next = "";
  if (!waiting && !stood) return;
  if (!stood) base = now.outerHTML;
  const page = parse(base, "#table");
  let at = waiting && boards ? {
    board: boards.boards[page.dataset.board],
    deal: digits(find(".where b", page)),
    turn: all(".head:not(.frozen)", page).findIndex((head) => find(".deals", head)),
    rooms: all(".score", page).map((score) => boards.target - digits(score)),
  } : {};
  for (const entry of entries.filter(({ seq }) => seq >= page.dataset.seq)) {
    const from = at;
    at = leadFrom(from, entry);
    if (from.board && entry.moves) steps.push({ from, mark: at.mark });
  }
  here = at.board;
  if (steps.length) fill(page, here ? at : steps[steps.length - 1].from, steps);
  else if (!stood) return;
  swap(page.outerHTML);
}

function fill(page, { board, deal, turn }, steps) {
  const written = (words) => words.replace("{deal}", () => deal);
  const there = parse(written(board.html.replace("{turn}", () => boards.turns[turn % boards.turns.length])), "body");
  const strip = all(".strip li", there);
  if (steps[0].from.deal === deal) all(".strip li", page).forEach(({ innerHTML }, place) => { strip[place].innerHTML = innerHTML; });
  for (const { from, mark } of steps) if (from.deal === deal) strip[from.board.now].innerHTML += mark ?? "";
  for (const part of [".top", ".board"]) find(part, page).replaceWith(find(part, there));
  page.className = here ? "ahead" : "ahead shut";
  delete page.dataset.sheets;
  next = written(here ? board.next : boards.unknown);
}

// Each that waits can be taken back.
function list() {
  find("ul", box).replaceChildren(...(waiting && boards ? entries : []).map(({ words }, place) => {
    const item = document.createElement("li"), button = document.createElement("button");
    const more = entries.length - left(place).length - 1;
    button.textContent = more ? boards.more.replace("{count}", () => more) : boards.back;
    button.addEventListener("click", () => takeBack(place));
    item.append(words, button);
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
  on("unsent", draw);
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
