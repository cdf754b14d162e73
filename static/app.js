// What the pages gain with scripts on; every page works without.
"use strict";

const find = (selector, within = document) => within.querySelector(selector);

// A tap answers at once: the cell is marked until the table comes back.
// A finger that bounces hits the same cell of the fresh table too: that was one tap.
let tapped = { what: "", when: 0 };
document.addEventListener("submit", (event) => {
  const cell = event.submitter;
  const now = { what: cell?.matches(".cell") ? cell.value : "", when: Date.now() };
  if (now.what && now.what === tapped.what && now.when - tapped.when < 500) {
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  tapped = now;
  cell?.classList.add("pending");
}, true);
document.addEventListener("htmx:finally:request", () => {
  for (const cell of document.querySelectorAll(".pending")) cell.classList.remove("pending");
});

// What was answered on a sheet closes it; a refusal leaves it, ready to be sent anew.
document.addEventListener("htmx:after:swap", (event) => {
  const { ctx } = event.detail;
  if (ctx.target?.id !== "table") return;
  const ask = find("#ask");
  if (ctx.fromSheet && ctx.response?.status === 200) ask?.replaceChildren();
  for (const seq of ask?.querySelectorAll("[name=seq]") ?? []) seq.value = find("#table").dataset.seq;
});
document.addEventListener("htmx:before:request", (event) => {
  const { ctx } = event.detail;
  ctx.fromSheet = Boolean(ctx.sourceElement.closest("#ask"));
});

// A sheet closes where it is, without a page load; so does a tap beside it, and Escape.
document.addEventListener("click", (event) => {
  const ask = find("#ask");
  if (!ask?.firstElementChild) return;
  const closing = event.target.closest("[data-close]") || event.target === ask;
  if (!closing) return;
  event.preventDefault();
  ask.replaceChildren();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") find("#ask")?.replaceChildren();
  if (event.key !== "Enter" || event.target.name !== "player") return;
  event.preventDefault();
  const seats = [...document.querySelectorAll("input[name=player]")];
  (seats[seats.indexOf(event.target) + 1] ?? event.target).focus();
});

// Without an answer nothing was written, and the person has to know.
document.addEventListener("htmx:error", () => {
  tapped = { what: "", when: 0 };
  const said = find("#said");
  if (said) said.textContent = document.body.dataset.lost;
});

// The table comes by itself when somebody else has recorded; a page nobody sees asks for nothing.
const live = find("#live");
let stream;

function listen() {
  stream?.close();
  stream = undefined;
  if (!live || document.hidden) return;
  stream = new EventSource(live.dataset.live);
  stream.addEventListener("table", (event) => show(Number(event.lastEventId), event.data));
  stream.addEventListener("error", () => {
    if (stream.readyState === EventSource.CLOSED) setTimeout(listen, 3000);
  });
}

function show(seq, text) {
  const table = find("#table");
  if (seq === Number(table.dataset.seq)) return;
  htmx.swap({ text, target: table, swap: "outerMorph", sourceElement: document.body });
}

document.addEventListener("visibilitychange", listen);
addEventListener("pageshow", listen);
addEventListener("pagehide", () => stream?.close());
addEventListener("online", listen);
