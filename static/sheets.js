// The sheets that cells lead to, on which what is rare is recorded, are fetched ahead: they open at once,
// and without a network too. From tap to tap they are mostly the same.

// So many tables' worth are kept: what is due at a deal's steps comes again in the next.
const MOST_SHEETS = 4;
let soon;

// Once nothing has changed for a moment.
function fetchSoon() {
  clearTimeout(soon);
  soon = setTimeout(fetchAhead, 600);
}

// A phone that has the table itself needs none.
function fetchAhead() {
  if (document.hidden || root.dataset.held) return;
  fetchSheets();
  fetchBoards();
}

async function fetchSheets() {
  if (!find("#table[data-sheets]") || sheetsAhead()) return;
  // Without an answer another time.
  const html = await fetch(`${table}/sheets`).then((response) => response.text()).catch(() => "");
  const fresh = parse(html, ".sheets");
  if (!fresh) return;
  for (const old of all(".sheets").slice(0, 1 - MOST_SHEETS)) old.remove();
  document.body.append(fresh);
}

// How sheets look, and a game's end: nothing that a deal shows at first.
for (const late of all("link[rel=late]")) late.rel = "stylesheet";
afterSwap(fetchSoon);
on("visibilitychange", fetchSoon);
fetchAhead();
