// What the tests of the scripts share: a script in a world of its own, in which the test has the say.
import { readFileSync } from "node:fs";
import vm from "node:vm";

const STATIC = new URL("../../static/", import.meta.url);

// What browsers got after 2020 is in no test: neither here nor, as this begins them, in the worlds of pages.
export const WITHOUT_YOUNG = `
  for (const type of [Array, Uint8Array, String]) delete type.prototype.at;
  for (const name of ["findLast", "findLastIndex"]) delete Array.prototype[name];
  delete globalThis.AbortSignal?.any;
  delete globalThis.AbortSignal?.timeout;
  delete globalThis.Response?.json;
`;
vm.runInThisContext(WITHOUT_YOUNG);

export function read(name) {
  return readFileSync(new URL(name, STATIC), "utf8");
}

// Set what a browser has and Node has not, or otherwise.
export function setGlobals(values) {
  for (const [name, value] of Object.entries(values)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
}

// When all has been done that waits for no clock.
export async function settled() {
  for (let turn = 0; turn < 60; turn += 1) await new Promise(setImmediate);
}

// Stands for fetch: each request waits in `asked` until the test answers, refuses or lets it be.
export function makeFetch() {
  const asked = [];
  const fetch = (request, options = {}) => new Promise((answer, refuse) => {
    const url = request.url ?? request;
    asked.push({ url, request, options, answer, refuse });
    options.signal?.addEventListener("abort", () => refuse(options.signal.reason));
  });
  return { fetch, asked };
}

export const ours = (body = "", status = 200) =>
  new Response(body, { status, headers: { "X-Request-Id": "1" } });
