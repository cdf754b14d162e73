"""The list of what is in a kit: by it a phone fetches and checks it, and knows a new release."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

import msgspec

from app.kit.compression import Compressor
from app.kit.versions import ABI, PYODIDE


class File(msgspec.Struct, frozen=True):
    """A file of the kit: its size in bytes, and how many of them cross the network."""

    name: str
    url: str
    sha256: str
    bytes: int
    download: int


class Listing(msgspec.Struct, frozen=True):
    """A kit; `release` differs from that of every other, and sizes are those of its files."""

    release: str
    pyodide: str
    abi: str
    msgspec: str
    files: list[File]
    bytes: int
    download: int


def address(content: bytes, name: str) -> str:
    """Where a file of the kit is served; another content has another address."""
    return f"/offline/{hashlib.sha256(content).hexdigest()[:16]}/{name}"


def basename(name: str) -> str:
    """The last part of a name in the list, which may be an address with a query."""
    return Path(name.partition("?")[0]).name


def list_files(
    contents: Mapping[str, bytes],
    sources: Mapping[str, str],
    msgspec_version: str,
    compressor: Compressor,
) -> Listing:
    """List what the kit holds; the worker's scripts, which hold the list, only make its release."""
    files = [
        File(
            name,
            address(content, basename(name)),
            hashlib.sha256(content).hexdigest(),
            len(content),
            len(compressor.compressed(content, ".br")),
        )
        for name, content in contents.items()
    ]
    whole = msgspec.json.encode([files, sources], order="sorted")
    return Listing(
        hashlib.sha256(whole).hexdigest()[:16],
        PYODIDE,
        ABI,
        msgspec_version,
        files,
        sum(file.bytes for file in files),
        sum(file.download for file in files),
    )
