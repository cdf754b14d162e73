// Stands for a page of a table with the outbox in it: elements are found by their selector alone.
import vm from "node:vm";

import { read, settled, WITHOUT_YOUNG } from "./stand_ins.mjs";

function makeElement(values = {}) {
  const classes = new Set();
  const heard = {};
  return {
    dataset: {}, textContent: "", hidden: false, open: false, classes, heard, children: [],
    classList: {
      add: (name) => classes.add(name),
      remove: (name) => classes.delete(name),
      toggle: (name, on) => (on ? classes.add(name) : classes.delete(name)),
    },
    addEventListener: (type, act) => { heard[type] = act; },
    replaceChildren(...children) { this.children = children; },
    closest: () => null,
    matches: () => false,
    focus() { this.focused = true; },
    ...values,
  };
}

// What the server answers.
export const answerOf = (page, status = 200) => (
  { status, text: JSON.stringify(page), headers: new Map([["X-Request-Id", "1"]]) });

export function openPage({ storage = {}, seq = 5, held = "" } = {}) {
  const found = new Map(), heard = {}, asked = [];
  const hear = (type, act) => { (heard[type] ??= []).push(act); };
  const page = { asked, storage, heard, seq, hints: [], closed: 0 };
  const box = makeElement({ dataset: { unsent: "/t/x", refused: "refused" }, isBox: true });
  const find = (selector) => {
    if (selector === "#unsent") return box;
    if (!found.has(selector)) found.set(selector, makeElement());
    return found.get(selector);
  };
  const body = makeElement({ dataset: { unsent: "waits" } });
  const document = { body };
  // What htmx does with a request: it is sent, answered or not, shown or not, and done.
  const happen = (type, ctx) => {
    let prevented = false;
    for (const act of heard[type]) act({ detail: { ctx }, preventDefault() { prevented = true; } });
    return !prevented;
  };
  async function send(ctx) {
    if (happen("htmx:before:request", ctx)) {
      const answer = await new Promise((done) => asked.push({ action: ctx.request.action, body: ctx.request.body, answer: done }));
      if (answer) {
        const { text, ...response } = answer;
        Object.assign(ctx, { response, text, hx: { retarget: "#ask" } });
        if (happen("htmx:after:request", ctx)) page.shown = { ...JSON.parse(text), target: ctx.hx.retarget };
      }
    }
    happen("htmx:finally:request", ctx);
  }
  const makeRequest = (action, sourceElement, values = {}) => (
    { sourceElement, target: { id: "table" }, ...values, request: { method: "POST", action, body: new URLSearchParams(), ...values.request } });
  const context = {
    find, document, on: hear, URLSearchParams, localStorage: storage, addEventListener: hear,
    all: (selector, within) => (selector === ".said" ? [within] : []), text: ({ textContent }) => textContent,
    write: (words, part) => { part.textContent = words; }, parse: (html) => ({ textContent: JSON.parse(html).said ?? "" }),
    onTap: (_, act) => { page.dismiss = act; }, hint: (words) => page.hints.push(words), closeSheet: () => { page.closed += 1; }, mean() {},
    lost: "lost", sending: undefined, root: { dataset: { held } },
    htmx: { ajax: (_, action, { source, entry }) => send(makeRequest(action, source, { entry })) },
    setInterval: (...given) => setInterval(...given),
  };
  vm.runInNewContext(WITHOUT_YOUNG + read("outbox.js"), context);
  return Object.defineProperties(page, Object.getOwnPropertyDescriptors({
    box,
    get shownWords() { return find("[role=status]").textContent; },
    get kept() { return { entries: [], why: "", ...JSON.parse(storage["unsent:/t/x"]) }; },
    get words() { return page.kept.entries.map(({ words }) => words); },
    // Tap what stands in a cell or, where it is `asked` for, on a sheet; `due` is what the table waits for.
    async tap(words, { due = false, idle = false, sheet = false, action = "/t/x/events" } = {}) {
      const button = makeElement({
        textContent: words, dataset: {}, getAttribute: () => words, matches: (selector) => idle && selector === "[aria-disabled]",
        closest: (selector) => ((due && selector.startsWith("[data-due]")) || (sheet && selector === "#ask") ? {} : null),
      });
      const body = new URLSearchParams({ seq: page.seq, event: words });
      send(makeRequest(action, button, { request: { body, submitter: button } }));
      await settled();
    },
    // Let the last request be answered, or fail.
    async answer(answer) {
      asked.slice(-1)[0].answer(answer);
      await settled();
    },
    fail: () => page.answer(),
    async dispatch(type) {
      for (const act of heard[type]) act();
      await settled();
    },
  }));
}

export const sent = ({ body }) => Object.fromEntries(body);
