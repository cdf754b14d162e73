// The score keeper's Python, started from the bundle.

async function boot({ kit, loadPyodide, createPyodideModule }) {
  // Before anything is started, for Pyodide waits for ever for a missing file.
  await takeKit(kit);
  const addressOf = (name) => HOME + kit.files.find((file) => file.name === name).url;
  const part = (name) => caches.match(addressOf(name));
  // Pyodide fetches its parts by itself: meanwhile it gets those of the bundle.
  const { fetch } = globalThis;
  globalThis.fetch = async (asked, ...options) => await caches.match(asked) ?? fetch(asked, ...options);
  try {
    const python = await loadPyodide({
      // A host that compresses nothing would send it large: there it is no import but packed.
      createPyodideModule: createPyodideModule ?? new Function(await (await part("pyodide.asm.js")).text())(),
      indexURL: new URL(".", addressOf("pyodide.asm.wasm")).href,
      stdLibURL: addressOf("stdlib.zip"),
      lockFileContents: { info: { abi_version: kit.abi }, packages: {} },
      env: { HOME: "/home", PYTHONTZPATH: "/site/tzdata/zoneinfo" },
    });
    for (const name of ["site", "app"]) {
      python.unpackArchive(await (await part(`${name}.zip`)).arrayBuffer(), "zip", { extractDir: `/${name}` });
    }
    python.runPython(`import sys; sys.path[:0] = ["/app", "/site"]; sys.dont_write_bytecode = True`);
    return python.pyimport("app.offline.phone");
  } finally {
    globalThis.fetch = fetch;
  }
}
