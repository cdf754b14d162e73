// Stands for a page of a table with the outbox in it: elements are found by their selector alone.
import vm from "node:vm";

import { makeFetch, read, settled, WITHOUT_YOUNG } from "./stand_ins.mjs";

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

// What is kept on the phone; it outlives a page.
export class Storage {
  items = new Map();
  getItem(key) { return this.items.get(key) ?? null; }
  setItem(key, value) { this.items.set(key, value); }
  removeItem(key) { this.items.delete(key); }
}

// What the server answers: the page of the table, or a sheet.
export const answerOf = (page, status = 200) =>
  ({ status, text: async () => JSON.stringify(page) });

export function openPage({ storage = new Storage(), seq = 5 } = {}) {
  const { fetch, asked } = makeFetch();
  const found = new Map();
  const heard = {};
  const hear = (type, act) => { (heard[type] ??= []).push(act); };
  const page = { asked, storage, heard, seq, said: [], hints: [] };
  const box = makeElement({
    dataset: { unsent: "/t/x", kept: "kept", refused: "refused" },
  });
  const find = (selector) => {
    if (selector === "#unsent") return box;
    if (!found.has(selector)) found.set(selector, makeElement());
    return found.get(selector);
  };
  const body = makeElement({ dataset: { unsent: "waits" } });
  const document = { addEventListener: hear, dispatchEvent() {}, body, hidden: false };
  const context = {
    find, document, fetch, URLSearchParams,
    all: (selector, within) => (selector === ".said" ? [within] : []), text: ({ textContent }) => textContent, write: (words, part) => { part.textContent = words; },
    shown: () => page.seq, seen: () => page.seq, announce: (words) => page.said.push(words), hint: (words) => page.hints.push(words),
    settle() {}, closeSheet() {}, lost: "lost", sending: false, dialog: makeElement(),
    renewSheet() {}, swap() {}, show: async (seq) => { page.shown = seq; }, listen() {}, location: { reload: () => { page.reloaded = true; } },
    parse: (html) => {
      const found = JSON.parse(html);
      return found && makeElement({ dataset: found, textContent: found.said ?? "", matches: () => Boolean(found.ask) });
    },
    localStorage: storage, addEventListener: hear,
    AbortController, Event,
    setTimeout: (...given) => setTimeout(...given), clearTimeout: (timer) => clearTimeout(timer),
  };
  // Which board follows nobody knows here.
  const ahead = "boards = { words: { next: '{what} waits' } }";
  vm.runInNewContext(WITHOUT_YOUNG + read("outbox.js") + ahead, context);
  return Object.defineProperties(page, Object.getOwnPropertyDescriptors({
    box, body: document.body,
    get shownWords() { return find("[role=status]").textContent; },
    get kept() { return JSON.parse(storage.getItem("unsent:/t/x")) ?? { entries: [], why: "" }; },
    get words() { return page.kept.entries.map(({ words }) => words); },
    // Tap what stands in a cell; `due` is what the table waits for, `moves` takes it on to the next.
    async tap(words, { due = false, moves = false, idle = false, action = "/t/x/events" } = {}) {
      const button = makeElement({
        getAttribute: () => words, matches: (selector) => idle && selector === "[aria-disabled]",
        dataset: moves ? { moves: "" } : {},
        closest: (selector) => (due && selector === "[data-due]" ? {} : null),
      });
      const body = new Map([["seq", String(page.seq)], ["event", words]]);
      const ctx = { request: { method: "POST", action, body, submitter: button }, target: { id: "table" }, sourceElement: makeElement() };
      let prevented = false;
      for (const act of heard["htmx:config:request"]) act({ detail: { ctx }, preventDefault() { prevented = true; } });
      await settled();
      return prevented;
    },
    undo: () => page.tap("Undo", { action: "/t/x/undo" }),
    dismiss: () => find(".go").heard.click(),
    // Let the last request be answered, or fail.
    async answer(answer) {
      asked.slice(-1)[0].answer(answer);
      await settled();
    },
    async fail() {
      asked.slice(-1)[0].refuse(new TypeError("no network"));
      await settled();
    },
    async dispatch(type) {
      for (const act of heard[type]) act();
      await settled();
    },
  }));
}

export const sent = ({ options: { body } }) => Object.fromEntries(body);
