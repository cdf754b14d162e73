"""The bundle's files: served as each phone accepts them; a server without a bundle works too."""

from pathlib import Path

import brotli
import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from app import create_app
from app.offline.build import put
from app.web import pwa
from tests.empty_database import copy_empty_database

CONTENT = b"a file of the bundle " * 100
ADDRESS = "/offline/0123456789abcdef/pyodide.asm.wasm"


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    """Return an application with a small bundle."""
    listing = msgspec.json.encode(pwa.Bundle("1", "1", 1, (), 5_000_000))
    files = {"kit.json": listing, ADDRESS.removeprefix("/offline/"): CONTENT}
    compressed = {f"{name}.br": brotli.compress(content) for name, content in files.items()}
    put(tmp_path / "offline", files | compressed)
    path = copy_empty_database(tmp_path / "chicago.db")
    return create_app({"TESTING": True, "DATABASE": f"{path}", "KIT": f"{tmp_path}/offline"})


def get(client: FlaskClient, address: str, **headers: str) -> TestResponse:
    """Fetch a whole file."""
    return client.get(address, headers=headers, buffered=True)


@pytest.mark.parametrize("accepted", ["gzip, deflate, br, zstd", "gzip, zstd", "br;q=0", ""])
def test_a_file_comes_compressed_where_brotli_is_accepted(
    client: FlaskClient, accepted: str
) -> None:
    """Compressed beforehand, and kept for a year, as its address has a hash."""
    answer = get(client, ADDRESS, **{"Accept-Encoding": accepted})
    packed = accepted.startswith("gzip, deflate")
    assert answer.headers.get("Content-Encoding") == ("br" if packed else None)
    assert (brotli.decompress(answer.data) if packed else answer.data) == CONTENT
    assert answer.mimetype == "application/wasm"
    assert "Accept-Encoding" in answer.vary
    assert answer.cache_control.immutable
    assert answer.cache_control.max_age == 365 * 24 * 60 * 60


def test_a_new_release_is_seen_at_once(client: FlaskClient) -> None:
    """The list names it, and is revalidated with each request."""
    answer = get(client, "/offline/kit.json")
    assert answer.cache_control.no_cache
    assert answer.cache_control.max_age == 0
    again = get(client, "/offline/kit.json", **{"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304


NOWHERE = [
    *("/offline/0123456789abcdef/none.js", "/offline/..%2f..%2fapp/__init__.py"),
    *("/offline/../chicago.db", "/offline/%2e%2e/chicago.db", "/offline/x/..%2f..%2fx"),
    # The operating system rejects such names.
    *("/offline/" + "x" * 300 + "/a", "/offline/0123/" + "ö" * 200),
]


@pytest.mark.parametrize("encoding", ["br", "identity"])
def test_what_is_not_there_is_not_found(app: Flask, encoding: str) -> None:
    """Nothing outside of the bundle, beside which the database lies; without one no file at all."""
    there = ("/offline/kit.json", ADDRESS)
    for kit, addresses in ((app.config["KIT"], NOWHERE), ("none", there)):
        app.config["KIT"] = kit
        for address in addresses:
            answer = get(app.test_client(), address, **{"Accept-Encoding": encoding})
            assert answer.status_code == 404, address
