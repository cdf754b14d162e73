// The score keeper in the browser's service worker: it answers when the server cannot.
import { answerFile, answerFromKit } from "./files.js";
import { handOver } from "./hand_over.js";
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
phone.changed = tell;
network.slow = () => prepare().catch(() => {});
network.changed = () => {
  if (network.away) prepare().catch(() => {});
  else handOver();
  saveAway(network.away).catch(() => {});
  tell();
};
// What was known before the worker was ended.
const resumed = Promise.race([resume(loadAway()).catch(() => {}), new Promise((go) => setTimeout(go, 1000))]);
readStatus().catch(() => {});

addEventListener("install", (event) => event.waitUntil(install(KIT)));
addEventListener("activate", (event) => event.waitUntil(activate(KIT).then(refreshSoon)));
addEventListener("sync", (event) => event.waitUntil(handOver()));
addEventListener("online", look);
addEventListener("offline", look);
addEventListener("message", (event) => {
  const act = MESSAGES[event.data?.type];
  if (act) event.waitUntil(act());
});
const MESSAGES = { "take-over": takeOver, "hand-over": handOver, changed: refreshSoon };

// What is asked of the worker itself, below /offline/.
const OWN = {
  status: async () => Response.json(await describe(), { headers: { "Cache-Control": "no-store" } }),
  ping: async () => new Response(null, { status: 204 }),
  file: giveFile,
  aside: beginAnew,
};
// No pages: for programs, the worker's own files, and what tells whether there is a network.
const ELSEWHERE = /^\/(api\/.*|healthz|sw\.js|offline\/(worker\.js|kit\.json|tables|replicas))$/;

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin || ELSEWHERE.test(pathname) || !isOurs(request)) return;
  const own = OWN[/^\/offline\/(\w+)$/.exec(pathname)?.[1]];
  if (own) event.respondWith(own(request));
  else if (pathname.startsWith("/offline/")) event.respondWith(answerFromKit(request));
  else if (pathname.startsWith("/static/")) event.respondWith(answerFile(request));
  else if (pathname.endsWith("/live")) answerLive(event);
  else event.respondWith(resumed.then(() => answerPage(request)));
});
