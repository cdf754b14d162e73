// Outbox: a tap without an answer waits on the phone exactly as it was sent, and is sent again, in
// order, until the score keeper has said yes or no; it knows a tap that it has already.

const box = find("#unsent");
const { unsent } = document.body.dataset;
const KEY = `unsent:${box.dataset.unsent}`;
// Milliseconds: so long an answer is waited for, and so long until the same is sent again.
const PATIENCE = 6000;
const AGAIN = 3000;
// Refused as they came, too slowly or too often: the same again may well be taken.
const LATER = [408, 429];
// The waiting taps, and the reason why they will not be written, which somebody has to see first.
let entries = [], why = "";
let waiting = false;
// Whether the browser keeps them beyond this page.
let stored = true;
let retry, active, flight;
// The boards ahead, and the one that follows on the waiting taps where that is known (static/ahead.js).
let boards, here;

function load() {
  try {
    if (stored) ({ entries, why } = JSON.parse(localStorage.getItem(KEY)) ?? { entries: [], why: "" });
  } catch { /* As long as the page. */ }
  waiting = entries.length > 0;
  render();
}

function keep(left, reason = "") {
  entries = left;
  why = reason;
  waiting &&= left.length > 0;
  try {
    if (left.length) localStorage.setItem(KEY, JSON.stringify({ entries, why }));
    else localStorage.removeItem(KEY);
  } catch {
    stored = false;
  }
  render();
}

// Once a tap waits that leads nobody knows where, nothing is taken for a step that cannot be seen.
function holdsBack() {
  const last = !why && !here && entries.filter(({ moves }) => moves).pop();
  if (last) hint(boards?.words.next.replace("{what}", () => last.words) ?? unsent);
  return last;
}

document.addEventListener("htmx:config:request", (event) => {
  const { request, target, sourceElement } = event.detail.ctx;
  const button = request.submitter ?? sourceElement;
  // The reason why a cell may not be used is only looked at.
  if (target?.id !== "table" || request.method !== "POST" || button.matches("[aria-disabled]")) return;
  event.preventDefault();
  if (button !== active) button.classList.remove("pending");
  // No more taps are taken before somebody has seen those that were not written.
  if (why) {
    closeSheet();
    render();
    find("button", box).focus();
  // While an answer is on its way, the table is not yet the one that a further tap is meant for.
  } else if (waiting || !sending) take(request, button);
});

function take({ action, body, form }, button) {
  const due = Boolean(button.closest("[data-due]")) || action.endsWith("/undo");
  if (due && holdsBack()) return;
  const last = entries[entries.length - 1];
  const from = button.closest("#ask") ? Number(body.get("seq")) : seen();
  // Each tap follows on the one before it; any other change in between makes them stale.
  const seq = last ? last.seq + 1 : from;
  body.set("seq", seq);
  const moves = due || "moves" in button.dataset;
  keep([...entries, { seq, action, fields: [...body], words: worded(button, form), moves }]);
  if (last) return closeSheet();
  active = button;
  button.classList.add("pending");
  pump();
}

function worded(button, form) {
  const label = button.getAttribute("aria-label") || text(button);
  if (!button.closest("#ask")) return label;
  const title = text(find("#ask h2"));
  const filled = all("input:is(:not([type]), [type=text], :checked)", form)
    .map((input) => (input.checked ? text(input.closest("label")) : input.value));
  // Each answer of a row's sheet says the row already.
  return [label.includes(title) ? label : `${title} – ${label}`, ...filled].join(", ");
}

async function pump() {
  clearTimeout(retry);
  const [head] = entries;
  if (sending || !head || why) return;
  sending = true;
  let answer;
  try {
    answer = await send(head);
    if (answer) await answered(head, answer);
    else wait();
  } finally {
    sending = false;
    active = undefined;
    settle();
  }
  if (answer) pump();
}

// The answer, or nothing: a hotel's login page or a proxy's error is none.
async function send({ action, fields }) {
  const stop = flight = new AbortController();
  setTimeout(() => stop.abort(), PATIENCE);
  const options = {
    method: "POST",
    body: new URLSearchParams(fields),
    headers: { "HX-Request": "true" },
    signal: stop.signal,
  };
  const { status, html } = await fetch(action, options)
    .then(async (answer) => ({ status: answer.status, html: await answer.text() }))
    .catch(() => ({}));
  const page = html && parse(html, "#table, .ask");
  return page && status < 500 && !LATER.includes(status) ? { status, html, page } : undefined;
}

function wait() {
  retry = setTimeout(pump, AGAIN);
  if (active?.closest("#ask")) closeSheet();
  waiting = entries.length > 0;
  render();
}

// Yes: it is off the list. No, at once: said like any refusal. No, after a wait, or when the pen is
// gone: it and those that follow on it are shown as not written, until somebody has seen it.
async function answered({ seq }, { status, html, page }) {
  const done = status === 200;
  const late = !done && (waiting || status === 401);
  const said = all(".said", page).map(text).join(" ").trim();
  if (late) keep(entries, said || lost);
  else keep(entries.filter((entry) => entry.seq !== seq));
  if (status === 401) return location.reload();
  if (page.dataset.seq) await show(Number(page.dataset.seq), html);
  else listen();
  if (done && active?.closest("#ask")) closeSheet();
  renewSheet();
  if (page.matches(".ask") && dialog.open && !late) await swap(html, dialog, "innerHTML");
  else announce(late ? "" : said);
}

find(".go", box).addEventListener("click", () => {
  box.open = false;
  keep([]);
});

function render() {
  const { refused, kept } = box.dataset;
  box.hidden = !waiting && !why;
  if (why) box.open = true;
  find(".count", box).textContent = entries.length;
  // Those that wait are in their places; of those that will not be written each is told.
  const told = entries.slice(why ? 0 : -1).map(({ words }) => words);
  write(`${told.join(" · ")} – ${why ? refused : unsent}`, find("[role=status]", box));
  find(".why", box).textContent = why || kept;
  find(".go", box).hidden = !why;
  document.dispatchEvent(new Event("unsent"));
}

document.addEventListener("live", pump);
addEventListener("storage", load);
addEventListener("pageshow", () => {
  load();
  pump();
});
load();
