// What others record comes by itself; a page nobody sees asks for nothing.
"use strict";

const live = find("#live");
const table = live.dataset.live;
// A stream that says nothing for so long may have died without telling.
const QUIET = 45000;
// What lands on a cell so shortly after the table changed was meant for the table before.
const GLANCE = 800;
let stream, quiet, again, version;
let before = { seq: 0, until: 0 };
// Whether a tap of this phone is under way: then the table changes by our own doing.
let sending = false;

function listen() {
  hush();
  if (document.hidden) return;
  quiet = setTimeout(check, QUIET);
  stream = new EventSource(`${table}/live${location.search}`);
  stream.addEventListener("open", alive);
  stream.addEventListener("table", (event) => {
    alive();
    show(Number(event.lastEventId), event.data);
  });
  // This phone answers for the table; what it has taken along tells when there is a network.
  stream.addEventListener("away", () => {
    hush();
    tell("away");
  });
  // The page that says so also lets go of what this phone has kept of the table.
  stream.addEventListener("gone", () => location.reload());
  stream.addEventListener("error", () => {
    // The browser tries again by itself, unless it was answered with a refusal.
    if (stream.readyState !== EventSource.CLOSED) return tell("off");
    tell("slow");
    again = setTimeout(askInstead, 5000 * (1 + Math.random()));
  });
}

function hush() {
  stream?.close();
  clearTimeout(quiet);
  clearTimeout(again);
}

function alive() {
  tell("on");
  clearTimeout(quiet);
  quiet = setTimeout(check, QUIET);
}

function tell(how) {
  if (live.className !== how) {
    live.className = how;
    live.textContent = live.dataset[how];
  }
  if (how !== "off") document.dispatchEvent(new Event("live"));
}

// A full house is no reason to stay behind.
async function askInstead() {
  if (!await ask()) tell("off");
  listen();
}

async function check() {
  const seq = shown();
  const answered = await ask();
  if (answered && seq === shown()) quiet = setTimeout(check, QUIET);
  else listen();
}

// The table as it stands, whatever was shown; true when the score keeper answered.
async function ask(anyway = false) {
  const headers = { "HX-Request": "true", ...(version && !anyway && { "If-None-Match": version }) };
  try {
    const response = await fetch(table + location.search, { headers, cache: "no-store", signal: AbortSignal.timeout(10000) });
    if (response.status === 304) return true;
    if (response.status === 404) location.reload();
    const text = await response.text();
    if (!response.ok || !text.includes("data-seq")) return false;
    version = response.headers.get("ETag");
    show(Number(/data-seq="(\d+)"/.exec(text)[1]), text, anyway);
    return true;
  } catch {
    return false;
  }
}

function show(seq, text, anyway = false) {
  const was = shown();
  if (seq <= was && !anyway) return;
  // Whose pen is gone gets a page to read on, once nothing waits on this one.
  if (text.includes('"follow"') && !find(".reads") && find("#unsent").hidden) return location.reload();
  if (!sending) before = { seq: was, until: performance.now() + GLANCE };
  return swap(text);
}

async function swap(text, target = find("[data-seq]"), how = "outerMorph") {
  await htmx.swap({ text, target, swap: how, sourceElement: document.body });
}

// The version of the table that a tap now was meant for.
function seen() {
  return performance.now() < before.until ? before.seq : shown();
}

document.addEventListener("visibilitychange", listen);
addEventListener("pageshow", listen);
addEventListener("pagehide", hush);
addEventListener("online", listen);
addEventListener("offline", listen);

// What has been recorded since the page was opened is news; what was there, or is undone, is none.
const still = matchMedia("(prefers-reduced-motion: reduce)");
let told = facts();
document.addEventListener("htmx:after:swap", () => {
  const before = told;
  told = facts();
  if (told === before) return;
  const news = told > before;
  document.body.classList.toggle("news", news);
  // The keeper's phone, which lies among the cards, tells by hand too.
  if (news && find(".loud, .result") && find(".undo") && !still.matches) navigator.vibrate?.(60);
});
