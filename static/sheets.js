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
    document.dispatchEvent(new Event("sheets"));
  } catch {
    // Another time.
  }
}

// Whose pen is taken back reads on beside what still waits: what that is to look like comes along.
async function dress() {
  if (!find("#follow") || find("head [data-reads]")) return;
  try {
    const response = await fetch(table, { signal: AbortSignal.timeout(LOOK) });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    for (const style of all("head [rel=stylesheet]", page).slice(1)) {
      style.dataset.reads = "";
      document.head.append(style);
    }
  } catch {
    // With the next change, or once there is a network again.
  }
}

document.addEventListener("live", dress);
document.addEventListener("htmx:after:swap", dress);
document.addEventListener("htmx:after:swap", fetchSoon);
document.addEventListener("visibilitychange", fetchSoon);
fetchSheets();
