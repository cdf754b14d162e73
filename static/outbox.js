// Outbox: htmx sends each tap; without an answer it waits on the phone exactly as it was sent, and is sent
// again, in order, until the score keeper has said yes or no; it knows a tap that it has already. A phone
// that has the table itself needs none.

const box = find("#unsent");
const KEY = `unsent:${box.dataset.unsent}`;
let memory = {};
try {
  localStorage[KEY] ??= "{}";
  memory = localStorage;
} catch { /* A browser may keep nothing: then they wait as long as the page. */ }
// Milliseconds between attempts.
const AGAIN = 3000;
// The taps without an answer, and the reason why they will not be written, which somebody has to see first.
let entries, why, waiting;
// The boards ahead, the one that follows on the waiting taps where that is known, and its words (static/ahead.js).
let boards, here, next = "", redraw;

function load() {
  ({ entries = [], why = "" } = JSON.parse(memory[KEY] ?? "{}"));
  render();
}

function keep(left, reason = "") {
  [entries, why] = [left, reason];
  const kept = JSON.stringify({ entries, why });
  // There may be no room any more.
  try { memory[KEY] = kept; } catch { memory = { [KEY]: kept }; }
  render();
}

// Once a tap waits that leads nobody knows where, nothing is taken for a step that cannot be seen.
function holdsBack() {
  const held = waiting && !here && entries.some(({ moves }) => moves);
  if (held) hint(text(find("[role=status]", box)));
  return held;
}

on("htmx:before:request", (event) => {
  const { ctx } = event.detail;
  const { target, request, sourceElement } = ctx;
  const button = request.submitter ?? sourceElement;
  // The reason why a cell may not be used is only looked at.
  if (target?.id !== "table" || request.method !== "POST" || button.matches("[aria-disabled]")) return;
  if (!ctx.entry && (entries.length || !root.dataset.held)) take(ctx, button);
  if (ctx.entry !== entries[0]) return event.preventDefault();
  sending = ctx;
  if (!ctx.entry) return;
  request.body = new URLSearchParams(ctx.entry.fields);
  request.body.set("seq", ctx.entry.seq);
});

function take(ctx, button) {
  // No more taps are taken before somebody has seen those that were not written.
  if (why) {
    closeSheet();
    find("button", box).focus();
    return;
  }
  if (button.closest("[data-due]") && holdsBack()) return;
  const { action, body, form } = ctx.request, last = entries[entries.length - 1];
  ctx.entry = {
    // Each tap follows on the one before it; any other change in between makes them stale.
    seq: last ? last.seq + 1 : Number(body.get("seq")),
    action,
    fields: [...body],
    words: worded(button, form),
    moves: Boolean(button.closest("[data-due], [data-moves]")),
  };
  if (last) closeSheet();
  else sending = ctx;
  keep([...entries, ctx.entry]);
}

function worded(button, form) {
  const label = button.getAttribute("aria-label") || text(button);
  if (!button.closest("#ask")) return label;
  const filled = all("input:is(:not([type]), [type=text], :checked)", form)
    .map((input) => (input.checked ? text(input.closest("label")) : input.value));
  return `${text(find("#ask h2"))} – ${[label, ...filled].join(", ")}`;
}

function pump() {
  const [entry] = entries;
  if (entry && !sending && !why) htmx.ajax("POST", entry.action, { source: box, entry });
}

// Yes: it is off the list. No, at once: said like any refusal. No, after a wait, or when the pen is
// gone: it and those that follow on it are shown as not written, until somebody has seen it.
on("htmx:after:request", (event) => {
  const { entry, hx, response: { status, headers }, text: html } = event.detail.ctx;
  if (!entry) return;
  // A hotel's login page or a proxy's error is no answer; what came too slowly or too often may well be taken.
  if (!headers.has("X-Request-Id") || status >= 500 || [408, 429].includes(status)) event.preventDefault();
  else if (status !== 200 && (waiting || status === 401)) {
    hx.retarget = "";
    keep(entries, all(".said", parse(html, "body")).map(text).join(" ").trim() || lost);
  } else keep(entries.filter(({ seq }) => seq !== entry.seq));
});

on("htmx:finally:request", ({ detail: { ctx } }) => {
  if (ctx !== sending) return;
  sending = undefined;
  const waits = entries.includes(ctx.entry);
  if (ctx.sourceElement.closest("#ask") && (waits || ctx.response?.status === 200)) closeSheet();
  mean("#ask");
  render();
  if (!waits) pump();
});

onTap("#unsent .go", () => {
  box.open = false;
  keep([]);
});

function render() {
  waiting = entries.length > 0 && !why && (!sending || sending.sourceElement === box);
  redraw?.();
  box.hidden = !waiting && !why;
  if (why) box.open = true;
  find(".count", box).textContent = entries.length;
  // Those that wait are in their places; of those that will not be written each is told.
  const told = entries.slice(why ? 0 : -1).map(({ words }) => words).join(" · ");
  write(`${told} – ${why ? `${box.dataset.refused}: ${why}` : document.body.dataset.unsent + next}`, find("[role=status]", box));
  box.classList.toggle("refused", why);
}

on("live", pump);
setInterval(pump, AGAIN);
for (const type of ["pageshow", "storage"]) addEventListener(type, load);
load();
