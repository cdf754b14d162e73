"""The list of the bundle: it names all files, and stays within the promised size."""

import hashlib
from base64 import b64encode
from pathlib import Path
from typing import Any

import brotli
from flask import Flask

from app.offline.build import PACKAGES
from tests.bench.bundle import LIMIT, OURS_LIMIT, weigh

NAMES = """
pyodide.js pyodide.asm.js pyodide.asm.wasm stdlib.zip site.zip app.zip licences.txt
"""


def test_every_file_is_what_the_list_says(
    app: Flask, bundle: Path, listing: dict[str, Any]
) -> None:
    """The bundle's own files lie compressed in its folder; static files come from the server."""
    client = app.test_client()
    for file in listing["files"]:
        url = file["url"]
        if url.startswith("static/"):
            assert file["name"] == url
            content = client.get(f"/{url}", buffered=True).data
        else:
            path = bundle / url.removeprefix("offline/")
            content, packed = path.read_bytes(), path.with_name(f"{path.name}.br").read_bytes()
            assert brotli.decompress(packed) == content
            assert file["download"] == len(packed)
        integrity = b64encode(hashlib.sha256(content).digest()).decode()
        assert file["integrity"] == f"sha256-{integrity}"
    names = NAMES.split()
    assert {Path(file["url"]).name for file in listing["files"][: len(names)]} == {*names}
    assert listing["download"] == sum(file["download"] for file in listing["files"])


def test_all_that_is_carried_comes_with_its_licence(bundle: Path) -> None:
    """The licences cover every library, and parts that come without a wheel."""
    (path,) = bundle.glob("*/licences.txt")
    text = path.read_text("utf-8")
    beside = ("LICENSE", "htmx-LICENSE", "1-pyodide.txt", "2-python.txt", "LICENSE.unicode")
    wanted = [*(f"{name.replace('-', '_')}-" for name in PACKAGES), *beside]
    assert [name for name in wanted if name not in text] == []


def test_the_bundle_is_no_larger_than_promised(listing: dict[str, Any]) -> None:
    """The whole bundle has a limit, and so has a new release of our own files alone."""
    weight = weigh(listing)
    assert weight["all of it"] <= LIMIT
    assert weight["a release of ours alone"] <= OURS_LIMIT
