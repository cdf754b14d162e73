// Runs a Python program in Pyodide: node pyodide.mjs <Pyodide's folder> <program> <name=folder>...
// Each folder is there under its name, so that the program sees no path of the machine.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

// Node would show a megabyte of Pyodide's source, where it is one line.
process.on("uncaughtException", ({ message }) => {
  console.error(message);
  process.exit(1);
});
const [runtime, program, ...folders] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${runtime}/pyodide.mjs`).href);
const python = await loadPyodide({ indexURL: runtime, env: { PYTHONHASHSEED: "0" } });
for (const folder of folders) {
  const [name, root] = folder.split(/=(.*)/s);
  python.FS.mkdirTree(`/${name}`);
  python.FS.mount(python.FS.filesystems.NODEFS, { root }, `/${name}`);
}
python.runPython(readFileSync(program, "utf8"));
