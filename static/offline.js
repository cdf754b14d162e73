// The page about playing without a network: how much room it takes, whether the browser keeps it, and
// sending what is only here.
const { lang } = document.documentElement;
const megabytes = (bytes) => Math.round(bytes / 1e6).toLocaleString(lang);

async function tellRoom() {
  const { quota, usage } = await navigator.storage?.estimate?.() ?? {};
  const room = find("#room");
  if (quota) {
    room.textContent = room.dataset.words
      .replace("{used}", megabytes(usage)).replace("{room}", megabytes(quota - usage));
  }
  const promised = await navigator.storage?.persisted?.();
  find(".persists").hidden = !promised;
  find(".forgets").hidden = Boolean(promised);
}
tellRoom();
new MutationObserver(tellRoom).observe(document.documentElement, { attributeFilter: ["data-kit"] });

// They are a file of the kit, whose address its list has; the list is the server's to tell.
async function linkLicences() {
  const { files } = await (await fetch("/offline/kit.json")).json();
  const found = files.find(({ name }) => name === "licences.txt");
  if (found) Object.assign(find("#licences"), { href: found.url, hidden: false });
}
linkLicences().catch(() => {});

const { serviceWorker: workers } = navigator;
document.addEventListener("click", ({ target }) => {
  if (!target.closest("[data-hand-over]")) return;
  workers.controller?.postMessage({ type: "hand-over" });
  const said = find("#waits-said");
  write(said.dataset.asked, said);
});
workers?.addEventListener("message", ({ data }) => {
  if (data?.type === "status" && find("#waits") && !data.line) location.reload();
});
