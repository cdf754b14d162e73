// What is typed into a form with `data-draft` stays on this phone until it is used or dropped: one
// draft for each address, and for what the form begins with there.
"use strict";

const form = find("[data-draft]");
const { draft: origin, given, used } = form.dataset;
const path = new URL(form.action).pathname;
const KEY = `draft:${path}`;
// Fields of the page, which are no part of what is typed.
const OWN = ["seq", "key", "seating", "seen", "restored"];

// A browser may refuse to keep anything: SecurityError, QuotaExceededError.
function memory(act) {
  try { return act(localStorage); } catch { /* As long as the page. */ }
}

function read() {
  const fields = new URLSearchParams(new FormData(form));
  for (const name of OWN) fields.delete(name);
  return `${origin} ${fields}`;
}

const drop = () => memory((store) => store.removeItem(KEY));
const save = () => (read() === untouched ? drop() : memory((store) => store.setItem(KEY, read())));

// The browser's own memory of the form would come on top of ours.
form.autocomplete = "off";
// A copy of the page is given nothing. Of a form that is, all is a draft.
delete form.dataset.given;
const untouched = given ? "" : read();
const kept = memory((store) => store.getItem(KEY));
const address = path + location.search;
memory((store) => store.removeItem(used));
// htmx begins with a timer of its own, which is set by now.
if (given !== "all" && kept?.startsWith(`${origin} `)) setTimeout(restore);
else save();
// Loaded again, a page that answers a form would send that again.
if (kept !== undefined) history.replaceState(null, "", form.action);

// The score keeper says what follows from a draft, and from rules that an address chooses.
function restore() {
  const fields = new URLSearchParams(kept.slice(origin.length + 1));
  fields.set("do", "restored");
  fields.set("seating", form.elements.seating?.value ?? "");
  on("htmx:before:request", ({ detail: { ctx } }) => {
    ctx.request.body = fields;
  }, { once: true });
  htmx.ajax("POST", address, { source: form, target: form, swap: "outerMorph" });
}

// What is typed or chosen while an answer is on its way is newer than that, unless seats change.
const newer = new Map();
on("htmx:before:request", () => newer.clear());
on("input", ({ target }) => {
  newer.set(target, [target.value, target.checked]);
  save();
});
afterSwap(({ detail: { ctx } }) => {
  if (ctx.target !== form) return;
  // The server says what is chosen, whatever a person has tapped before.
  form.reset();
  const pressed = ctx.sourceElement;
  if (pressed.matches(".seat button")) newer.clear();
  for (const [field, [value, checked]] of newer) Object.assign(field, { value, checked });
  save();
  if (pressed.matches("button")) showFault();
});
// A form that is accepted leads to another page.
on("htmx:after:request", ({ detail: { ctx } }) => {
  if (ctx.response.headers.has("HX-Redirect")) drop();
});
onTap("[data-drop]", drop);

function showFault() {
  for (const group of all("details")) group.open ||= Boolean(find(".fault", group));
  find("[aria-invalid], .group > .go", form)?.focus();
}
showFault();
