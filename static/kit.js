// Whether this phone has taken the score keeper along, to play without a network. What there is to
// do about it comes with scripts of its own, on the phones and pages that need them.
"use strict";

const workers = navigator.serviceWorker;
const root = document.documentElement;
const scripts = root.dataset.scripts.split(" ");

// Also while it is only just being put in place of the other worker.
function isKit(found) {
  return [found?.active, found?.waiting, found?.installing]
    .some((worker) => worker?.scriptURL.endsWith("/offline/worker.js"));
}

function need(place) {
  if (!scripts[place]) return;
  const script = Object.assign(document.createElement("script"), { type: "module", src: scripts[place] });
  document.head.append(script);
  scripts[place] = "";
}

// Needs a secure context, which has workers, and a browser that can run what is taken along.
function offer() {
  const along = find("#along");
  if (!workers || !window.WebAssembly) return;
  if (along) along.hidden = false;
  if (along || root.dataset.kit === "taking") need(0);
  if (root.dataset.kit === "taken") need(1);
}
offer();
document.addEventListener("htmx:after:swap", offer);

workers?.getRegistration().then((found) => {
  root.dataset.kit = isKit(found) ? "taken" : localStorage.kit ?? "none";
  offer();
}).catch(() => {});
