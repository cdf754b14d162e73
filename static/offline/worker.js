// The score keeper in the browser's service worker: it answers when the server cannot.
import { answerFile, answerFromKit } from "./files.js";
import { handOver, handOverMore } from "./hand_over.js";
import { KIT } from "./kit.js";
import { activate, install, takeOver } from "./life.js";
import { answerLive } from "./live.js";
import { look, network, resume } from "./network.js";
import { phone, prepare, readStatus } from "./phone.js";
import { refreshSoon } from "./replicas.js";
import { beginAnew, giveFile } from "./rescue.js";
import { answerPage, isOurs } from "./router.js";
import { describe, tell } from "./status.js";
import { loadAway, saveAway } from "./storage.js";

phone.kit = KIT;
phone.changed = () => {
  tell();
  handOverMore(phone.status);
  // Once there is a network the browser may wake a worker by itself.
  if (phone.status.waiting) registration.sync?.register("hand-over").catch(() => {});
};
network.slow = () => prepare().catch(() => {});
network.changed = () => {
  if (network.away) prepare().catch(() => {});
  else handOver();
  saveAway(network.away).catch(() => {});
  tell();
};
// With the first request, which only a worker gets that is used, and not one that waits: what was
// known before it was ended, and whether anything is still to be handed over.
let resuming;
function resumed() {
  resuming ??= Promise.race([begin().catch(() => {}), new Promise((go) => setTimeout(go, LONGEST_BEGIN))]);
  return resuming;
}
const LONGEST_BEGIN = 1000;

async function begin() {
  const [away] = await Promise.all([loadAway(), readStatus()]);
  resume(away);
  handOver();
}

addEventListener("install", (event) => event.waitUntil(install(KIT)));
addEventListener("activate", (event) => event.waitUntil(activate(KIT).then(refreshSoon)));
addEventListener("sync", (event) => event.waitUntil(resumed().then(look).then(handOver)));
addEventListener("online", () => resuming && look());
addEventListener("offline", () => resuming && look());
addEventListener("message", (event) => {
  const act = MESSAGES[event.data?.type];
  if (act) event.waitUntil(act());
});
const MESSAGES = {
  claim: () => clients.claim(), "take-over": takeOver, "hand-over": () => resumed().then(look).then(handOver), changed: refreshSoon,
};

// What is asked of the worker itself, below /offline/.
const OWN = {
  status: async () => {
    await resumed();
    return Response.json(await describe(), { headers: { "Cache-Control": "no-store" } });
  },
  ping: async () => {
    await resumed();
    return new Response(null, { status: 204 });
  },
  file: giveFile,
  aside: beginAnew,
};
// No pages: for programs, the worker's own files, and what tells whether there is a network.
const ELSEWHERE = /^\/(api\/.*|healthz|sw\.js|offline\/(worker\.js|kit\.json|tables\/.*|replicas))$/;

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin || ELSEWHERE.test(pathname) || !isOurs(request)) return;
  const own = OWN[/^\/offline\/(\w+)$/.exec(pathname)?.[1]];
  if (own) event.respondWith(own(request));
  else if (pathname.startsWith("/offline/")) event.respondWith(answerFromKit(request));
  else if (pathname.startsWith("/static/")) event.respondWith(answerFile(request));
  else if (pathname.endsWith("/live")) answerLive(event);
  else event.respondWith(resumed().then(() => answerPage(request)));
});
