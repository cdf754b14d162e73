// What the evening's pages gain with scripts on; they work without.
"use strict";

// Numbers and amounts are copied with a tap; without scripts they are text to be selected.
for (const button of all("[data-copies]")) button.hidden = false;
document.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-copies]");
  if (!button) return;
  getSelection().selectAllChildren(find("output", button.parentElement));
  if (await copied(button.dataset.copies)) button.textContent = document.body.dataset.copied;
});
