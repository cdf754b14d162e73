"""The archives that are unpacked on the phone: what is not code in them, and all of them made."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

from app.http.assets import BUNDLES, VERSIONS, version
from app.i18n.catalogs import PACKED, pack_catalogs
from app.kit.archives import make_zip
from app.kit.contents import SERVERS_PAGES
from app.kit.locales import locale_data
from app.kit.texts import find_messages
from app.store.clock import DEFAULT_ZONE

CATALOGS = "app/i18n/translations"
# In templates, what only people read. Something stays of both: there may be space beside it.
COMMENT, INDENTATION = re.compile(rb"\{#.*?#\}", re.DOTALL), re.compile(rb"^\s+", re.MULTILINE)


def make_archives(
    modules: Mapping[str, Mapping[str, bytes]], root: Path, site: Path
) -> dict[str, bytes]:
    """Make `stdlib.zip`, `site.zip` and `app.zip`, the last being all ours."""
    ours = {
        **modules["project"],
        **{f"templates/{name}": text for name, text in read_templates(root).items()},
        f"{CATALOGS}/{PACKED}": pack_catalogs(root / CATALOGS, find_messages(root)),
        f"static/{VERSIONS}": json.dumps(_versions(root / "static"), sort_keys=True).encode(),
    }
    libraries = {**modules["site"], **_binaries(site), **locale_data(site), **_zone(site)}
    return {
        "stdlib.zip": make_zip(modules["stdlib"]),
        "site.zip": make_zip(libraries),
        "app.zip": make_zip(ours),
    }


def _versions(folder: Path) -> dict[str, str]:
    """What pages know static files by, which are kept outside of the application."""
    names = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
    return {name: version(str(folder), name) for name in [*names, *BUNDLES]}


def read_templates(root: Path) -> dict[str, bytes]:
    """Read the templates of the pages that a phone has, by name, without what only people read.

    No page has a text in which it counts how much space is before a line; whether there is any may.
    """
    folder = root / "templates"
    paths = {p.relative_to(folder).as_posix(): p for p in folder.rglob("*") if p.is_file()}
    return {
        name: INDENTATION.sub(b" ", COMMENT.sub(b"{##}", path.read_bytes()))
        for name, path in paths.items()
        if not name.startswith(SERVERS_PAGES)
    }


def _zone(site: Path) -> dict[str, bytes]:
    """The time zone of a phone that has not heard from its server yet."""
    path = site.joinpath("tzdata", "zoneinfo", *DEFAULT_ZONE.split("/"))
    return {path.relative_to(site).as_posix(): path.read_bytes()}


def _binaries(site: Path) -> dict[str, bytes]:
    """The modules that are compiled for WebAssembly."""
    paths = site.rglob("*-emscripten.so")
    return {path.relative_to(site).as_posix(): path.read_bytes() for path in paths}
