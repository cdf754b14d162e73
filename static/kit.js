// Whether this phone has taken the score keeper along, to play without a network. What there is to
// do about it comes with a script of its own, for the phones and pages that need it.
"use strict";

const workers = navigator.serviceWorker;
const root = document.documentElement;
let { part } = root.dataset;
// What all our addresses begin with.
const home = part.split("static/bundles")[0];

// Also while it is only just being put in place of the other worker.
function isKit(found) {
  return [found?.active, found?.waiting, found?.installing]
    .some((worker) => worker?.scriptURL.endsWith("/offline/worker.js"));
}

function load(src) {
  document.head.append(Object.assign(document.createElement("script"), { type: "module", src }));
}
// What is not needed to play, once the page is at rest.
if (root.dataset.script) setTimeout(load, 300, root.dataset.script);

// It takes a secure context, which has workers, and a browser that can run what is taken along.
function offer() {
  if (!workers || !window.WebAssembly || !part || !(find("#along") || root.dataset.kit !== "none")) return;
  load(part);
  part = "";
}
document.addEventListener("htmx:after:swap", offer);

workers?.getRegistration().then((found) => {
  root.dataset.kit = isKit(found) ? "taken" : localStorage.kit ?? "none";
  offer();
}).catch(() => {});
