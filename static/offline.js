// The page about playing without a network: what is only on this phone, what it takes there, whether
// the browser keeps it, and taking it away again.
"use strict";

const WHOLE = 1e6;
const number = (bytes) => Math.round(bytes / WHOLE).toLocaleString(root.lang);
const fill = (words, values) => Object.entries(values).reduce(
  (filled, [key, value]) => filled.replace(`{${key}}`, value), words);
const installed = matchMedia("(display-mode: standalone)").matches || navigator.standalone === true;
const waits = find("#waits");
let known;

async function ask() {
  const answer = await fetch("/offline/status", { cache: "no-store" });
  if (!answer.ok) throw new Error("no status");
  return answer.json();
}

const tablesOf = ({ only_here: here = [], conflicts = [] }) => [...new Set([...here, ...conflicts])];
const holds = (status) => Boolean(status.waiting || tablesOf(status).length);

// Each table says for itself what of it is only here: it is the phone that answers for those.
async function show(status) {
  find("#newer").hidden = !status.update;
  waits.hidden = !holds(status);
  const links = tablesOf(status);
  const key = JSON.stringify([links, status.waiting]);
  if (key === known) return;
  known = key;
  const items = await Promise.all(links.map(itemOf));
  if (key === known) find("ul", waits).replaceChildren(...items.filter(Boolean));
}

async function itemOf(link) {
  try {
    const answer = await fetch(`/t/${link}/here`, { headers: { "HX-Request": "true" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    return find("li", page);
  } catch {
    return undefined;
  }
}

async function tellRoom() {
  const { quota, usage } = await navigator.storage?.estimate?.() ?? {};
  const room = find("#room");
  if (quota) room.textContent = fill(room.dataset.words, { used: number(usage), room: number(quota - usage) });
  const promised = await navigator.storage?.persisted?.() ?? false;
  find(".persists").hidden = !promised;
  find(".forgets").hidden = promised;
  find("#install").hidden = installed;
  find("#install").open = !promised && !installed && root.dataset.kit === "taken";
}

// Another worker in its place: that one throws away what it does not know.
async function leave({ dataset }) {
  let status;
  try {
    status = await ask();
  } catch {
    return dataset.unsure;
  }
  if (holds(status)) return dataset.waits;
  try {
    const found = await workers.register("/sw.js");
    const worker = found.installing ?? found.waiting ?? found.active;
    await new Promise((done) => {
      const look = () => ["activated", "redundant"].includes(worker.state) && done();
      worker.addEventListener("statechange", look);
      look();
    });
  } catch {
    return dataset.away;
  }
  await caches.delete("kit");
  indexedDB.deleteDatabase("chicago");
  root.dataset.kit = "none";
  return dataset.gone;
}

// They are a file of the kit, whose address its list has; the list is the server's to tell.
async function linkLicences() {
  const { files } = await (await fetch("/offline/kit.json")).json();
  const found = files.find(({ name }) => name === "licences.txt");
  if (found) Object.assign(find("#licences"), { href: found.url, hidden: false });
}
linkLicences().catch(() => {});

document.addEventListener("click", async ({ target }) => {
  const away = target.closest("#leave-behind");
  if (away) {
    const words = await leave(away);
    write(words, find("#leave-said"));
    find("#leave-said").classList.toggle("good", words === away.dataset.gone);
    tellRoom();
  }
  if (!target.closest("[data-hand-over]")) return;
  workers.controller?.postMessage({ type: "hand-over" });
  const status = await ask().catch(() => ({ away: true }));
  write(status.away ? waits.dataset.away : waits.dataset.asked, find("#waits-said"));
});

document.addEventListener("kit", ({ detail }) => show(detail));
if (workers?.controller) ask().then(show, () => {});
tellRoom();
new MutationObserver(tellRoom).observe(root, { attributeFilter: ["data-kit"] });
