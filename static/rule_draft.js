// What is being changed stays on this phone until it is used or dropped: for each place, and for the
// rules one began with there. A tab has its own; the newest of all waits for tabs to come.
"use strict";

const LONGEST = 30 * 24 * 3600 * 1000;
const NOT_KEPT = ["seq", "origin", "restored", "name"];
const form = () => find("#rules");

// Reloaded, a tab goes on from what it began with, whatever another tab has chosen meanwhile: the
// history knows. What comes first in an origin is the version of the form.
const now = form().elements.origin.value;
const before = history.state?.origin ?? now;
const origin = before.split("-")[0] === now.split("-")[0] ? before : now;
history.replaceState({ origin }, "");
const KEY = `rules:${location.pathname}:${origin}`;

const read = () => JSON.stringify([...new FormData(form())].filter(([name]) => !NOT_KEPT.includes(name)));
// The browser's own memory of the form would come on top of ours.
form().autocomplete = "off";
let untouched = read();
let draft = "";

function save() {
  const fields = read();
  if (fields === untouched) return drop();
  try {
    draft = JSON.stringify({ at: Date.now(), fields });
    sessionStorage.setItem(KEY, draft);
    localStorage.setItem(KEY, draft);
  } catch {
    draft = "";
  }
}

// What another tab has written meanwhile stays.
function drop() {
  try {
    sessionStorage.removeItem(KEY);
    if (localStorage.getItem(KEY) === draft) localStorage.removeItem(KEY);
  } catch {
    // Without storage there is nothing to remove.
  }
  draft = "";
}

function finish() {
  drop();
  untouched = read();
}

// Nothing that cannot be read, whatever wrote it, is in the way of the form.
function parse(text) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

function load() {
  try {
    for (const key of Object.keys(localStorage).filter((key) => key.startsWith("rules:"))) {
      if (!(Date.now() - parse(localStorage.getItem(key)).at < LONGEST)) localStorage.removeItem(key);
    }
    return sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function restore(fields) {
  for (const field of form().elements) {
    const sent = fields.filter(([name]) => name === field.name).map(([, value]) => value);
    if (field.type === "radio" || field.type === "checkbox") field.checked = sent.includes(field.value);
    else if (sent.length) field.value = sent[0];
  }
  form().elements.restored.value = "yes";
  form().dispatchEvent(new Event("change", { bubbles: true }));
}

function begin() {
  const found = load();
  const fields = parse(parse(found).fields);
  if (!Array.isArray(fields) || !fields.every(Array.isArray) || JSON.stringify(fields) === untouched) return;
  draft = found;
  restore(fields);
}

// The score keeper is told of it, and puts it into words: htmx has to be ready, now or in a moment.
if (form().matches("[data-htmx-powered]")) begin();
else form().addEventListener("htmx:after:init", begin, { once: true });
document.addEventListener("input", save);
document.addEventListener("htmx:after:swap", save);
addEventListener("pagehide", save);
document.addEventListener("htmx:after:request", ({ detail: { ctx } }) => {
  if (ctx.sourceElement.value === "use" && ctx.response.headers.has("HX-Redirect")) finish();
});
document.addEventListener("click", ({ target }) => {
  if (target.closest("[data-drop]")) finish();
});
// Where nothing can be kept, as in some private windows, leaving asks first.
addEventListener("beforeunload", (event) => {
  if (read() !== untouched && !draft) event.preventDefault();
});
