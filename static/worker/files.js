// Static files, and the words for when nothing else is there.

const FILES = `files-1${PLACE}`;
const LINKED = /(?:src|href)="([^"]*\/static\/[^"]+)"/g;
const REASONS = ["page", "sent", "full", "broken", "unreadable", "incomplete", "failed"];
// For a table's script, which sends the same again after the other.
const REFUSED = 422;
const UNAVAILABLE = 503;

// A file's address changes with its content, so a copy is as good as the file.
async function answerFile(request) {
  const copy = await caches.match(request.url);
  if (copy) return copy;
  const files = await caches.open(FILES);
  const response = await ask(request, NO_OTHER_WAY);
  if (response?.ok && request.url.includes("?")) await keepFile(files, request.url, response.clone());
  return response ?? await files.match(request.url, { ignoreSearch: true }) ?? Response.error();
}

async function keepFile(files, url, response) {
  await files.delete(url, { ignoreSearch: true });
  await files.put(url, response).catch(() => {});
}

// Pages in the language of this phone, with their styles and scripts.
async function takeWords() {
  const files = await caches.open(FILES);
  for (const url of REASONS.map(wordsFor)) {
    await files.put(url, await (phone.alone ? answer({ method: "GET", url }) : fetchWhole(url, { cache: "no-store" })));
  }
  const html = await (await files.match(wordsFor("page"))).text();
  for (const [, part] of html.matchAll(LINKED)) await answerFile(new Request(new URL(part, HOME)));
}

async function fetchWhole(url, options) {
  const response = await fetch(url, options);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response;
}

const wordsFor = (reason) => `${HOME}away/${reason}`;

// Say why a request has no answer.
async function explain(reason, request) {
  const words = await caches.match(wordsFor(reason));
  const status = request.headers.has("HX-Request") ? REFUSED : UNAVAILABLE;
  return words ? new Response(words.body, { status, headers: words.headers }) : Response.error();
}
