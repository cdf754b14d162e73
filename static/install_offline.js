// Taking the score keeper along: the worker with the bundle installs everything by itself. Here it is
// asked for, by hand or in a phone's first game; told of; and taken away again. How it stands is an
// attribute of the page, by which styles show what belongs to that.
const workers = navigator.serviceWorker;
const home = new URL("../../", import.meta.url).pathname;
// Milliseconds before a failed attempt is tried again.
const AGAIN = 30000;
const isKit = (worker) => worker?.scriptURL.endsWith("/worker.js?kit");
// Whether it was begun on this page.
let begun = false;
let memory = {};
// A browser may keep nothing: SecurityError.
try { memory = localStorage; } catch { /* As long as the page. */ }

const stand = (state) => { root.dataset.kit = state; };

// Register a worker that takes over as soon as it is installed: the open page came from the server. It is told
// beforehand, for a busy WebKit may never say that it is installed.
async function place(address) {
  const found = await workers.register(home + address, { type: "module", updateViaCache: "imports" });
  const worker = found.installing ?? found.waiting ?? found.active;
  worker.postMessage({ type: "take-over" });
  await new Promise((done, fail) => {
    worker.onstatechange = () => {
      if (worker.state === "activated") done();
      if (worker.state === "redundant") fail("broken");
    };
    worker.onstatechange();
  });
  return worker;
}

async function take() {
  begun = true;
  stand("taking");
  try {
    await place("worker.js?kit");
    showReady();
    keepSafe();
  } catch (error) {
    // The worker may have said why. A browser that cannot run such a worker says so at once.
    if (root.dataset.kit === "taking") stand(error === "broken" || !navigator.onLine ? "broken" : "unable");
    setTimeout(() => root.dataset.kit === "broken" && take(), AGAIN);
  }
}

// Ask the browser to erase nothing of it.
async function keepSafe() {
  root.dataset.kept = await navigator.storage?.persist?.();
}

// On the board once.
function showReady() {
  stand("taken");
  if (find(".forgets")) keepSafe();
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
    const { active } = await workers.getRegistration(home) ?? {};
    const { waiting } = isKit(active) ? await (await fetch(`${home}offline/status`)).json() : {};
    if (waiting) return stand("waits");
    (await place("worker.js")).postMessage({ type: "leave" });
  } catch {
    return stand("unsure");
  }
  memory.kit = "off";
  stand("off");
}

onTap("#leave-behind", leave);
onTap("#take-along", () => {
  memory.kit = "on";
  take();
});

function hear({ data }) {
  if (data?.type !== "taking") return;
  if (data.error) stand(data.error);
  else for (const bar of all(".along progress")) bar.value = data.done / data.all;
}

// It takes a secure context, which has workers, and a browser that can run one; else another page tries it.
async function start() {
  const nearest = await workers.getRegistration(home);
  // One for all of the host is another's.
  const found = nearest?.scope.endsWith(home) ? nearest : undefined;
  if (isKit(found?.active)) {
    found.active.postMessage({ type: "take-over" });
    showReady();
  } else if ([found?.waiting, found?.installing].some(isKit)) take();
  else {
    stand(memory.kit === "off" ? "off" : "none");
    takeByItself();
    afterSwap(takeByItself);
    if (!begun) place("worker.js").catch(() => {});
  }
  for (const part of all(".along")) part.hidden = false;
}

if (workers && window.WebAssembly) {
  workers.addEventListener("message", hear);
  start().catch(() => {});
}
