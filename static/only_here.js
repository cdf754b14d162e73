// On a phone that has taken the score keeper along: what is only there, in one line of every page;
// what the page of it tells; and a newer version, which is taken into use when nobody plays.
// Milliseconds: a worker that is not asked for so long may be ended; what is only here gets more
// pressing with time; so long after a touch nothing moves.
const AWAKE = 20000;
const PRESSING = 600000;
const STILL = 700;
let status, asking, touched = 0, down = false;

async function ask() {
  try {
    const answer = await fetch("/offline/status", { cache: "no-store" });
    if (answer.ok) await hear(await answer.json());
  } catch {
    // What is shown stays: a worker that does not answer takes nothing off anybody's list.
  }
}

async function hear(told) {
  status = told;
  document.dispatchEvent(new CustomEvent("kit", { detail: status }));
  // What waits for a network looks again, also where the browser took it for there all along.
  if (!status.away && find("#live.away")) dispatchEvent(new Event("online"));
  await line();
  renew();
}

const tablesOf = ({ only_here: here = [], conflicts = [] }) => [...new Set([...here, ...conflicts])];
const keyOf = () => [
  status.waiting - (status.unopened?.length ?? 0), tablesOf(status).length, status.conflicts?.length ?? 0, status.since,
].join(" ");

// The words come from the score keeper, whichever answers. One question at a time, and the last counts.
async function line() {
  const old = find("#only-here");
  if (!status.waiting && !tablesOf(status).length) return put(null);
  const key = keyOf();
  const now = `${key} ${Math.floor(Date.now() / PRESSING)}`;
  const known = asking === now || (!asking && old?.dataset.of === key);
  asking = now;
  if (known) return undefined;
  const [waiting, tables, conflicts, ...since] = key.split(" ");
  try {
    const answer = await fetch(`/only-here?${new URLSearchParams({ waiting, tables, conflicts, since })}`);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = find("#only-here", page);
    await dress(fresh);
    if (asking === now) await put(fresh);
  } catch {
    asking = "";
  }
  return undefined;
}

// It brings its style along, which has to be there before it.
async function dress(fresh) {
  const link = find("link", fresh);
  link.remove();
  if (find(`head link[href="${link.getAttribute("href")}"]`)) return;
  await new Promise((done) => {
    link.onload = link.onerror = done;
    document.head.append(link);
  });
}

// Nothing moves under a finger, and what is there already is only written anew.
async function put(fresh) {
  const old = find("#only-here");
  if (!fresh) asking = "";
  if (old && fresh) {
    const louder = old.className !== fresh.className;
    old.className = fresh.className;
    old.dataset.of = fresh.dataset.of;
    old.replaceChildren(...fresh.childNodes);
    if (louder) announce(text(old));
  } else if (old || fresh) {
    await untouched();
    // Meanwhile it may have been handed over, or something more have come.
    if (Boolean(fresh) !== Boolean(asking)) return;
    if (fresh && !find("#only-here")) document.body.prepend(fresh);
    if (!fresh) old.remove();
    announce(fresh ? text(fresh) : "");
  }
  const way = find("#only-here a");
  if (way && status.conflicts?.length === 1) way.href = `/t/${status.conflicts[0]}/decide`;
}

for (const name of ["pointerdown", "pointerup", "pointercancel"]) {
  addEventListener(name, () => {
    down = name === "pointerdown";
    touched = Date.now();
  }, { capture: true, passive: true });
}
async function untouched() {
  while (down || Date.now() - touched < STILL) await new Promise((go) => setTimeout(go, 100));
}

// Read out once, when it begins and when it gets more pressing; not with every entry.
function announce(words) {
  let aloud = find("#only-here-aloud");
  if (!aloud) {
    aloud = Object.assign(document.createElement("p"), { id: "only-here-aloud", className: "unseen" });
    aloud.role = "status";
    document.body.append(aloud);
  }
  setTimeout(() => write(words, aloud), 100);
}

// A newer version waits until nothing is handed over and nobody is in the middle of a game.
const playing = () => find("#table .board") && Number(find("[data-facts]")?.dataset.facts);
async function renew() {
  if (!status.update || status.waiting || tablesOf(status).length || playing()) return;
  const found = await workers.getRegistration();
  found?.waiting?.postMessage({ type: "take-over" });
}

// The page is of the old version then. It is loaded anew once nobody is in the middle of something.
const busy = () => playing() || find("#ask[open], .pending, details.unsent:not([hidden])")
  || document.activeElement?.matches("input, textarea")
  || all("input[type=text], input:not([type])").some((field) => field.value !== field.defaultValue);
let had = workers.controller;
workers.addEventListener("controllerchange", async () => {
  const newer = isKit({ active: had }) && isKit({ active: workers.controller });
  had = workers.controller;
  if (!newer) return;
  while (busy()) await new Promise((go) => setTimeout(go, 2000));
  await untouched();
  location.reload();
});

// From when it is there.
let begun = false;
function begin() {
  if (begun || root.dataset.kit !== "taken") return;
  begun = true;
  workers.addEventListener("message", ({ data }) => data?.type === "status" && hear(data));
  document.addEventListener("htmx:after:swap", () => {
    if (status) line();
    // Others may have written: what this phone has of the table is fetched anew.
    workers.controller?.postMessage({ type: "changed" });
  });
  addEventListener("pageshow", ask);
  document.addEventListener("visibilitychange", () => document.hidden || ask());
  setInterval(() => {
    if (document.hidden) return;
    if (status?.away || status?.waiting) fetch("/offline/ping").catch(() => {});
    if (status) line();
  }, AWAKE);
  ask();
}
begin();
new MutationObserver(begin).observe(root, { attributeFilter: ["data-kit"] });
