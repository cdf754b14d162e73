// Python out of the kit, as a phone starts it: node python.mjs <the kit's folder> <programs>...
// Then each line of input is handed to the last one's `answer`, and answered by a line of output.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

// Node would show a megabyte of Pyodide's source, where it is one line.
process.on("uncaughtException", ({ message }) => {
  console.error(message);
  process.exit(1);
});
const [kit, ...programs] = process.argv.slice(2);
const { abi, files } = JSON.parse(readFileSync(join(kit, "kit.json"), "utf8"));
const read = (name) => {
  const { url } = files.find((file) => file.name === name);
  return new Uint8Array(readFileSync(join(kit, url.replace("offline/", ""))));
};
// Node takes these from a folder, under their names.
const folder = mkdtempSync(join(tmpdir(), "kit-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, "package.json"), '{"type": "module"}');
for (const name of ["pyodide.js", "pyodide.asm.js", "pyodide.asm.wasm", "stdlib.zip"]) {
  writeFileSync(join(folder, name), read(name));
}
const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.js")).href);
const { default: createPyodideModule } = await import(
  pathToFileURL(join(folder, "pyodide.asm.js")).href
);
const python = await loadPyodide({
  createPyodideModule,
  indexURL: `${folder}/`,
  stdLibURL: join(folder, "stdlib.zip"),
  lockFileContents: { info: { abi_version: abi }, packages: {} },
  env: { PYTHONTZPATH: "/site/tzdata/zoneinfo" },
});
for (const name of ["site", "app"]) {
  python.unpackArchive(read(`${name}.zip`), "zip", { extractDir: `/${name}` });
}
python.runPython('import sys; sys.path[:0] = ["/app", "/site"]; sys.dont_write_bytecode = True');
for (const program of programs) {
  python.runPython(readFileSync(program, "utf8"), { filename: basename(program) });
}
const answer = python.globals.get("answer");
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${answer(line)}\n`);
}
