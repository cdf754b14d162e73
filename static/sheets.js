// The sheets on which something is recorded are fetched ahead, as the table stands: they open at once,
// and without a network too. Loaded once the page is at rest.

const REST = 600;
const ahead = find("#sheets");
let soon;

// Once nothing has changed for a while. A phone that runs the score keeper itself needs none.
function fetchSoon() {
  clearTimeout(soon);
  soon = setTimeout(fetchSheets, REST);
}

async function fetchSheets() {
  const idle = document.hidden || document.documentElement.dataset.kit === "taken";
  if (idle || ahead.dataset.of === find("#table").dataset.seq) return;
  const rows = find(".whom")?.offsetParent ? "?rows=1" : "";
  try {
    const response = await fetch(`${table}/sheets${rows}`, { signal: AbortSignal.timeout(LOOK) });
    const found = new DOMParser().parseFromString(await response.text(), "text/html");
    const fresh = find("#sheets", found);
    if (!fresh) return;
    ahead.innerHTML = fresh.innerHTML;
    ahead.dataset.of = fresh.dataset.of;
    keepSoon();
  } catch {
    // Another time.
  }
}

document.addEventListener("htmx:after:swap", fetchSoon);
document.addEventListener("visibilitychange", fetchSoon);
fetchSheets();
