// The start page of a folder of files: it puts everything into the browser, which answers from then on.
const { serviceWorker: workers, languages } = navigator;

// A host shows this page for addresses further down as well.
async function begin(home) {
  try {
    await import(new URL(root.dataset.phone, home));
  } catch {
    if (home.pathname === "/") root.dataset.kit = "unable";
    else await begin(new URL("..", home));
  }
}

const spoken = languages.map((code) => code.slice(0, 2));
root.lang = spoken.find((code) => find(`.along[lang=${code}]`)) ?? root.lang;
if (!isSecureContext || location.protocol === "file:") root.dataset.kit = "insecure";
else if (workers && window.DecompressionStream && window.WebAssembly) {
  localStorage.kit = "on";
  workers.addEventListener("controllerchange", () => location.reload());
  begin(new URL(".", location));
}
