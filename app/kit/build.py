"""The build of the kit, step by step, from what is locked to what a server hands out."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import msgspec

from app.http.assets import BUNDLES, LISTING, WORKER, minified, version
from app.kit.compilation import compile_modules, unpack
from app.kit.compression import ENDINGS, Compressor
from app.kit.contents import NOT_FOR_PAGES, PACKAGES
from app.kit.downloads import Requirement, fetch_pyodide, fetch_wheels, read_lock
from app.kit.licences import collect_licences
from app.kit.listing import Listing, address, basename, list_files
from app.kit.parts import make_archives, read_templates
from app.kit.scripts import link_scripts, read_sources

RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
LICENCES = "licences.txt"


def build(root: Path, output: Path, cache: Path) -> Listing:
    """Build the kit of the sources in `root`; returns its list. Raises MissingSource, BuildFailed.

    In `cache` lies what another build need not do again.
    """
    lock = read_lock((root / "requirements.txt").read_text())
    contents = collect(root, lock, cache)
    sources = read_sources(root / "static" / "offline")
    compressor = Compressor(cache / "compressed")
    compressor.compress_all(contents.values())
    listing = list_files(contents, sources, lock["msgspec"].version, compressor)
    write(output, contents, link_scripts(sources, listing), listing, compressor)
    compressor.forget_unused()
    return listing


def collect(root: Path, lock: Mapping[str, Requirement], cache: Path) -> dict[str, bytes]:
    """Everything that is in the kit but the worker's scripts, by its name in the list."""
    downloads, work = cache / "downloads", cache / "work"
    downloads.mkdir(parents=True, exist_ok=True)
    unpack(fetch_pyodide(downloads), fetch_wheels(lock, PACKAGES, downloads), work)
    modules = compile_modules(root, work, cache / "modules")
    return {
        **{name: (work / "pyodide" / name).read_bytes() for name in RUNTIME},
        **make_archives(modules, root, work / "site"),
        **collect_static(root / "static"),
        LICENCES: collect_licences(root, work / "site", PACKAGES),
    }


def collect_static(folder: Path) -> dict[str, bytes]:
    """What pages load, as a server sends it, by the address that they know it by."""
    names = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
    pages = b"".join(read_templates(folder.parent).values()).decode()
    wanted = [
        name
        for name in sorted([*names, *BUNDLES])
        if not name.startswith(NOT_FOR_PAGES) and f"asset('{name}')" in pages
    ]
    return {
        f"/static/{name}?v={version(str(folder), name)}": (
            minified(str(folder), name) or (folder / name).read_bytes()
        )
        for name in wanted
    }


def write(
    output: Path,
    contents: Mapping[str, bytes],
    scripts: Mapping[str, bytes],
    listing: Listing,
    compressor: Compressor,
) -> None:
    """Write the kit whole beside the one that is there, and put it in its place."""
    named = [*((basename(name), content) for name, content in contents.items()), *scripts.items()]
    files = {address(content, name): content for name, content in named}
    if WORKER in scripts:
        files[f"/offline/{WORKER}"] = scripts[WORKER]
    files[f"/offline/{LISTING}"] = msgspec.json.format(msgspec.json.encode(listing))
    beside = output.with_name(f"{output.name}.new")
    shutil.rmtree(beside, ignore_errors=True)
    for name, content in files.items():
        path = beside / name.removeprefix("/offline/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        for ending in ENDINGS:
            path.with_name(path.name + ending).write_bytes(compressor.compressed(content, ending))
    before = output.with_name(f"{output.name}.old")
    shutil.rmtree(before, ignore_errors=True)
    if output.exists():
        output.rename(before)
    beside.rename(output)
    shutil.rmtree(before, ignore_errors=True)
