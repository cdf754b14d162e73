// Shown in place of a page that is not here: the way back, and what is kept on this phone.
"use strict";

const OFTEN = 3000;
const find = (selector, within = document) => within.querySelector(selector);
const home = new URL("../", document.currentScript.src).href;
const { lang, dataset: { zone = "Europe/Stockholm" } } = document.documentElement;
const back = find("#back");
const kept = find("#kept");
if (back && document.referrer) back.href = document.referrer;

async function comeBack() {
  const answer = !document.hidden && await fetch(`${home}healthz`).catch(() => undefined);
  if (answer?.ok) location.reload();
}
// What was sent is not sent again by itself.
if (kept && !back) setInterval(comeBack, OFTEN);

async function listKept() {
  const pages = await caches.open("pages-1");
  for (const { url } of (await pages.keys()).reverse()) {
    const copy = await pages.match(url);
    const html = new DOMParser().parseFromString(await copy.text(), "text/html");
    const { known } = html.body.dataset;
    if (url !== home && url.startsWith(home) && known) list(url, nameOf(html), new Date(known));
  }
}

// A table by those who play there, where it has no other name.
function nameOf(html) {
  const players = [...html.querySelectorAll(".heads .name")].map(({ textContent }) => textContent);
  const title = players.length && html.title === "Chicago" ? "" : html.title;
  return [title, players.join(", ")].filter(Boolean).join(": ");
}

function list(url, name, when) {
  const item = find("template", kept).content.cloneNode(true);
  const time = { weekday: "short", hour: "2-digit", minute: "2-digit", timeZone: zone };
  find("a", item).href = url;
  find("b", item).textContent = name;
  find("span", item).textContent = when.toLocaleString(lang, time);
  find("ul", kept).append(item);
  kept.hidden = false;
}
if (kept) listKept();
