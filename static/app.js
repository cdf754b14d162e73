// Enhancements of every page, which works without scripts as well.
"use strict";

const root = document.documentElement;

// Scripts that play does not need load once the page is idle.
setTimeout(() => import(root.dataset.script).catch(() => {}), 300);

const find = (selector, within = document) => within.querySelector(selector);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const parse = (html, selector) => find(selector, new DOMParser().parseFromString(html, "text/html"));
const text = (element) => element.textContent.replace(/\s+/g, " ").trim();
const shown = () => Number(find("[data-seq]").dataset.seq);
const facts = () => Number(find("[data-facts]")?.dataset.facts);
const still = matchMedia("(prefers-reduced-motion: reduce)");
const on = (type, act, early) => document.addEventListener(type, act, early);
// What is done whenever a part of the page was replaced.
const afterSwap = (act) => on("htmx:after:swap", act);

// What is done by a tap on such a part, which may come later than this.
function onTap(selector, act) {
  on("click", (event) => {
    const part = event.target.closest(selector);
    if (part) act(part, event);
  });
}

function stop(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

// A button that was pressed is marked until the answer is there.
on("submit", ({ submitter }) => submitter?.classList.add("pending"), true);
on("htmx:finally:request", settle);
function settle() {
  for (const button of all(".pending")) button.classList.remove("pending");
}

// A text that stands there already is not read out again.
function write(words, part) {
  if (part.textContent !== words) part.textContent = words;
}

// One message at a time, where the person is looking: on the open sheet, else on the page.
const messages = () => all("#ask-said, #said").reverse();
let passing;
function announce(words, tone = "") {
  clearTimeout(passing);
  messages().forEach((said, place) => {
    write(place ? "" : words, said);
    said.className = `said ${tone}`;
  });
}

// A message that is no alarm goes by itself.
function hint(words) {
  announce(words, "calm");
  passing = setTimeout(announce, 8000, "");
}

// Without an answer nothing was written, and the person has to know, until there is an answer. A
// page that was only looked at is no loss.
const { away, lost } = document.body.dataset;
on("htmx:error", ({ detail: { ctx } }) => {
  if (ctx?.request.method === "GET") hint(away);
  // What the outbox keeps is not lost.
  else if (!ctx?.entry) announce(lost);
});
function heard() {
  if ([away, lost].includes(messages()[0]?.textContent)) announce("");
}
afterSwap(heard);
on("live", heard);
// Said until the next tap; on a sheet, until it was sent anew.
on("click", ({ target }) => target.closest("#ask") || announce(""));
