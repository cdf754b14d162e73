// Python, started from the bundle.

const PART = /\.(wasm|zip)$|asm\.js$/;

async function boot({ kit, loadPyodide, createPyodideModule }) {
  const parts = await collect(kit.files);
  const python = await withParts(parts, async () => loadPyodide({
    // A host that compresses nothing would send it large: there it is no import but packed.
    createPyodideModule: createPyodideModule ?? new Function(await parts.get("pyodide.asm.js").text())(),
    indexURL: `${HOME}offline/`,
    stdLibURL: `${HOME}offline/stdlib.zip`,
    lockFileContents: { info: { abi_version: kit.abi }, packages: {} },
    env: { HOME: "/home", PYTHONTZPATH: "/site/tzdata/zoneinfo" },
  }));
  for (const name of ["site", "app"]) {
    python.unpackArchive(await parts.get(`${name}.zip`).arrayBuffer(), "zip", { extractDir: `/${name}` });
  }
  python.runPython(`import sys; sys.path[:0] = ["/app", "/site"]; sys.dont_write_bytecode = True`);
  return python;
}

// Before anything is started, for Pyodide waits for ever for a missing file. Throws Trouble.
async function collect(files) {
  const parts = new Map();
  for (const file of files.filter(({ name }) => PART.test(name))) {
    parts.set(file.name, await findFile(file).catch((error) => { throw new Trouble("incomplete", error); }));
  }
  return parts;
}

// Pyodide fetches its parts by their names: meanwhile it gets those of the bundle.
async function withParts(parts, act) {
  const { fetch } = globalThis;
  globalThis.fetch = async (asked, ...options) => (
    parts.get(String(asked.url ?? asked).split("/").pop()) ?? fetch(asked, ...options));
  try {
    return await act();
  } finally {
    globalThis.fetch = fetch;
  }
}
