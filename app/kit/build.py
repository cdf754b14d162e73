"""The build of the kit, step by step, from what is locked to what a server hands out."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping
from pathlib import Path

from app.http.static_files import BUNDLES, minified, version
from app.kit.compilation import compile_modules, unpack
from app.kit.compression import COMPRESSIONS, compress_all, compressed
from app.kit.contents import NOT_FOR_PAGES, PACKAGES
from app.kit.downloads import Locked, fetch_pyodide, fetch_wheels, read_lock
from app.kit.parts import make_archives
from app.kit.scripts import WORKER, address, link_scripts, read_sources
from app.kit.versions import ABI, PYODIDE

RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")


def build(root: Path, output: Path, cache: Path) -> dict[str, object]:
    """Build the kit of the sources in `root`; returns its list. Raises Missing, BuildFailed."""
    lock = read_lock((root / "requirements.txt").read_text())
    cache.mkdir(parents=True, exist_ok=True)
    work = cache / "work"
    downloads = cache / "downloads"
    downloads.mkdir(exist_ok=True)
    unpack(fetch_pyodide(downloads), fetch_wheels(lock, PACKAGES, downloads), work)
    static = collect_static(root / "static")
    contents = {
        **{name: (work / "pyodide" / name).read_bytes() for name in RUNTIME},
        **make_archives(compile_modules(root, work), root, work / "site"),
        **_by_address(root / "static", static),
    }
    sources = read_sources(root / "static" / "offline")
    compress_all(contents.values(), cache / "compressed")
    listing = list_files(contents, sources, lock, cache / "compressed")
    addresses = {name: address(content, Path(name).name) for name, content in contents.items()}
    scripts = link_scripts(sources, listing, addresses)
    write(output, contents, scripts, listing, cache / "compressed")
    return listing


def collect_static(folder: Path) -> dict[str, bytes]:
    """What pages load, by its name below /static, as a server sends it."""
    names = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
    wanted = [name for name in [*names, *BUNDLES] if not name.startswith(NOT_FOR_PAGES)]
    return {
        name: minified(str(folder), name) or (folder / name).read_bytes() for name in sorted(wanted)
    }


def _by_address(folder: Path, static: Mapping[str, bytes]) -> dict[str, bytes]:
    return {
        f"/static/{name}?v={version(str(folder), name)}": content
        for name, content in static.items()
    }


def list_files(
    contents: Mapping[str, bytes],
    sources: Mapping[str, str],
    lock: Mapping[str, Locked],
    cache: Path,
) -> dict[str, object]:
    """List what the kit holds. A file below /static is named by the address that it answers."""
    files = [
        {
            "name": name,
            "url": address(content, Path(name.partition("?")[0]).name),
            "sha256": hashlib.sha256(content).hexdigest(),
            "bytes": len(content),
            "download": len(compressed(content, ".br", cache)),
        }
        for name, content in contents.items()
    ]
    whole = json.dumps([files, dict(sources)], sort_keys=True)
    return {
        "release": hashlib.sha256(whole.encode()).hexdigest()[:16],
        "pyodide": PYODIDE,
        "abi": ABI,
        "msgspec": lock["msgspec"].version,
        "files": files,
        "bytes": sum(len(content) for content in contents.values()),
        "download": sum(len(compressed(each, ".br", cache)) for each in contents.values()),
    }


def write(
    output: Path,
    contents: Mapping[str, bytes],
    scripts: Mapping[str, bytes],
    listing: Mapping[str, object],
    cache: Path,
) -> None:
    """Write the kit whole beside the one that is there, and put it in its place."""
    beside = output.with_name(f"{output.name}.new")
    shutil.rmtree(beside, ignore_errors=True)
    named = {Path(name.partition("?")[0]).name: content for name, content in contents.items()}
    for name, content in [*named.items(), *scripts.items()]:
        path = beside / address(content, name).removeprefix("/offline/")
        _write_compressed(beside / WORKER if name == WORKER else path, content, cache)
    _write_compressed(beside / "kit.json", json.dumps(listing, indent=1).encode(), cache)
    shutil.rmtree(output, ignore_errors=True)
    beside.rename(output)


def _write_compressed(path: Path, content: bytes, cache: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    for ending in COMPRESSIONS:
        path.with_name(path.name + ending).write_bytes(compressed(content, ending, cache))
