// Stands for a page: its parts are what a test gives by their selector.
import vm from "node:vm";

import { read, settled, WITHOUT_YOUNG } from "./stand_ins.mjs";

export function makePart(values = {}) {
  const classes = new Set();
  return {
    dataset: {}, textContent: "", hidden: false, classes,
    classList: {
      add: (name) => classes.add(name),
      remove: (name) => classes.delete(name),
      toggle: (name, on) => (on ? classes.add(name) : classes.delete(name)),
    },
    closest: () => null,
    matches: () => false,
    querySelector: () => null,
    addEventListener() {},
    ...values,
  };
}

export function openParts(names, parts, globals = {}) {
  const heard = {};
  const hear = (type, act) => { (heard[type] ??= []).push(act); };
  const list = (selector) => [parts[selector] ?? []].flat();
  const dispatch = async (type, values = {}) => {
    const event = {
      target: makePart(), prevented: false, stopped: false,
      preventDefault() { event.prevented = true; },
      stopImmediatePropagation() { event.stopped = true; },
      ...values,
    };
    for (const act of heard[type] ?? []) if (!event.stopped) act(event);
    await settled();
    return event;
  };
  const body = makePart({ dataset: { away: "away", lost: "lost", again: "again?" } });
  const document = {
    body, documentElement: { dataset: {} }, hidden: false, addEventListener: hear, dispatchEvent: ({ type }) => dispatch(type),
    querySelector: (selector) => list(selector)[0] ?? null, querySelectorAll: list,
  };
  const context = vm.createContext({
    matchMedia: () => ({ matches: false }), navigator: {},
    document, addEventListener: hear, Date, Event, URLSearchParams, clearTimeout: (timer) => clearTimeout(timer),
    setTimeout: (act, wait = 0, ...given) => setTimeout(act, wait, ...given), performance: { now: () => Date.now() }, ...globals,
  });
  vm.runInContext(WITHOUT_YOUNG, context);
  for (const name of names) vm.runInContext(read(name), context);
  return { dispatch, body, document, run: (code) => vm.runInContext(code, context) };
}
