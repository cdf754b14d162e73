// Routing of requests: to the server, or to this phone.

const TABLE = /^\/t\/([^/]+)/;
// Those of the phone's own calls that pages know, and what was put behind others' changes and is taken out again.
const OWN = /^\/offline\/|\/decide$/;

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
  if (phone.alone || OWN.test(path)) return phone.kit;
  return path === "/offline" ? links.length || unread : links.includes(tableOf(request));
}

// A page, a part of one, or a form.
async function answerPage(request) {
  const sent = await copyOf(request);
  if (isOnlyHere(request) || (phone.kit && away)) return answerHere(request, sent);
  const response = await ask(patience(request, sent), sent.body ? new Request(sent.url, sent) : request);
  if (!response) return phone.kit ? answerHere(request, sent) : explain(request);
  const accepted = response.ok || response.type === "opaqueredirect";
  if (phone.kit && accepted && !isRead(request)) followWrite(tableOf(request), sent);
  return response;
}

// Where this phone cannot answer, an early timeout does not help; a form with files takes its time.
function patience(request, { body }) {
  const table = tableOf(request);
  if (!phone.kit || (table && !phone.status.held.includes(table))) return NO_OTHER_WAY;
  return PATIENCE + (body?.length ?? 0);
}

// To be answered here, or sent on: a request whose body was read has to be made anew.
async function copyOf(request) {
  const { method, url, headers, referrer, redirect } = request;
  const body = isRead(request) ? undefined : new Uint8Array(await request.clone().arrayBuffer());
  return { method, url, headers: [...headers], referrer, redirect, body };
}

async function answerHere(request, sent) {
  await phone.following;
  const found = await answer(sent).catch((error) => {
    logError(error);
    return answer({ ...sent, method: "GET", url: `/away/${error.name}`, body: undefined });
  }).catch(() => explain(request));
  if (found.status !== 404) return found;
  if (!phone.alone) return tableOf(request) ? explain(request) : found;
  // What the host has below the same address is none of ours.
  const other = isRead(request) && await ask(PATIENCE, request);
  return other?.ok ? other : found;
}

// Say why nothing answers; a script's request waits in the page for the server.
function explain(request) {
  if (!isPage(request)) return Response.error();
  const words = phone.words[isRead(request) ? "page" : "sent"].replace("#back", () => request.referrer);
  return new Response(words, { status: 503, headers: { "Content-Type": "text/html" } });
}
