// The sheets that cells lead to, on which what is rare is recorded, are fetched ahead, as the table
// stands: they open at once, and without a network too.

let soon;

// Once nothing has changed for a moment.
function fetchSoon() {
  clearTimeout(soon);
  soon = setTimeout(fetchSheets, 600);
}

// A phone that runs the score keeper itself needs none.
async function fetchSheets() {
  const ahead = find("#table:has(a.cell) ~ #sheets");
  const idle = document.hidden || root.dataset.kit === "taken";
  if (!ahead || idle || ahead.dataset.of === find("#table").dataset.seq) return;
  // Without an answer another time.
  const html = await fetch(`${table}/sheets`).then((response) => response.text()).catch(() => "");
  const fresh = parse(html, "#sheets");
  if (fresh) ahead.replaceWith(fresh);
  keepSoon();
}

afterSwap(fetchSoon);
document.addEventListener("visibilitychange", fetchSoon);
fetchSheets();
