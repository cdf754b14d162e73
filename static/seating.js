// What seating gains with scripts on: a tap is made on the form as the taps before it have left it.
"use strict";

// What it says there may be another seat's by then.
const OF_A_PLACE = /^(up|remove):/;
let asked = false;
let waiting = [];

document.addEventListener("click", (event) => {
  const button = event.target.closest("#start button");
  if (!asked || !button) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (!OF_A_PLACE.test(button.value)) waiting.push(button.value);
}, true);

document.addEventListener("htmx:before:request", () => { asked = true; });
document.addEventListener("htmx:error", () => { waiting = []; });
document.addEventListener("htmx:finally:request", () => {
  asked = false;
  let button;
  while (waiting.length && !button) button = named(waiting.shift());
  button?.click();
});
addEventListener("pagehide", () => { waiting = []; });

// The first of all is the one that Enter presses.
function named(value) {
  return all("#start button").findLast((button) => button.value === value);
}

// Who deals first is one of those who play, by the names as they are typed.
function nameDealers() {
  const [drawn, ...dealers] = all(".seating [name=dealer]");
  all(".seating [name=player]").forEach(({ value }, seat) => {
    const dealer = dealers[seat];
    dealer.nextElementSibling.textContent = value.trim() || seat + 1;
    dealer.parentElement.classList.toggle("nobody", !value.trim());
    if (dealer.checked && !value.trim()) drawn.checked = true;
  });
}
document.addEventListener("input", nameDealers);
nameDealers();
const strip = find(".seating .sideways");
const chosen = find(":checked", strip)?.parentElement;
if (chosen) strip.scrollLeft = chosen.offsetLeft - strip.offsetLeft;

// What is opened at the foot of the screen lies below it.
document.addEventListener("toggle", ({ target }) => {
  if (target.open) target.scrollIntoView({ block: "nearest" });
}, true);

// Enter goes on to the next name.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.target.name !== "player") return;
  event.preventDefault();
  const seats = all("input[name=player]");
  (seats[seats.indexOf(event.target) + 1] ?? event.target).focus();
});
