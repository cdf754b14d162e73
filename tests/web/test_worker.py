"""The service worker's script, with and without an offline bundle."""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.told import read_tables
from tests.web.pages import Page

KIT = read_tables(__file__)


@pytest.fixture
def bundle(app: Flask, tmp_path: Path) -> Path:
    """Give the server a bundle, and return the path of its listing."""
    path = tmp_path / "kit.json"
    path.write_bytes(msgspec.json.encode(KIT | {"pyodide": "314.0.7"}))
    app.config["KIT"] = str(tmp_path)
    return path


def test_without_a_bundle_the_worker_is_begun_with_its_words(client: FlaskClient) -> None:
    """It has whole pages for when nobody answers, is revalidated, and compiles no WebAssembly."""
    answer = client.get("/worker.js")
    assert answer.mimetype == "text/javascript"
    assert 'import { serve } from "./static/bundles/worker.js?v=' in answer.text
    assert "loadPyodide" not in answer.text
    assert answer.headers["Cache-Control"] == "no-cache"
    assert "wasm" not in answer.headers["Content-Security-Policy"]
    words = msgspec.json.decode(answer.text.partition("words: ")[2].rpartition(" });")[0])
    for reason, text in (("page", "går inte att nå just nu"), ("sent", "kanske inte skrivet")):
        page = Page(words[reason])
        assert page.whole
        assert text in page.text
    assert "#back" in {link.href for link in Page(words["sent"]).links}
    again = client.get("/worker.js", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == HTTPStatus.NOT_MODIFIED


@pytest.mark.usefixtures("bundle")
def test_with_the_bundle_it_has_python_to_start_and_may_compile(client: FlaskClient) -> None:
    """The script imports Python from the bundle, and lists the bundle's files with their hashes."""
    answer = client.get("/worker.js?kit")
    first, second, *_ = answer.text.splitlines()
    assert first == 'import { loadPyodide } from "./offline/0a/pyodide.js";'
    assert second == 'import createPyodideModule from "./offline/0a/pyodide.asm.js";'
    listed = answer.text.partition("kit: ")[2].partition(", loadPyodide")[0]
    assert msgspec.json.decode(listed) == KIT
    assert answer.headers["Content-Security-Policy"] == (
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
    )


def test_another_bundle_and_another_language_are_another_worker(
    client: FlaskClient, bundle: Path
) -> None:
    """A different script makes browsers install it, with its own texts."""
    workers = [client.get("/worker.js?kit").text]
    workers.append(client.get("/worker.js?kit", headers={"Accept-Language": "fi"}).text)
    bundle.write_bytes(msgspec.json.encode(KIT | {"release": "another one"}))
    workers.append(client.get("/worker.js?kit").text)
    assert len(set(workers)) == len(workers)


def test_where_the_bundle_is_gone_phones_keep_their_worker(app: Flask, client: FlaskClient) -> None:
    """A worker without a bundle would lose the unsent entries on the phone."""
    app.config["KIT"] = "nowhere"
    assert client.get("/worker.js?kit").status_code == HTTPStatus.NOT_FOUND
