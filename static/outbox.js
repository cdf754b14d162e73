// Outbox: a tap without an answer waits on the phone exactly as it was sent, and is sent again, in
// order, until the score keeper has said yes or no; it knows a tap that it has already.
"use strict";

const box = find("#unsent");
const KEY = `unsent:${box.dataset.unsent}`;
const EMPTY = { entries: [], why: "" };
// Milliseconds: an answer that takes so long is told as missing; and is then waited for no longer.
const SLOW = 2500;
const PATIENCE = 10000;
// What is only looked at comes sooner, or not now.
const LOOK = 4000;
// Refused as they came, too slowly or too often: the same again may well be taken.
const LATER = [408, 429];
let outbox = EMPTY;
let waiting = false;
let failures = 0;
let retry, active;

// Where nothing can be stored, what waits lives as long as the page.
function load() {
  try {
    outbox = JSON.parse(localStorage.getItem(KEY)) ?? EMPTY;
  } catch { /* As it is. */ }
  render();
}

function keep(entries, why = "") {
  outbox = { entries, why };
  waiting &&= entries.length > 0;
  try {
    if (entries.length) localStorage.setItem(KEY, JSON.stringify(outbox));
    else localStorage.removeItem(KEY);
  } catch { /* As long as the page. */ }
  render();
}

// Once a tap waits that moves the table on, nothing is taken for a step that cannot be seen.
function holdsBack() {
  const first = !outbox.why && outbox.entries.find(({ moves }) => moves);
  if (first) hint(box.dataset.next.replace("{what}", first.words));
  return Boolean(first);
}

document.addEventListener("htmx:config:request", (event) => {
  const { request, target, sourceElement } = event.detail.ctx;
  if (request.method === "GET") request.timeout = LOOK;
  const button = request.submitter ?? sourceElement;
  // The reason why a cell may not be used is only looked at.
  if (target?.id !== "table" || request.method !== "POST" || button.ariaDisabled) return;
  event.preventDefault();
  if (button !== active) button.classList.remove("pending");
  if (outbox.why) hold();
  // While an answer is on its way, the table is not yet the one that a further tap is meant for.
  else if (waiting || !sending) take(request, button);
});

// Nothing more is taken before somebody has seen what was not written.
function hold() {
  closeSheet();
  box.open = true;
  find("button", box).focus();
}

function take(request, button) {
  const due = Boolean(button.closest("[data-due]")) || request.action.endsWith("/undo");
  if (due && holdsBack()) return;
  const last = outbox.entries.at(-1);
  const from = button.closest("#ask") ? Number(new Map(request.body).get("seq")) : seen();
  // Each tap follows on the one before it; whatever else comes between makes them stale.
  const seq = last ? last.seq + 1 : from;
  keep([...outbox.entries, {
    seq,
    action: request.action,
    fields: [...request.body].map(([name, value]) => [name, name === "seq" ? seq : value]),
    words: worded(button, request.form),
    moves: due || "moves" in button.dataset,
  }]);
  if (last) return closeSheet();
  active = button;
  button.classList.add("pending");
  pump();
}

function worded(button, form) {
  const label = button.ariaLabel || text(button);
  if (!button.closest("#ask")) return label;
  const title = text(find("#ask h2"));
  const filled = all("input:is(:not([type]), [type=text], :checked)", form)
    .map((input) => (input.checked ? text(input.closest("label")) : input.value));
  // Each answer of a row's sheet says the row already.
  return [label.includes(title) ? label : `${title} – ${label}`, ...filled].join(", ");
}

async function pump() {
  clearTimeout(retry);
  const [head] = outbox.entries;
  if (sending || !head || outbox.why) return;
  sending = true;
  const slow = setTimeout(wait, SLOW);
  const answer = await send(head);
  clearTimeout(slow);
  try {
    if (answer) await answered(head, answer);
    else later();
  } finally {
    sending = false;
    active = undefined;
    settle();
  }
  if (answer) pump();
}

// The answer, or nothing: what a hotel's login page or a weary proxy says is none.
async function send({ action, fields }) {
  try {
    const response = await fetch(action, {
      method: "POST",
      body: new URLSearchParams(fields),
      headers: { "HX-Request": "true" },
      signal: AbortSignal.timeout(PATIENCE),
    });
    const { status } = response;
    const html = await response.text();
    const page = find("#table, .ask", new DOMParser().parseFromString(html, "text/html"));
    return status < 500 && !LATER.includes(status) && page ? { status, html, page } : undefined;
  } catch {
    return undefined;
  }
}

function wait() {
  if (active?.closest("#ask")) closeSheet();
  active = undefined;
  waiting = true;
  render();
}

function later() {
  failures += 1;
  retry = setTimeout(pump, Math.min(15000, 500 * 2 ** failures));
  wait();
}

// Yes: it is off the list. No, at once: said like any refusal. No, after a wait, or when the pen is
// gone: it and those that follow on it are shown as not written, until somebody has seen it.
async function answered({ seq }, { status, html, page }) {
  failures = 0;
  const done = status === 200;
  const late = !done && (waiting || status === 401);
  const said = text(find(".said:not(:empty)", page) ?? find(".said", page));
  if (page.dataset.seq) await fresh(Number(page.dataset.seq), html, done);
  else await ask(true);
  if (page.matches(".ask") && dialog.open && !late) await swap(html, dialog, "innerHTML");
  else say(late ? "" : said);
  if (late) keep(outbox.entries, said || lost);
  else keep(outbox.entries.filter((entry) => entry.seq !== seq));
  box.open ||= late;
}

async function fresh(seq, html, done) {
  if (!(seq < shown())) await swap(html);
  // A sheet that was opened while a tap waited stays, unless what it asks is over.
  if (done && (active || find("#ask [data-due]"))) closeSheet();
  for (const field of all("#ask [name=seq]")) field.value = shown();
}

find("button", box).addEventListener("click", () => {
  box.open = false;
  keep([]);
});

function render() {
  const { entries, why } = outbox;
  const { refused, waits, kept } = box.dataset;
  const open = entries.length > 0 && (waiting || why !== "");
  document.body.classList.toggle("waits", open);
  document.body.classList.toggle("past", open && !why && entries.some(({ moves }) => moves));
  box.hidden = !open;
  find(".count", box).textContent = entries.length;
  const words = entries.map((entry) => entry.words).join(" · ");
  write(`${words} – ${why ? refused : waits}`, find("[role=status]", box));
  find(".why", box).textContent = why || kept;
  find("button", box).hidden = !why;
}

document.addEventListener("htmx:after:swap", render);
document.addEventListener("live", pump);
document.addEventListener("visibilitychange", () => document.hidden || pump());
addEventListener("online", pump);
addEventListener("storage", load);
addEventListener("pageshow", () => {
  load();
  pump();
});
load();
if (outbox.entries.length) wait();
