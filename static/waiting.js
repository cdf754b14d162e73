// Unsent taps are shown on the pages that lead to their table as well.
for (const link of all(".card .facts")) {
  const { entries, why } = JSON.parse(memory[`unsent:${link.pathname}`] ?? "{}");
  if (!entries?.length || why) continue;
  link.insertAdjacentHTML("beforeend", `<strong class="waiting">${entries.length} ${document.body.dataset.unsent}</strong>`);
}
