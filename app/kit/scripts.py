"""The worker's scripts as the kit serves them: minified, and importing each other by their hashes.

What the kit holds is told to the worker by a module that the build writes, so that a new release
is a new worker.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path

from rjsmin import jsmin

# The worker itself, whose address stays, and the module that the build writes.
WORKER, LISTING = "worker.js", "kit.js"
IMPORT = re.compile(
    r"""(?P<before>\b(?:from|import)\s*)(?P<quote>["'])\./(?P<name>[\w.-]+)(?P=quote)"""
)


def address(content: bytes, name: str) -> str:
    """Where a file of the kit is served; another content has another address."""
    return f"/offline/{hashlib.sha256(content).hexdigest()[:16]}/{name}"


def read_sources(folder: Path) -> dict[str, str]:
    """The worker's scripts by their names; none where there is no worker yet."""
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.js"))}


def link_scripts(
    sources: Mapping[str, str], listing: Mapping[str, object], addresses: Mapping[str, str]
) -> dict[str, bytes]:
    """The scripts with their imports led to addresses: `addresses`, or those of other scripts.

    Raises KeyError for an import of what is neither, RecursionError for imports in a circle.
    """
    texts = {**sources, LISTING: f"export const KIT = {json.dumps(listing)};"}
    linked: dict[str, bytes] = {}

    def link(name: str) -> bytes:
        if name not in linked:
            text = IMPORT.sub(lambda found: _lead(found, lead(found["name"])), texts[name])
            linked[name] = str(jsmin(text)).encode()
        return linked[name]

    def lead(name: str) -> str:
        return addresses[name] if name in addresses else address(link(name), name)

    return {name: link(name) for name in sorted(texts)} if sources else {}


def _lead(found: re.Match[str], target: str) -> str:
    return f"{found['before']}{found['quote']}{target}{found['quote']}"
