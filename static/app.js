// What the pages gain with scripts on; every page works without.
"use strict";

const find = (selector, within = document) => within.querySelector(selector);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const shown = () => Number(find("[data-seq]").dataset.seq);

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

function settle() {
  for (const cell of all(".pending")) cell.classList.remove("pending");
}
document.addEventListener("htmx:finally:request", settle);

function say(words) {
  const said = find("#said");
  if (said) said.textContent = words;
}

// Without an answer nothing was written, and the person has to know.
document.addEventListener("htmx:error", () => {
  tapped = { what: "", when: 0 };
  say(document.body.dataset.lost);
});

// A sheet closes where it is, without a page load; so does a tap beside it, and Escape.
function closeSheet() {
  find("#ask")?.replaceChildren();
}
document.addEventListener("click", (event) => {
  const ask = find("#ask");
  if (!ask?.firstElementChild) return;
  const closing = event.target.closest("[data-close]") || event.target === ask;
  if (!closing) return;
  event.preventDefault();
  closeSheet();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") closeSheet();
  if (event.key !== "Enter" || event.target.name !== "player") return;
  event.preventDefault();
  const seats = all("input[name=player]");
  (seats[seats.indexOf(event.target) + 1] ?? event.target).focus();
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
