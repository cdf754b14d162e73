"""The worker's scripts as the kit serves them: minified, and importing each other by their hashes.

What the kit holds is told to the worker by a module that the build writes, so that a new release
is a new worker.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import msgspec
from rjsmin import jsmin

from app.kit.compilation import BuildFailed
from app.kit.listing import Listing, address

# The module that the build writes.
CONTENTS = "kit.js"
IMPORT = re.compile(
    r"""(?P<before>\b(?:from|import)\s*)(?P<quote>["'])\./(?P<name>[\w.-]+)(?P=quote)"""
)


def read_sources(folder: Path) -> dict[str, str]:
    """The worker's scripts by their names; none where there is no worker yet."""
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.js"))}


def link_scripts(sources: Mapping[str, str], listing: Listing) -> dict[str, bytes]:
    """The scripts, each importing others and the kit's files by their hashes; none without any.

    Raises BuildFailed.
    """
    addresses = {file.name: file.url for file in listing.files}
    texts = {**sources, CONTENTS: f"export const KIT = {msgspec.json.encode(listing).decode()};"}
    linked: dict[str, bytes] = {}

    def link(name: str, importers: tuple[str, ...]) -> bytes:
        if name in importers or name not in texts:
            why = "imports itself" if name in importers else "is not there"
            by = " > ".join(importers)
            raise BuildFailed(f"The worker's script {name} {why}, by way of {by}.")
        if name not in linked:

            def lead(found: re.Match[str]) -> str:
                other = found["name"]
                target = addresses.get(other) or address(link(other, (*importers, name)), other)
                return f"{found['before']}{found['quote']}{target}{found['quote']}"

            linked[name] = str(jsmin(IMPORT.sub(lead, texts[name]))).encode()
        return linked[name]

    return {name: link(name, ()) for name in sorted(texts)} if sources else {}
