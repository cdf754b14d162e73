"""The kit that phones take along, where this server has one: its list, and where its files are."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import msgspec
from flask import current_app

from app.http import context

LISTING = "kit.json"
WORKER = "worker.js"


class Kit(msgspec.Struct, frozen=True):
    """What a kit's list says of the whole of it: how many bytes a phone fetches."""

    download: int


def folder() -> Path:
    """Where the build puts the kit; there may be none."""
    return Path(current_app.config["KIT"])


def find_kit() -> Kit | None:
    """The kit that is there now, or None."""
    path = folder() / LISTING
    try:
        return _read(path, path.stat().st_mtime_ns)
    except OSError:
        return None


@lru_cache(maxsize=4)
def _read(path: Path, _changed_ns: int) -> Kit:
    """Read a kit's list once for as long as it does not change."""
    return msgspec.json.decode(path.read_bytes(), type=Kit)


def kit_available() -> bool:
    """Whether a phone can take a kit along: below a path that others share the host with, none."""
    return find_kit() is not None and not context.prefix()


def kit_download() -> int:
    """How many bytes a phone fetches to take the kit along; none where there is no kit."""
    kit = find_kit()
    return kit.download if kit else 0
