// The page about playing without a network: whether the browser keeps changes, and sending them.
const { serviceWorker: workers, storage } = navigator;

async function showKept() {
  const kept = await storage?.persist?.();
  find(".persists").hidden = !kept;
  find(".forgets").hidden = Boolean(kept);
}
showKept();

onTap("[data-push]", () => {
  workers.controller?.postMessage({ type: "push" });
  const said = find("#waits-said");
  write(said.dataset.asked, said);
});
workers?.addEventListener("message", ({ data }) => {
  if (data?.type === "status" && find("#waits") && !data.line) location.reload();
});
