// Events of others arrive by a stream; a hidden page has none.

const live = find("#live");
const table = live.dataset.live;
// A stream that says nothing for so long may have died without telling.
const QUIET = 45000;
// A tap on a cell so shortly after the table changed was meant for the table before.
const GLANCE = 800;
let stream, timer;
// The tap of this phone that is under way: then the table changes by our own doing.
let sending;

// A stream begins with the table as it stands; a keeper, whose pen may be gone, is told all of it.
function listen() {
  hush();
  if (document.hidden) return;
  timer = setTimeout(listen, QUIET);
  const seen = find(".reads") ? shown() : 0;
  stream = new EventSource(`${table}/live${location.search || "?"}&seen=${seen}`);
  stream.addEventListener("table", async ({ data, lastEventId: seq }) => {
    clearTimeout(timer);
    timer = setTimeout(listen, QUIET);
    mark("on");
    // A keeper whose pen was taken back gets a page to read on, with the taps that were not written.
    if (data.includes('"follow"') && !find(".reads")) return location.reload();
    const was = shown(), ours = sending;
    if (seq <= was) return;
    await swap(data);
    if (ours) return;
    mean("#table", was);
    setTimeout(mean, GLANCE, "#table");
  });
  // This phone answers for the table; its worker tells when there is a network.
  stream.addEventListener("away", () => {
    hush();
    mark("away");
  });
  stream.addEventListener("gone", () => location.reload());
  stream.addEventListener("error", () => {
    // The browser tries again by itself, unless it was answered with a refusal.
    mark("off");
    if (stream.readyState !== EventSource.CLOSED) return;
    clearTimeout(timer);
    timer = setTimeout(again, 5000 * (1 + Math.random()));
  });
}

function hush() {
  stream?.close();
  clearTimeout(timer);
}

function mark(how) {
  live.className = how;
  write(live.dataset[how] ?? "", live);
  if (how !== "off") document.dispatchEvent(new Event("live"));
}

// A table that is gone has no stream.
async function again() {
  const { status } = await fetch(table).catch(() => ({}));
  if (status === 404) location.reload();
  else listen();
}

async function swap(text, target = find("[data-seq]"), how = "outerMorph") {
  await htmx.swap({ text, target, swap: how, sourceElement: document.body });
}

// Of an answer that is no table, or an older one, only the words are shown.
on("htmx:before:swap", (event) => {
  const { ctx, tasks } = event.detail;
  if (ctx.target.id !== "table" || find("[data-seq]", tasks[0].fragment)?.dataset.seq >= shown()) return;
  event.preventDefault();
  announce(all(".said", tasks[0].fragment).map(text).join(" "));
  listen();
});

// Say which version of the table its forms are meant for.
function mean(forms, seq = shown()) {
  for (const field of all(`${forms} [name=seq]`)) field.value = seq;
}

on("visibilitychange", listen);
for (const type of ["pageshow", "online", "offline"]) addEventListener(type, listen);
addEventListener("pagehide", hush);

// An event recorded since the page was opened is news; an older or an undone one is none.
let told = facts();
afterSwap(() => {
  const news = facts() - told;
  told = facts();
  if (!news) return;
  // What was chosen was of the table before.
  for (const pick of all("#table [type=radio]")) pick.checked = pick.defaultChecked;
  document.body.classList.toggle("news", news > 0);
  // The keeper's phone, which lies among the cards, tells by hand too.
  if (news > 0 && find(".loud, .result") && find(".undo") && !still.matches) navigator.vibrate?.(60);
});
