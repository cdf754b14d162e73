// What was tapped and has no answer yet is kept on the phone until the score keeper has said yes or
// no: in order, and each tap exactly as it was sent first, so that it is never booked twice.
"use strict";

const box = find("#unsent");
const KEY = `unsent:${box.dataset.unsent}`;
const NOTHING = { entries: [], why: "" };
// Milliseconds: an answer that takes so long is told as missing; and is then waited for no longer.
const SLOW = 2500;
const PATIENCE = 10000;
// What is only looked at comes sooner, or not now.
const LOOK = 4000;
let waiting = false;
let failures = 0;
let retry, active, asked, memory;

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? structuredClone(NOTHING);
  } catch {
    return memory ?? structuredClone(NOTHING);
  }
}

function keep(state) {
  memory = state.entries.length ? state : undefined;
  try {
    if (memory) localStorage.setItem(KEY, JSON.stringify(state));
    else localStorage.removeItem(KEY);
  } catch {
    // Where nothing can be stored, what is unsent lives as long as the page.
  }
  waiting = waiting && Boolean(memory);
  render();
}

// What is left when each undo has taken back the tap that it was meant for.
const paired = (one, other) => one.of === other.id || other.of === one.id;
const standing = (entries) => entries.filter((one) => !entries.some((other) => paired(one, other)));
const without = (entries, lost) => entries.filter(({ id, of }) => id !== lost && of !== lost);

// The first tap that takes the table on from what is shown: what is due after it is not known here.
const leap = ({ entries }) => standing(entries.filter(({ seq }) => seq >= shown())).find(({ moves }) => moves);

// Nothing is taken for a step that cannot be seen.
function holdsBack() {
  const first = leap(kept());
  if (first) hint(box.dataset.next.replace("{what}", first.words));
  return Boolean(first);
}

// Each tap follows on the one before it; whatever else comes between makes them stale.
function number(entries, first) {
  entries.forEach((entry, place) => { entry.seq = first + place; });
}

document.addEventListener("htmx:config:request", (event) => {
  const { ctx } = event.detail;
  if (ctx.request.method === "GET") ctx.request.timeout = LOOK;
  if (ctx.target?.id !== "table" || ctx.request.method !== "POST") return;
  event.preventDefault();
  const button = ctx.request.submitter ?? ctx.sourceElement;
  const { entries, why } = kept();
  if (button !== active) button.classList.remove("pending");
  if (why) hold();
  // While an answer is on its way, the table is not yet the one that a further tap is meant for.
  else if (waiting || !sending) take(written(ctx, button, entries.at(-1)), entries.at(-1), button);
});

function hold() {
  closeSheet();
  box.open = true;
  find("[data-send]", box).focus();
}

function take(entry, last, button) {
  if (last && !last.tried && entry.undoes) return drop(last.id);
  if (entry.due && holdsBack()) return;
  // The reason why a cell may not be used is only looked at.
  if (last && entry.idle) return hint(away);
  if (last && same(last, entry) && asked !== last.id) {
    asked = last.id;
    return say(document.body.dataset.again);
  }
  const state = kept();
  state.entries.push(entry);
  keep(state);
  if (last) return closeSheet();
  active = button;
  button.classList.add("pending");
  return pump();
}

function written({ request, sourceElement }, button, last) {
  const fields = [...request.body].filter(([name]) => name !== "seq");
  const sheet = sourceElement.closest("#ask");
  const undoes = request.action.endsWith("/undo");
  const top = undoes ? standing(kept().entries).at(-1) : undefined;
  const of = top?.undoes ? undefined : top;
  const due = undoes ? !of : Boolean(button.closest("[data-due]"));
  const from = Number(new Map(request.body).get("seq"));
  return {
    id: `${Date.now()}-${Math.random()}`,
    action: request.action,
    fields,
    words: of ? `↶ ${of.words}` : worded(button, sheet, request.form),
    seq: last ? last.seq + 1 : sheet ? from : seen(),
    idle: button.ariaDisabled === "true",
    tried: false,
    undoes,
    of: of?.id,
    due,
    moves: due || "moves" in button.dataset,
  };
}

function same(one, other) {
  return one.action === other.action && JSON.stringify(one.fields) === JSON.stringify(other.fields);
}

function worded(button, sheet, form) {
  const label = button.ariaLabel || text(button);
  if (!sheet) return label;
  const title = text(find("h2", sheet));
  const filled = all("input:not([type=hidden])", form)
    .filter((input) => input.checked || input.type === "text")
    .map((input) => (input.checked ? text(input.closest("label")) : input.value));
  // Each answer of a row's sheet says the row already.
  return [label.includes(title) ? label : `${title} – ${label}`, ...filled].join(", ");
}

async function pump() {
  clearTimeout(retry);
  const state = kept();
  const [head] = state.entries;
  if (sending || !head || state.why) return;
  sending = true;
  head.tried = true;
  keep(state);
  const slow = setTimeout(wait, SLOW);
  const answer = await send(head);
  clearTimeout(slow);
  try {
    if (answer) await answered(head, answer);
    else later(head);
  } finally {
    sending = false;
    active = undefined;
    settle();
  }
  if (answer) pump();
}

// Refused as they came, too slowly or too often: the same again may well be taken.
const LATER = [408, 429];

// The answer, or nothing: what a hotel's login page or a weary proxy says is none.
async function send({ action, fields, seq }) {
  const body = new URLSearchParams([["seq", seq], ...fields]);
  const headers = { "HX-Request": "true" };
  try {
    const signal = AbortSignal.timeout(PATIENCE);
    const response = await fetch(action, { method: "POST", body, headers, signal });
    const { status } = response;
    const html = await response.text();
    const page = find("#table, .ask", new DOMParser().parseFromString(html, "text/html"));
    return status < 500 && !LATER.includes(status) && page ? { status, html, page } : undefined;
  } catch {
    return undefined;
  }
}

function wait() {
  waiting = true;
  if (active?.closest("#ask")) closeSheet();
  active = undefined;
  render();
}

function later(head) {
  const state = kept();
  if (head.idle && state.entries.length === 1) {
    hint(away);
    return keep(structuredClone(NOTHING));
  }
  failures += 1;
  retry = setTimeout(pump, Math.min(15000, 500 * 2 ** failures));
  wait();
}

// Yes: it is off the list. No, at once: said like any refusal. No, after a wait: the person decides.
async function answered(head, { status, html, page }) {
  failures = 0;
  const done = status === 200;
  // What came too late for the pen is shown on the page that is read on, until it is dropped.
  const late = !done && (waiting || status === 401);
  const said = text(find(".said:not(:empty)", page) ?? find(".said", page));
  if (page.dataset.seq) await fresh(Number(page.dataset.seq), html, done);
  else await ask(true);
  if (page.matches(".ask") && dialog.open && !late) await swap(html, dialog, "innerHTML");
  else say(late ? "" : said);
  const state = kept();
  if (late && standing(state.entries)[0]?.id === head.id) state.why = said;
  else if (late) state.entries = without(state.entries, head.id);
  else state.entries = state.entries.filter((entry) => entry.id !== head.id);
  box.open = Boolean(state.why) || (box.open && state.entries.length > 0);
  keep(state);
}

async function fresh(seq, html, done) {
  if (!(seq < shown())) await swap(html);
  // A sheet that was opened while a tap waited stays, unless what it asks is over.
  if (done && (active || find("#ask [data-due]"))) closeSheet();
  for (const field of all("#ask [name=seq]")) field.value = shown();
}

function drop(id) {
  const state = kept();
  const first = state.entries[0]?.seq;
  state.entries = without(state.entries, id);
  number(state.entries, first);
  if (!state.entries.length) state.why = "";
  keep(state);
  pump();
}

// On the table as it is seen now, and only there.
function sendAnyway() {
  const state = kept();
  number(state.entries, seen());
  state.why = "";
  keep(state);
  wait();
  pump();
}

box.addEventListener("click", (event) => {
  const { drop: id, send: anyway, none } = event.target.dataset;
  if (id) drop(id);
  if (anyway !== undefined) sendAnyway();
  if (none !== undefined) keep(structuredClone(NOTHING));
});

function render() {
  const { entries, why } = kept();
  const open = entries.length > 0 && (waiting || Boolean(why));
  document.body.classList.toggle("waits", open);
  document.body.classList.toggle("past", open && Boolean(leap({ entries })));
  mark(open ? entries : []);
  offerUndo(open);
  box.hidden = !open;
  find(".count", box).textContent = entries.length;
  write(entries.map((entry) => entry.words).join(" · "), find(".words", box));
  find(".why", box).textContent = why ? [why, box.dataset.decide, newest()].join(" ") : box.dataset.kept;
  find(".choice", box).hidden = !why;
  find("ul", box).replaceChildren(...entries.map(line));
}

// The other version: what was written last, beside what was not.
function newest() {
  const last = find("#table .undo small");
  return last ? `${box.dataset.last} ${text(last)}` : "";
}

function line({ id, words }) {
  const item = find("template", box).content.cloneNode(true);
  find("span", item).textContent = words;
  find("button", item).dataset.drop = id;
  return item;
}

// There is something to take back as long as something waits.
function offerUndo(open) {
  const undo = find("#table .undo");
  if (undo && open && undo.ariaDisabled) {
    undo.ariaDisabled = null;
    undo.dataset.idle = "";
  } else if (undo && !open && "idle" in undo.dataset) {
    undo.ariaDisabled = "true";
    delete undo.dataset.idle;
  }
}

function mark(entries) {
  for (const cell of all("#table .cell[name=event]")) {
    const places = entries.flatMap(({ fields }, place) =>
      fields.some(([name, value]) => name === "event" && value === cell.value) ? [place + 1] : []);
    if (places.length) cell.dataset.waits = places.join(" ");
    else delete cell.dataset.waits;
  }
}

document.addEventListener("htmx:after:swap", render);
document.addEventListener("live", pump);
document.addEventListener("visibilitychange", () => document.hidden || pump());
addEventListener("online", pump);
addEventListener("pageshow", pump);
addEventListener("storage", render);
if (kept().entries.length) wait();
