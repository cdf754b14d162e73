// The start page of a folder of files: it puts everything into the browser, which answers from then on.
const { serviceWorker: workers, languages } = navigator;
const sections = languages.map((code) => find(`.along[lang=${code.slice(0, 2)}]`)).filter(Boolean);
const section = sections[0] ?? find(".along");
const SOON = 1000;
const tell = (name) => write(section.dataset[name], find(".along-said", section));

// A host shows this page for addresses further down as well.
async function findHome() {
  for (let home = new URL(".", location); ; home = new URL("..", home)) {
    const answer = await fetch(new URL("app.webmanifest", home)).catch(() => {});
    const told = await answer?.json().catch(() => {});
    if (told?.short_name === "Chicago" || home.pathname === "/") return home;
  }
}

async function begin() {
  const home = await findHome();
  workers.addEventListener("controllerchange", () => location.reload());
  const found = await workers.getRegistration(home);
  localStorage.kit = "on";
  await import(new URL(section.dataset.script, home));
  // Everything is here, and the page was asked of the host all the same.
  if (found?.active && found.scope === home.href && !workers.controller) setTimeout(() => location.reload(), SOON);
}

document.documentElement.lang = section.lang;
for (const each of all(".along")) each.hidden = each !== section;
section.id = "along";
if (!isSecureContext || location.protocol === "file:") tell("insecure");
else if (workers && window.DecompressionStream && window.WebAssembly) begin().catch(() => tell("unable"));
else tell("old");
