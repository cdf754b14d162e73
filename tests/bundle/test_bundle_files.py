"""The bundle's files: served as each phone accepts them; a server without a bundle works too."""

from http import HTTPStatus
from pathlib import Path

import brotli
import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from app import create_app
from app.web import pwa
from tests.empty_database import copy_empty_database

CONTENT = b"a file of the bundle " * 100
ADDRESS = "/offline/0123456789abcdef/pyodide.asm.wasm"
PLAIN = {".br": brotli.compress, "": bytes}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the server's folder for a bundle, with a small one in it."""
    folder = tmp_path / "offline"
    listing = msgspec.json.encode(pwa.Bundle("1", "1", 1, (), 5_000_000))
    for name, content in {
        "kit.json": listing,
        ADDRESS.removeprefix("/offline/"): CONTENT,
    }.items():
        for ending, compress in PLAIN.items():
            path = folder / f"{name}{ending}"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(compress(content))
    return folder


@pytest.fixture
def app(tmp_path: Path, folder: Path) -> Flask:
    """Return an application with that bundle."""
    path = copy_empty_database(tmp_path / "chicago.db")
    return create_app({"TESTING": True, "DATABASE": str(path), "KIT": str(folder)})


@pytest.fixture
def without(tmp_path: Path) -> FlaskClient:
    """Return a client of a server without a bundle."""
    path = copy_empty_database(tmp_path / "without.db")
    app = create_app({"TESTING": True, "DATABASE": str(path), "KIT": str(tmp_path / "none")})
    return app.test_client()


def get(client: FlaskClient, address: str, **headers: str) -> TestResponse:
    """Fetch a whole file."""
    return client.get(address, headers=headers, buffered=True)


@pytest.mark.parametrize("accepted", ["gzip, deflate, br, zstd", "gzip, zstd", "br;q=0", None])
def test_a_file_comes_compressed_where_brotli_is_accepted(
    client: FlaskClient, accepted: str | None
) -> None:
    """The file is compressed beforehand, never per request, and Vary names Accept-Encoding."""
    headers = {"Accept-Encoding": accepted} if accepted else {}
    answer = get(client, ADDRESS, **headers)
    assert answer.status_code == 200
    packed = accepted == "gzip, deflate, br, zstd"
    assert answer.headers.get("Content-Encoding") == ("br" if packed else None)
    assert (brotli.decompress(answer.data) if packed else answer.data) == CONTENT
    assert answer.mimetype == "application/wasm"
    assert "Accept-Encoding" in answer.vary


def test_a_file_is_kept_for_ever(client: FlaskClient) -> None:
    """A file with its hash in its address is cached for a year, as immutable."""
    cache = get(client, ADDRESS).cache_control
    assert cache.immutable
    assert cache.max_age == 365 * 24 * 60 * 60


def test_a_new_release_is_seen_at_once(client: FlaskClient) -> None:
    """The list names it, and is revalidated with each request."""
    answer = get(client, "/offline/kit.json")
    assert answer.cache_control.no_cache
    assert answer.cache_control.max_age == 0
    again = get(client, "/offline/kit.json", **{"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304


@pytest.mark.parametrize(
    "address",
    [
        *("/offline/kit.json", ADDRESS),
        *("/offline/0123456789abcdef/none.js", "/offline/..%2f..%2fapp/__init__.py"),
        *("/offline/../chicago.db", "/offline/%2e%2e/chicago.db", "/offline/x/..%2f..%2fx"),
    ],
)
def test_what_is_not_there_is_not_found(without: FlaskClient, address: str) -> None:
    """Without a bundle no file is found, and none is found outside of it."""
    assert without.get(address).status_code == 404


@pytest.mark.parametrize("address", ["/offline/../chicago.db", "/offline/%2e%2e/chicago.db"])
def test_nothing_outside_of_the_bundle_is_handed_out(client: FlaskClient, address: str) -> None:
    """The database lies beside the bundle."""
    assert client.get(address).status_code == 404


def test_pages_know_whether_there_is_a_bundle(
    app: Flask, folder: Path, without: FlaskClient
) -> None:
    """Its download size is known too, also after a bundle is added or removed at run time."""
    with app.test_request_context():
        bundle = pwa.find_bundle()
        assert bundle is not None
        assert bundle.download == 5_000_000
        (folder / "kit.json").unlink()
        assert pwa.find_bundle() is None
    with without.application.app_context():
        assert pwa.find_bundle() is None


@pytest.mark.parametrize("address", ["/offline/" + "x" * 300 + "/a", "/offline/0123/" + "ö" * 200])
@pytest.mark.parametrize("encoding", ["br", "identity"])
def test_a_name_longer_than_names_may_be_is_not_there(
    app: Flask, address: str, encoding: str
) -> None:
    """The operating system rejects the name, which is answered with 404."""
    answer = get(app.test_client(), address, **{"Accept-Encoding": encoding})
    assert answer.status_code == HTTPStatus.NOT_FOUND
