// What is only on this phone, in one line of every page: written by the score keeper, told by the
// worker that has taken it along, which asking also keeps alive.
// Milliseconds: how often it is asked, and for how long after a touch nothing moves.
const OFTEN = 20000;
const STILL = 700;
let status, touched = 0;

async function ask() {
  if (!isKit(workers?.controller)) return;
  try {
    const answer = await fetch(`${home}offline/status`, { cache: "no-store" });
    if (answer.ok) await follow(await answer.json());
  } catch { /* What is shown stays. */ }
}

async function follow(told) {
  status = told;
  // What waits for a network looks again, also where the browser took it for there all along.
  if (!told.away && find("#live.away")) dispatchEvent(new Event("online"));
  // A newer release is taken into use when nobody is in the middle of a game; the next page is of it.
  if (told.update && !plays()) (await workers.getRegistration())?.waiting?.postMessage({ type: "take-over" });
  const line = find("#only-here", new DOMParser().parseFromString(told.line, "text/html"));
  await dress(line);
  await untouched();
  if (status === told) put(line);
}

// Its style has to be there before it.
async function dress(line) {
  const style = line && find("link", line);
  style?.remove();
  if (!style || find(`head link[href="${style.getAttribute("href")}"]`)) return;
  await new Promise((done) => {
    style.onload = style.onerror = done;
    document.head.append(style);
  });
}

function put(line) {
  const old = find("#only-here");
  if (line && old?.dataset.of === line.dataset.of) return;
  if (old?.className !== line?.className) announce(line ? text(line) : "");
  if (old && line) old.replaceWith(line);
  else if (line) document.body.prepend(line);
  else old?.remove();
}

// Read out when it begins and when it gets more pressing; not with every entry.
function announce(words) {
  let aloud = find("#only-here-aloud");
  if (!aloud) {
    aloud = Object.assign(document.createElement("p"), { id: "only-here-aloud", className: "unseen", role: "status" });
    document.body.append(aloud);
  }
  setTimeout(() => write(words, aloud), 100);
}

// Nothing moves under a finger.
for (const name of ["pointerdown", "pointerup"]) {
  addEventListener(name, () => { touched = Date.now(); }, { capture: true, passive: true });
}
async function untouched() {
  while (Date.now() - touched < STILL) await new Promise((go) => setTimeout(go, 100));
}

workers?.addEventListener("message", ({ data }) => data?.type === "status" && follow(data));
workers?.addEventListener("controllerchange", ask);
// Others may have written: what this phone has of the table is fetched anew.
document.addEventListener("htmx:after:swap", () => workers?.controller?.postMessage({ type: "changed" }));
document.addEventListener("visibilitychange", () => document.hidden || ask());
addEventListener("pageshow", ask);
setInterval(() => !document.hidden && (status?.away || status?.waiting) && ask(), OFTEN);
ask();
