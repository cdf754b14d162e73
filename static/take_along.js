// Taking the score keeper along: the worker with the bundle installs everything by itself. Here it is
// asked for, by hand or in a phone's first game; told of; and taken away again.
const workers = navigator.serviceWorker;
const root = document.documentElement;
const home = new URL("../../", import.meta.url).pathname;
// Milliseconds before a failed attempt is tried again.
const AGAIN = 30000;
const along = find("#along");
const isKit = (worker) => worker?.scriptURL.endsWith("/worker.js?kit");
// Whether it was begun on this page, and why it cannot go on.
let begun = false, cause;
let memory = {};
// A browser may keep nothing: SecurityError.
try { memory = localStorage; } catch { /* As long as the page. */ }

function inform(name) {
  if (along) write(along.dataset[name], find(".along-said", along));
}

function stand(state) {
  const off = memory.kit === "off";
  root.dataset.kit = state;
  root.toggleAttribute("data-off", off);
  if (off) inform("off");
}

// Register a worker that takes over at once: the open page came from the server.
async function place(address) {
  const found = await workers.register(home + address, { type: "module", updateViaCache: "imports" });
  const worker = found.installing ?? found.waiting ?? found.active;
  await new Promise((done, fail) => {
    const look = () => {
      if (worker.state === "installed") worker.postMessage({ type: "take-over" });
      if (worker.state === "activated") done();
      if (worker.state === "redundant") fail("broken");
    };
    worker.addEventListener("statechange", look);
    look();
  });
  return worker;
}

// A browser that cannot run a worker refuses it at once; one that broke off is tried again.
function placePlain() {
  if (!begun) place("worker.js").catch((error) => error === "broken" && setTimeout(placePlain, AGAIN));
}

async function take() {
  begun = true;
  stand("taking");
  inform("fetching");
  cause = "broken";
  try {
    await place("worker.js?kit");
    showReady();
    navigator.storage?.persist?.();
  } catch (error) {
    // A browser that cannot run such a worker says so at once.
    const reason = error === "broken" || !navigator.onLine ? cause : "unable";
    inform(reason);
    if (reason === "broken") setTimeout(() => root.dataset.kit === "taking" && take(), AGAIN);
    else stand("none");
  }
}

// On the board once.
function showReady() {
  stand("taken");
  inform("ready");
  const live = find("#live[data-ready]");
  if (!live || memory.kit === "told") return;
  hint(live.dataset.ready);
  memory.kit = "told";
}

// By itself on a phone that keeps score, from its first fact on, unless that costs somebody.
function metered() {
  const { saveData, type, effectiveType = "" } = navigator.connection ?? {};
  return saveData || type === "cellular" || effectiveType.endsWith("2g");
}
const plays = () => find("#live[data-ready]") && find("#table .board") && facts() > 0;
function takeByItself() {
  const wanted = memory.kit === "on" || (memory.kit !== "off" && plays() && !metered());
  if (wanted && !begun) take();
}

async function leave() {
  try {
    const taken = root.dataset.kit === "taken";
    const { waiting } = taken ? await (await fetch(`${home}offline/status`)).json() : {};
    if (waiting) return inform("waits");
    (await place("worker.js")).postMessage({ type: "leave" });
  } catch {
    return inform("unsure");
  }
  memory.kit = "off";
  stand("none");
}

onTap("#leave-behind", leave);
onTap("#take-along", () => {
  memory.kit = "on";
  take();
});

function hear({ data }) {
  if (data?.type !== "taking") return;
  cause = data.error ?? cause;
  const bar = find("#along progress");
  if (bar && data.all) bar.value = data.done / data.all;
}

// It takes a secure context, which has workers, and a browser that can run one; else another page tries it.
async function start() {
  const nearest = await workers.getRegistration(home);
  // One for all of the host is another's.
  const found = nearest?.scope.endsWith(home) ? nearest : undefined;
  if (isKit(found?.active)) showReady();
  else if ([found?.waiting, found?.installing].some(isKit)) take();
  else {
    stand("none");
    takeByItself();
    afterSwap(takeByItself);
    placePlain();
  }
  if (along) along.hidden = false;
}

if (workers && window.WebAssembly) {
  workers.addEventListener("message", hear);
  start().catch(() => {});
}
