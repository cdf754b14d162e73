// Routing of requests: to the server, or to this phone.

const TABLE = /^\/t\/([^/]+)/;
// Bytes of a form with files in it, which may take its time.
const LARGE = 65536;
// So that a page waits in peace until it is told of the network.
const NO_STREAM = "retry: 60000\nevent: away\ndata: {}\n\n";

const isRead = ({ method }) => method === "GET";
const isPage = ({ mode }) => mode === "navigate";
const pathOf = ({ url }) => url.slice(HOME.length - 1).split(/[?#]/)[0];
const tableOf = (request) => TABLE.exec(pathOf(request))?.[1];

// A request of another site's page is left to the browser: from here it would look like ours.
function isOurs(request) {
  return isRead(request) || !isPage(request) || request.referrer.startsWith(`${location.origin}/`);
}

// Whether this phone has changes of its own: then it answers, network or not.
function isOnlyHere(request) {
  const { only_here: links, unread } = phone.status;
  const path = pathOf(request);
  // What was put behind others' changes is taken out again on the phone alone.
  if (phone.alone || path.endsWith("/decide")) return Boolean(phone.kit);
  return path === "/offline" ? links.length || unread : links.includes(tableOf(request));
}

// A page, a part of one, or a form.
async function answerPage(request) {
  const sent = await copyOf(request);
  if (isOnlyHere(request)) {
    const found = await answerHere(request, sent);
    return phone.alone && found.status === 404 && isRead(request) ? await askHost(request) ?? found : found;
  }
  if (phone.kit && network.away) return answerAway(request, sent);
  const response = await ask(sent.body ? new Request(sent.url, sent) : request, patience(request, sent));
  if (!response) return request.signal.aborted ? Response.error() : answerAway(request, sent);
  await followForm(request, sent, response);
  return response;
}

// What the host has below the same address is none of ours.
async function askHost(request) {
  const found = await ask(request, PATIENCE);
  return found?.ok ? found : undefined;
}

// Where this phone cannot answer, an early timeout does not help.
function patience(request, sent) {
  const table = tableOf(request);
  const large = sent.body?.length > LARGE;
  const here = phone.kit && !large && (!table || phone.status.held.includes(table));
  return here ? PATIENCE : NO_OTHER_WAY;
}

// To be answered here, or sent on: a request whose body was read has to be made anew.
async function copyOf(request) {
  const { method, url, headers, referrer, redirect } = request;
  const body = isRead(request) ? undefined : new Uint8Array(await request.clone().arrayBuffer());
  return { method, url, headers: [...headers], referrer, redirect, body };
}

async function followForm(request, sent, response) {
  const accepted = response.ok || response.type === "opaqueredirect";
  if (phone.kit && accepted && !isRead(request)) await followWrite(tableOf(request), sent);
}

// Without a network: this phone, where it has the table; else words.
async function answerAway(request, sent) {
  const found = phone.kit && await answerHere(request, sent);
  if (found && (found.status !== 404 || !tableOf(request))) return found;
  // A script's request waits in the page for the server.
  if (!isPage(request)) return Response.error();
  return explain(isRead(request) ? "page" : "sent", request);
}

async function answerHere(request, sent) {
  try {
    await phone.following;
    return await answer(sent);
  } catch (error) {
    logError(error);
    return explain(error.reason ?? "failed", request);
  }
}

// The stream of a table: left to the browser, where it lasts longer than a worker does.
function answerLive(event) {
  if (!phone.kit) return;
  if (network.away || isOnlyHere(event.request)) {
    event.respondWith(new Response(NO_STREAM, { headers: { "Content-Type": "text/event-stream" } }));
  // It is asked for again where it has broken off.
  } else event.waitUntil(look());
}
