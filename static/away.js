// Shown in place of a page that is not here: the way back, and the copies on this phone.
"use strict";

const OFTEN = 3000;
const find = (selector, within = document) => within.querySelector(selector);
const home = new URL("../", document.currentScript.src).href;
const back = find("#back");
const kept = find("#kept");
if (back && document.referrer) back.href = document.referrer;

async function comeBack() {
  const answer = !document.hidden && await fetch(`${home}healthz`).catch(() => undefined);
  if (answer?.ok) location.reload();
}
// A form is not sent again by itself.
if (kept && !back) setInterval(comeBack, OFTEN);

async function listKept() {
  const pages = await caches.open("pages-1");
  for (const { url } of (await pages.keys()).reverse()) {
    const copy = await pages.match(url);
    const html = new DOMParser().parseFromString(await copy.text(), "text/html");
    if (url !== home && url.startsWith(home)) list(url, html);
  }
}

// By its title, and those who play there.
function list(url, { title, body }) {
  const players = [...body.querySelectorAll(".heads .name")].map(({ textContent }) => textContent);
  const item = find("template", kept).content.cloneNode(true);
  const time = { weekday: "short", hour: "2-digit", minute: "2-digit" };
  find("a", item).href = url;
  find("b", item).textContent = players.length ? `${title}: ${players.join(", ")}` : title;
  find("small", item).textContent = new Date(body.dataset.known).toLocaleString(document.documentElement.lang, time);
  find("ul", kept).append(item);
  kept.hidden = false;
}
if (kept) listKept();
