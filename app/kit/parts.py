"""The archives that are unpacked on the phone: what is not code in them, and all of them made."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from app.http.static_files import BUNDLES, VERSIONS, version
from app.i18n.language import compile_catalog
from app.kit.archives import make_zip
from app.kit.locales import locale_data

CATALOGS = "app/i18n/translations"


def make_archives(
    modules: Mapping[str, Mapping[str, bytes]], root: Path, site: Path
) -> dict[str, bytes]:
    """Make `stdlib.zip`, `site.zip` and `app.zip`, the last being all ours."""
    ours = {
        **modules["project"],
        **{f"templates/{name}": text for name, text in _templates(root).items()},
        **_catalogs(root),
        f"static/{VERSIONS}": json.dumps(_versions(root / "static"), sort_keys=True).encode(),
    }
    return {
        "stdlib.zip": make_zip(modules["stdlib"]),
        "site.zip": make_zip({**modules["site"], **_binaries(site), **locale_data(site)}),
        "app.zip": make_zip(ours),
    }


def _versions(folder: Path) -> dict[str, str]:
    """What pages know static files by, which are kept outside of the application."""
    names = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
    return {name: version(str(folder), name) for name in [*names, *BUNDLES]}


def _templates(root: Path) -> dict[str, bytes]:
    folder = root / "templates"
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def _catalogs(root: Path) -> dict[str, bytes]:
    """Compile the catalogs, so that a phone need not."""
    return {
        path.with_suffix(".mo").relative_to(root).as_posix(): compile_catalog(path, path.parts[-3])
        for path in (root / CATALOGS).rglob("*.po")
    }


def _binaries(site: Path) -> dict[str, bytes]:
    """The modules that are compiled for WebAssembly."""
    paths = site.rglob("*-emscripten.so")
    return {path.relative_to(site).as_posix(): path.read_bytes() for path in paths}
