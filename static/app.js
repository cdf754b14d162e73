// What the pages gain with scripts on; every page works without.
"use strict";

// What is not needed to play comes once the page is at rest.
setTimeout(() => import(document.documentElement.dataset.script).catch(() => {}), 300);

const find = (selector, within = document) => within.querySelector(selector);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const text = (element) => element.textContent.replace(/\s+/g, " ").trim();
const shown = () => Number(find("[data-seq]").dataset.seq);
const facts = () => Number(find("[data-facts]")?.dataset.facts);

// A finger that bounces hits one spot twice, where the table may have other cells by then: that was
// one tap.
let spot;
document.addEventListener("click", (event) => {
  if (!event.detail || !event.target.closest("#table :is(.cell, .whom)")) return;
  const now = { x: event.clientX, y: event.clientY, when: Date.now(), facts: facts() };
  const near = spot && Math.hypot(now.x - spot.x, now.y - spot.y) < 24;
  if (near && now.when - spot.when < (now.facts > spot.facts ? 1000 : 500)) return stop(event);
  spot = now;
}, true);

function stop(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

// A tap answers at once: the cell is marked until the table comes back, and for a moment after. Soon
// after, it is asked whether the same happened twice.
let tapped = { when: 0 };
document.addEventListener("submit", (event) => {
  const cell = event.submitter;
  const now = { what: cell?.matches(".cell") && cell.value, when: Date.now(), facts: facts() };
  const same = now.what && now.what === tapped.what && !tapped.asked;
  if (same && now.when - tapped.when < 3000 && now.facts > tapped.facts) {
    stop(event);
    hint(document.body.dataset.again);
    tapped.asked = true;
    return;
  }
  tapped = now;
  cell?.classList.add("pending");
}, true);
document.addEventListener("htmx:after:swap", () => {
  if (Date.now() - tapped.when > 700 || !(facts() > tapped.facts)) return;
  const cell = all("#table .cell[name=event]").find(({ value }) => value === tapped.what);
  cell?.classList.add("done");
  setTimeout(() => cell?.classList.remove("done"), 700);
});

function settle() {
  for (const cell of all(".pending")) cell.classList.remove("pending");
}
document.addEventListener("htmx:finally:request", settle);

// What stands there already is not read out again.
function write(words, part) {
  if (part.textContent !== words) part.textContent = words;
}

// One message at a time, where the person is looking: on the open sheet, else on the page.
let passing;
function say(words) {
  clearTimeout(passing);
  const here = find("#ask-said") ?? find("#said");
  for (const said of all("#ask-said, #said")) {
    write(said === here ? words : "", said);
    said.classList.remove("good", "calm");
  }
}

// What is no alarm goes by itself.
function hint(words) {
  say(words);
  for (const said of all("#ask-said, #said")) said.classList.add("calm");
  passing = setTimeout(say, 8000, "");
}

// Without an answer nothing was written, and the person has to know, until there is an answer. What
// was only looked at is no loss.
const { away, lost } = document.body.dataset;
document.addEventListener("htmx:error", ({ detail: { ctx } }) => {
  tapped = { when: 0 };
  spot = undefined;
  if (ctx?.request.method === "GET") hint(away);
  else say(lost);
});
function heard() {
  if (all("#ask-said, #said").some((said) => [away, lost].includes(said.textContent))) say("");
}
document.addEventListener("htmx:after:swap", heard);
document.addEventListener("live", heard);
document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-hush]")) return;
  event.preventDefault();
  say("");
});

// A link is handed on by the phone's own share sheet, or copied where there is none.
function offerSharing() {
  for (const button of all("[data-share][hidden]")) {
    if (!navigator.share) button.textContent = document.body.dataset.copy;
    button.hidden = false;
  }
}
offerSharing();
document.addEventListener("htmx:after:swap", offerSharing);
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-share]");
  if (!button) return;
  const url = button.dataset.share;
  if (navigator.share) return navigator.share({ title: document.title, url }).catch(() => {});
  if (await copied(url, find("input", button.parentElement))) {
    button.textContent = document.body.dataset.copied;
  }
});

async function copied(text, field) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Outside https there is no clipboard, but what is selected can be copied.
    field?.select();
    return document.execCommand("copy");
  }
}
