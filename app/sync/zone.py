"""This server's time zone as its phones are told of it: a browser's Python knows none."""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path
from zoneinfo import TZPATH

from app.services.zones import ZoneCopy
from app.store import clock


def copy_zone() -> ZoneCopy | None:
    """The time zone of this server; None where its rules cannot be read."""
    name = clock.zone().key
    rules = _read_rules(name)
    return ZoneCopy(name, rules) if rules else None


@cache
def _read_rules(name: str) -> bytes | None:
    """The rules of a zone, from where Python finds them too; the package has the short form."""
    folders = [resources.files("tzdata").joinpath("zoneinfo"), *map(Path, TZPATH)]
    files = (folder.joinpath(*name.split("/")) for folder in folders)
    return next((file.read_bytes() for file in files if file.is_file()), None)
