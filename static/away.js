// Shown in place of a page that is not here: it comes by itself, or there is a way back.
"use strict";

const OFTEN = 3000;
const home = new URL("../", document.currentScript.src).href;
const back = document.querySelector("#back");
if (back && document.referrer) back.href = document.referrer;

async function comeBack() {
  const answer = !document.hidden && await fetch(`${home}healthz`).catch(() => undefined);
  if (answer?.ok) location.reload();
}
// A form is not sent again by itself.
if (document.querySelector("#comes")) setInterval(comeBack, OFTEN);
