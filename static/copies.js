// Copies: a page that was read is kept on the phone as it stands, to be read without a network.
const PAGES = "pages-1";
const MOST_PAGES = 30;
const READABLE = /\/$|\/t\/[\w.-]+(\/protocol|\/rules|\/games\/\d+)?$/;

// A page for which there is no room now is kept another time.
workers?.ready.then(keepPage).catch(() => {});

// The version of the table at which something was erased last.
const erased = () => Math.max(0, ...all("[data-erased]").map((part) => Number(part.dataset.erased)));

async function keepPage() {
  await forgetErased();
  if (!READABLE.test(location.pathname) || document.body.dataset.known || find("main.lost")) return;
  const pages = await caches.open(PAGES);
  const headers = { "Content-Type": "text/html; charset=utf-8", "X-Erased": erased() };
  await pages.put(location.pathname, new Response(copyOfPage(), { headers }));
  const kept = await pages.keys();
  for (const old of kept.slice(0, -MOST_PAGES)) await pages.delete(old);
}

// Copies of a table from before an erasure are deleted, and the list of tables with them.
async function forgetErased() {
  const [table] = /^.*\/t\/[^/]+/.exec(location.pathname) ?? [];
  if (!table) return;
  const pages = await caches.open(PAGES);
  for (const request of await pages.keys()) {
    const copy = await pages.match(request);
    const ours = `${new URL(request.url).pathname}/`.startsWith(`${table}/`);
    if (!ours || Number(copy?.headers.get("X-Erased")) >= erased()) continue;
    await pages.delete(request);
    await pages.delete(home);
  }
}

// The page as it stands now, without an open sheet and messages.
function copyOfPage() {
  const copy = root.cloneNode(true);
  find("body", copy).dataset.known = new Date().toISOString();
  for (const part of all("#ask, #said, #heard, #live", copy)) {
    part.replaceChildren();
    part.removeAttribute("open");
  }
  find("#only-here", copy)?.remove();
  return `<!DOCTYPE html>${copy.outerHTML}`;
}

let keeping;
function keepSoon() {
  clearTimeout(keeping);
  if (workers?.controller) keeping = setTimeout(keepPage, 2000);
}
afterSwap(keepSoon);

// A copy says that it is one, until the score keeper answers.
const { known, last } = document.body.dataset;
if (known) {
  const time = { weekday: "long", hour: "2-digit", minute: "2-digit" };
  const when = new Date(known).toLocaleString(root.lang, time);
  const note = `<p class="known-at" role="status">${last.replace("{time}", () => when)}</p>`;
  document.body.insertAdjacentHTML("afterbegin", note);
  if (!find("#table")) addEventListener("online", () => location.reload());
}
document.addEventListener("live", () => {
  delete document.body.dataset.known;
  find(".known-at")?.remove();
});
