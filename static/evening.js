// What the evening's pages gain with scripts on; they work without.
"use strict";

// What others record comes by itself; a page nobody sees asks for nothing.
const source = find("[data-evening]");
let evenings;

function follow() {
  evenings?.close();
  evenings = undefined;
  if (!source || document.hidden) return;
  evenings = new EventSource(source.dataset.evening);
  evenings.addEventListener("table", ({ lastEventId, data }) => {
    const target = find("#evening");
    if (Number(lastEventId) <= Number(target.dataset.seq)) return;
    htmx.swap({ text: data, target, swap: "outerMorph", sourceElement: document.body });
  });
  evenings.addEventListener("error", () => {
    if (evenings?.readyState === EventSource.CLOSED) setTimeout(follow, 3000);
  });
}
document.addEventListener("visibilitychange", follow);
addEventListener("pageshow", follow);
addEventListener("pagehide", () => evenings?.close());

// Numbers and amounts are copied with a tap; without scripts they are text to be selected.
for (const button of all("[data-copies]")) button.hidden = false;
document.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-copies]");
  if (!button) return;
  getSelection().selectAllChildren(find("output", button.parentElement));
  if (await copied(button.dataset.copies)) button.textContent = document.body.dataset.copied;
});
