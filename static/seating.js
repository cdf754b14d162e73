// Enhancements of seating: a tap is made on the form as the taps before it have left it.
"use strict";

// The seat in such a button's value may be another's by then.
const OF_A_PLACE = /^(up|remove):/;
let asked = false;
let waiting = [];

document.addEventListener("click", (event) => {
  const button = event.target.closest("#start button");
  if (!asked || !button) return;
  stop(event);
  if (!OF_A_PLACE.test(button.value)) waiting.push(button.value);
}, true);

const forget = () => { waiting = []; };
addEventListener("pagehide", forget);
document.addEventListener("htmx:error", forget);
document.addEventListener("htmx:before:request", () => { asked = true; });
document.addEventListener("htmx:finally:request", () => {
  asked = false;
  let button;
  while (waiting.length && !button) {
    const next = waiting.shift();
    // The first of all is the one that Enter presses.
    button = all("#start button").reverse().find(({ value }) => value === next);
  }
  button?.click();
});

// The choice of the first dealer follows the names as they are typed.
function nameDealers() {
  const [drawn, ...dealers] = all("#start [name=dealer]");
  all("#start [name=player]").forEach(({ value }, seat) => {
    const dealer = dealers[seat];
    dealer.nextElementSibling.textContent = value.trim() || seat + 1;
    dealer.parentElement.classList.toggle("nobody", !value.trim());
    if (dealer.checked && !value.trim()) drawn.checked = true;
  });
}
document.addEventListener("input", nameDealers);
nameDealers();
const strip = find(".sideways");
strip.scrollLeft = (find(":checked", strip)?.parentElement.offsetLeft ?? 0) - strip.offsetLeft;

// Details opened at the foot of the screen lie below it.
document.addEventListener("toggle", ({ target }) => {
  if (target.open) target.scrollIntoView({ block: "nearest" });
}, true);

// Enter goes on to the next name.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.matches("#start [name=player]")) return;
  event.preventDefault();
  const seats = all("#start [name=player]");
  seats[seats.indexOf(event.target) + 1]?.focus();
});
