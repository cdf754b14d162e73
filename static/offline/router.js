// Which way a request goes: to the server, or to this phone.
import { Incomplete } from "./boot.js";
import { findPage, forgetGone } from "./copies.js";
import { catchUp, noteWrite } from "./replicas.js";
import { isHeld, mustAnswer } from "./status.js";
import { ask, look, network, NoAnswer, PATIENCE } from "./network.js";
import * as phone from "./phone.js";
import { StorageError } from "./storage.js";
import { explain } from "./words.js";

const READS = ["GET", "HEAD"];
const STYLES = /^\/static\/(app|pages)\.css\?/;
const UNEXPECTED = "failed";
const TABLE = /^\/t\/([^/]+)/;
// Milliseconds.
const PATIENCE_WITH_COPY = 4000;
const NO_OTHER_WAY = 30000;
// Bytes of a form with files in it, which may take its time.
const LARGE = 65536;

export function tableOf(pathname) {
  return TABLE.exec(pathname)?.[1];
}

// Whether a write comes from a page of ours. What another site's page sends is left to the browser
// and the server, who can tell: our pages always say where they are.
export function isOurs(request) {
  if (READS.includes(request.method)) return true;
  if (request.mode !== "navigate") return true;
  return request.referrer.startsWith(`${location.origin}/`);
}

// A page, a part of one, or a form.
export async function answerPage(request) {
  const { pathname } = new URL(request.url);
  const sent = await copyOf(request);
  const table = tableOf(pathname);
  if (await mustAnswer(table)) return answerHere(request, sent);
  if (network.away) {
    if (request.mode === "navigate") look();
    return answerAway(request, sent);
  }
  try {
    const response = await ask(toServer(request, sent), await patience(request, sent, table));
    return await heard(request, sent, response);
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    return answerAway(request, sent);
  }
}

// For what this phone has not, it is no help to give up early.
async function patience(request, { body }, table) {
  if (body.length > LARGE) return NO_OTHER_WAY;
  if (!table || await isHeld(table)) return PATIENCE;
  return await findPage(request) ? PATIENCE_WITH_COPY : NO_OTHER_WAY;
}

// What was sent, to be sent again or answered here.
export async function copyOf(request) {
  const body = READS.includes(request.method) ? new Uint8Array() : new Uint8Array(await request.clone().arrayBuffer());
  return { method: request.method, url: request.url, headers: [...request.headers], body };
}

// A navigation with a body can neither be called off nor sent on with its body read: it is made
// anew, which only `isOurs` may lead to.
function toServer(request, { method, url, headers, body }) {
  if (READS.includes(method)) return request;
  return new Request(url, {
    method,
    body,
    headers,
    mode: "same-origin",
    credentials: "same-origin",
    redirect: request.mode === "navigate" ? "manual" : request.redirect,
    referrer: request.referrer,
    signal: request.signal,
  });
}

async function heard(request, sent, response) {
  const { pathname } = new URL(request.url);
  if (request.mode === "navigate") await forgetGone(response, pathname);
  if (!READS.includes(request.method) && (response.ok || response.type === "opaqueredirect")) {
    await noteWrite(tableOf(pathname), sent);
  }
  return response;
}

// Without a network: this phone, where it has the table; a copy of a page that was seen.
async function answerAway(request, sent) {
  const table = tableOf(new URL(request.url).pathname);
  const response = await answerHere(request, sent);
  if (!table || response.status !== 404) return response;
  // A script's request waits in the page for an answer from the server.
  if (request.mode !== "navigate") return Response.error();
  return (READS.includes(request.method) && await findPage(request)) || response;
}

// The phone's answer, or in words why there is none.
export async function answerHere(request, sent) {
  try {
    return toResponse(await phone.inTurn(async () => {
      await catchUp();
      return phone.answer(sent);
    }), sent);
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === UNEXPECTED) console.error(error);
    return explain(reason, request, styles());
  }
}

function styles() {
  return phone.phone.kit.files.map(({ name }) => name).filter((name) => STYLES.test(name));
}

function reasonOf(error) {
  if (error instanceof StorageError) return error.reason;
  if (error instanceof phone.Unreadable) return "unreadable";
  return error instanceof Incomplete ? "incomplete" : UNEXPECTED;
}

function toResponse({ status, headers, body }, { method, url }) {
  const list = new Headers(headers);
  // What a worker makes up has no address of its own, to which another could be relative.
  if (list.has("Location")) list.set("Location", new URL(list.get("Location"), url));
  const empty = method === "HEAD" || [204, 205, 304].includes(status);
  return new Response(empty ? null : body, { status, headers: list });
}
