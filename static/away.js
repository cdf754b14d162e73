// Shown in place of a page that is not here: the way back, and what is kept on this phone.
"use strict";

const OFTEN = 3000;
const back = document.querySelector("#back");
const home = new URL("../", document.currentScript.src).href;
if (back) back.href = document.referrer || home;
// What was sent is not sent again by itself.
else setInterval(comeBack, OFTEN);

async function comeBack() {
  const answer = !document.hidden && await fetch(`${home}healthz`).catch(() => undefined);
  if (answer?.ok) location.reload();
}

async function listKept() {
  const pages = await caches.open("pages-1");
  for (const { url } of (await pages.keys()).reverse()) {
    const copy = await pages.match(url);
    const html = new DOMParser().parseFromString((await copy?.text()) ?? "", "text/html");
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
  const [item, link, title, time] = ["li", "a", "b", "span"].map((tag) => document.createElement(tag));
  const { lang, dataset: { zone = "Europe/Stockholm" } } = document.documentElement;
  title.textContent = name;
  time.textContent = when.toLocaleString(lang, {
    weekday: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: zone,
  });
  link.href = url;
  link.append(title, time);
  item.append(link);
  document.querySelector("#kept ul").append(item);
  document.querySelector("#kept").hidden = false;
}

listKept();
