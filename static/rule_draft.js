// A draft of the rules stays on this phone until it is used or dropped: one for each page, and for
// the rules that one began with there.
"use strict";

const form = find("#rules");
const KEY = `rules:${location.pathname}:${form.elements.origin.value}`;

function read() {
  const fields = new URLSearchParams(new FormData(form));
  for (const name of ["seq", "origin", "restored", "name"]) fields.delete(name);
  return String(fields);
}

// The browser's own memory of the form would come on top of ours.
form.autocomplete = "off";
let untouched = read();

function save() {
  const fields = read();
  if (fields === untouched) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, fields);
}

function finish() {
  untouched = read();
  save();
}

// Send the draft to the score keeper, which puts it into words.
function restore() {
  const fields = new URLSearchParams(localStorage.getItem(KEY) ?? "");
  // Anything but a draft there is ignored.
  if (!fields.has("base")) return;
  for (const field of form.elements) {
    const sent = fields.getAll(field.name);
    if (/radio|checkbox/.test(field.type)) field.checked = sent.includes(field.value);
    else if (sent.length) field.value = sent[0];
  }
  form.elements.restored.value = "yes";
  form.dispatchEvent(new Event("change", { bubbles: true }));
}

// htmx begins with a timer of its own, which is set by now.
setTimeout(restore);
document.addEventListener("input", save);
afterSwap(save);
document.addEventListener("htmx:after:request", ({ detail: { ctx } }) => {
  if (ctx.sourceElement.value === "use" && ctx.response.headers.has("HX-Redirect")) finish();
});
onTap("[data-drop]", finish);
