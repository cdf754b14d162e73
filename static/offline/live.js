// The live stream of a table: the server's; and where this phone answers, one word that there is
// none just now, so that the page waits in peace until it is told of the network.
import { look, network } from "./network.js";
import { tableOf } from "./router.js";
import { mustAnswerNow } from "./status.js";

const AWAY = "retry: 60000\nevent: away\ndata: {}\n\n";
// Milliseconds: a stream that is asked for again so soon has broken off.
const SOON = 15000;
let asked = -SOON;

export function answerLive(event) {
  if (network.away || mustAnswerNow(tableOf(new URL(event.request.url).pathname))) {
    const headers = { "Content-Type": "text/event-stream", "Cache-Control": "no-store" };
    return event.respondWith(new Response(AWAY, { headers }));
  }
  // The browser gets the stream itself: it lasts longer than a worker does.
  if (performance.now() - asked < SOON) event.waitUntil(look());
  asked = performance.now();
  return undefined;
}
