"""Styles and scripts on their way to the phone."""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path

import pytest

from app import ROOT
from app.http.static_files import BUNDLES
from tests.web.phone import Phone

OURS = sorted(path.name for path in (ROOT / "static").glob("*.[cj]s*"))


@pytest.mark.parametrize("name", [name for name in OURS if name != "sw.js"])
def test_styles_and_scripts_come_without_what_is_for_readers(phone: Phone, name: str) -> None:
    """They are shorter than their files, and a comment is not among what is sent."""
    source = Path(ROOT, "static", name).read_text(encoding="utf-8")
    answer = phone.client.get(f"/static/{name}")
    assert answer.status_code == HTTPStatus.OK
    assert answer.mimetype in ("text/css", "text/javascript")
    assert 0 < len(answer.text) < len(source)
    assert not any(line.startswith(("//", "/*")) for line in answer.text.splitlines())


@pytest.mark.parametrize("name", BUNDLES)
def test_a_bundle_holds_all_its_files_in_order(phone: Phone, name: str) -> None:
    """What the keeper's page needs comes in one file, the same as its parts."""
    parts = [phone.client.get(f"/static/{part}").text for part in BUNDLES[name]]
    assert phone.client.get(f"/static/{name}").text == "\n".join(parts)


def test_what_others_wrote_comes_as_they_published_it(phone: Phone) -> None:
    """The vendored library is byte for byte the file that its hash is of."""
    name = "vendor/htmx.min.js"
    with phone.client.get(f"/static/{name}") as answer:
        assert answer.data == Path(ROOT, "static", name).read_bytes()


def test_an_unchanged_file_is_not_sent_again(phone: Phone) -> None:
    """Who has a file already is told that it is the same."""
    etag = phone.client.get("/static/app.js").headers["ETag"]
    again = phone.client.get("/static/app.js", headers={"If-None-Match": etag})
    assert again.status_code == HTTPStatus.NOT_MODIFIED


@pytest.mark.parametrize(
    "name", ["nothing.css", "../app/__init__.py", "..%2f..%2fetc%2fx.js", "icons/nothing.js"]
)
def test_a_file_that_is_not_there_is_not_found(phone: Phone, name: str) -> None:
    """Nothing outside of the folder is served, and nothing that is not in it."""
    assert phone.client.get(f"/static/{name}").status_code == HTTPStatus.NOT_FOUND
