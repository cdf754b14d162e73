// What the pages gain with scripts on; every page works without.
"use strict";

const find = (selector, within = document) => within.querySelector(selector);

// A tap answers at once: the cell is marked until the table comes back.
document.addEventListener("submit", (event) => {
  event.submitter?.classList.add("pending");
});
document.addEventListener("htmx:finally:request", () => {
  for (const cell of document.querySelectorAll(".pending")) cell.classList.remove("pending");
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
  const said = find("#said");
  if (said) said.textContent = document.body.dataset.lost;
});
