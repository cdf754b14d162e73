// The line on every page about changes that are only on this phone: written by the score keeper,
// asked of the worker, which that also keeps alive.
// Milliseconds: how often it is asked.
const OFTEN = 20000;
let status;

async function ask() {
  if (!isKit(workers?.controller)) return;
  const answer = await fetch(`${home}offline/status`).catch(() => {});
  if (!answer?.ok) return;
  follow(await answer.json());
  // A newer release is taken into use when nobody is in the middle of a game, and what waits can be pushed by
  // it; not after an entry, where a page that is on its way would be lost with the old worker.
  if (!(status.waiting && status.away) && !plays()) (await workers.getRegistration())?.waiting?.postMessage({ type: "take-over" });
}

function follow(told) {
  if (told.line !== status?.line) put(told.line ?? "");
  status = told;
  // At a table that is on this phone no page needs to keep what is tapped.
  const table = find("#unsent")?.dataset.unsent.split("/").pop();
  root.dataset.held = isKit(workers.controller) && told.held.includes(table) ? table : "";
  // Scripts that wait for a network try again, also where the browser saw it all along.
  if (!told.away && find("#live.away")) dispatchEvent(new Event("online"));
}

function put(html) {
  const old = find("#only-here");
  if (old && html.includes(old.dataset.of)) return;
  old?.remove();
  // What was listed as waiting has arrived.
  if (!html && find("#waits")) location.reload();
  document.body.insertAdjacentHTML("afterbegin", html);
  const line = find("#only-here");
  // Read out when it begins and when it gets more pressing; not with every entry.
  if (line?.className !== old?.className) write(line ? text(line) : "", find("#aloud"));
}

workers?.addEventListener("message", ({ data }) => data?.type === "status" && follow(data));
// Others may have written: this phone's copies of the table are fetched anew.
afterSwap(() => workers?.controller?.postMessage({ type: "changed" }));
on("visibilitychange", () => document.hidden || ask());
addEventListener("pageshow", ask);
setInterval(() => !document.hidden && (status?.away || status?.waiting) && ask(), OFTEN);
ask();
