// Boards ahead: while taps wait for a network, the step that follows on them is offered all the same. The
// score keeper has said beforehand which board each fact leads to, and what only scores decide is not.

let base;
let drawing = false;

const NOWHERE = {};
const digits = (part) => Number(part.textContent.replace("−", "-").replace(/[^\d-]/g, () => ""));
const stepsDue = (page) => all(".strip li", page).map((step, place) => (step.matches(".now") ? place : "")).join("");
// What tells boards apart, with who plays Chicago. Whether a sheet of bids is there depends on scores.
const cellsOf = (page) => [
  ...all(".board .cell:not([href*='/row/']), .whom .heard", page),
  ...all(".head .plays", page).map((word) => find(".name bdi", word.closest(".head"))),
].map((part) => part.value || (part.getAttribute("href") ?? part.textContent)).join();

async function fetchBoards() {
  if (!find("#table .board") || boards?.turns.length === all("#table .head:not(.frozen)").length) return;
  const found = await fetch(`${table}/ahead`).then((answer) => answer.json()).catch(() => {});
  if (!found) return;
  boards = found;
  draw();
}

// Where the table stands as the score keeper has shown it last.
function begin(page) {
  const told = text(find("#heard", page)), due = stepsDue(page), stand = cellsOf(page);
  const turn = boards.dealers.indexOf(find(".where bdi", page).textContent);
  // Who deals may have left.
  if (turn < 0) return NOWHERE;
  return {
    board: boards.boards.find(({ asks, now, cells }) => now === due && cells === stand && told.endsWith(asks)),
    deal: digits(find(".where b", page)),
    turn,
    rooms: all(".score", page).map((score) => boards.target - Math.max(0, digits(score))),
  };
}

// Where a waiting tap leads from there; nobody knows where what changes more than a step does.
function leadFrom(at, entry) {
  const event = new Map(entry.fields).get("event");
  if (event === "correction") return { ...at, rooms: [0] };
  const [place, endsDeal, risky, gains, who] = at.board?.leads[event] ?? [];
  if (!gains) return NOWHERE;
  const rooms = at.rooms.map((room, seat) => room - gains[seat]);
  if (risky && Math.min(...rooms) <= 0) return { who };
  return { board: boards.boards[place], deal: at.deal + endsDeal, turn: at.turn + endsDeal, rooms, who };
}

// The table as it was shown last, with what waits in its place.
async function draw() {
  const now = find("#table"), stood = now.matches(".ahead");
  here = undefined;
  document.body.classList.toggle("past", waiting && !why && entries.some(({ moves }) => moves));
  list();
  if (!waiting && !stood) return;
  if (!stood) base = now.outerHTML;
  const page = parse(base, "#table"), steps = [];
  let at = waiting && !why && boards && find(".board", page) ? begin(page) : NOWHERE;
  for (const entry of entries.filter(({ seq }) => seq >= Number(page.dataset.seq))) {
    const from = at;
    at = leadFrom(from, entry);
    if (from.board) steps.push({ entry, from, who: at.who });
  }
  here = at.board;
  // A correction alone leaves the board as it is.
  if (steps.some(({ entry }) => entry.moves)) {
    fill(page, at.board ? at : steps[steps.length - 1].from, steps);
  } else if (!stood) return;
  drawing = true;
  await swap(page.outerHTML);
  drawing = false;
}

function fill(page, { board, deal, turn }, steps) {
  page.classList.add("ahead");
  delete page.dataset.sheets;
  find(".where > :first-child", page).innerHTML = boards.turns[turn % boards.turns.length].replace("{deal}", () => deal);
  const there = parse(board.html, "body");
  find(".asks, .sums", page).replaceWith(find(".asks", there));
  find(".board", page).replaceWith(find(".board", there));
  for (const old of all(".moment, .difference, .deals", page)) old.remove();
  const strip = all(".strip li", page);
  strip.forEach((step, place) => {
    step.className = board.now.includes(place) ? "now" : place < Number(board.now[0]) ? "past" : "ahead";
    if (steps[0].from.deal !== deal) step.textContent = text((find("a", step) ?? step).firstChild);
  });
  for (const { entry, from, who } of steps) {
    const mark = Object.assign(document.createElement("em"), { textContent: who });
    if (entry.moves && from.deal === deal) strip[from.board.now.slice(-1)].append(mark);
  }
  const { moment, unknown } = boards.words;
  const next = here ? moment.replace("{deal}", () => deal).replace("{step}", () => board.step) : unknown;
  const said = find("[role=status]", box);
  if (!said.textContent.endsWith(next)) said.append(` · ${next}`);
  page.classList.toggle("shut", !here);
}

// Each that waits can be taken back.
function list() {
  const items = boards && !why ? entries.map(({ words }, place) => {
    const item = document.createElement("li"), button = document.createElement("button");
    const more = entries.length - left(place).length - 1;
    const and = more ? ` ${boards.words.more.replace("{count}", () => more)}` : "";
    button.textContent = boards.words.back + and;
    button.addEventListener("click", () => takeBack(place));
    item.append(words, button);
    return item;
  }) : [];
  find("ul", box).replaceChildren(...items);
}

// A step needs the steps before it; a correction is needed by none.
const left = (from) => entries.filter((entry, place) => (
  place < from || (place > from && !(entries[from].moves && entry.moves))));

function takeBack(from) {
  if (!from) flight?.abort();
  const first = entries[0].seq;
  keep(left(from).map((entry, place) => {
    const seq = first + place;
    return { ...entry, seq, fields: entry.fields.map(([name, value]) => [name, name === "seq" ? `${seq}` : value]) };
  }));
}

function goOn() {
  find(".why", box).insertAdjacentHTML("afterend", "<ul></ul>");
  document.addEventListener("unsent", draw);
  afterSwap(({ detail: { ctx } }) => {
    if (drawing || ctx.target.id !== "table") return;
    // Others may have agreed on something else.
    if (!sending) boards = undefined;
    draw();
  });
  document.addEventListener("htmx:config:request", (event) => {
    const { action, method } = event.detail.ctx.request;
    if (method !== "GET" && !action.endsWith("/events")) boards = undefined;
  }, true);
  // Without an answer undo takes back what waits, and no link leads anywhere but to a sheet that is here.
  document.addEventListener("click", (event) => {
    const way = event.target.closest("a[href]:not([data-close]), .undo");
    if (!way || !waiting || why || (way.matches("[data-sheet]") && sheetsAhead())) return;
    stop(event);
    if (way.matches(".undo")) takeBack(entries.length - 1);
    else hint(away);
  }, true);
  draw();
}
if (find("#unsent")) goOn();
