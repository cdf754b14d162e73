"""Styles and scripts as they are served to the phone."""

from __future__ import annotations

import re
from http import HTTPStatus

import brotli
import pytest

from app.http.application import ROOT
from app.http.assets import BUNDLES
from tests.web.phone import Phone

STATIC = ROOT / "static"
FILES = sorted([*STATIC.glob("*.[cj]s*"), *STATIC.glob("worker/*.js")])
HTMX = "vendor/htmx.min.js"
OURS = [path.relative_to(STATIC).as_posix() for path in FILES]


@pytest.mark.parametrize("name", OURS)
def test_styles_and_scripts_come_without_what_is_for_readers(phone: Phone, name: str) -> None:
    """The answers are shorter than their files, and contain no comments."""
    source = (STATIC / name).read_text(encoding="utf-8")
    answer = phone.client.get(f"/static/{name}")
    assert answer.status_code == HTTPStatus.OK
    assert answer.mimetype in ("text/css", "text/javascript")
    assert 0 < len(answer.text) < len(source)
    assert not any(line.startswith(("//", "/*")) for line in answer.text.splitlines())


def test_no_space_that_means_something_is_lost(phone: Phone) -> None:
    """Within a container's rules the minifier drops the one before a pseudo class."""

    def descendants(text: str) -> int:
        selectors = re.sub(r"\{[^{}]*\}", "{}", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL))
        return len(re.findall(r"[\w)\]] :(?=[a-z])", selectors))

    for path in STATIC.glob("*.css"):
        served = phone.client.get(f"/static/{path.name}").text
        assert descendants(served) == descendants(path.read_text(encoding="utf-8")), path.name


@pytest.mark.parametrize("name", BUNDLES)
def test_a_bundle_holds_all_its_files_in_order(phone: Phone, name: str) -> None:
    """The bundle is one file, the concatenation of its parts."""
    parts = [phone.client.get(f"/static/{part}").text for part in BUNDLES[name]]
    assert phone.client.get(f"/static/{name}").text == "\n".join(parts)


@pytest.mark.parametrize("name", [*BUNDLES, HTMX, "pages.css"])
def test_styles_and_scripts_are_compressed(phone: Phone, name: str) -> None:
    """Every answer decompresses to the same file; what others wrote comes as they published it."""
    plain = phone.client.get(f"/static/{name}").data
    assert name != HTMX or plain == (STATIC / HTMX).read_bytes()
    for _ in range(2):
        answer = phone.client.get(f"/static/{name}", headers={"Accept-Encoding": "br"})
        assert brotli.decompress(answer.data) == plain


@pytest.mark.parametrize("encoding", ["identity", "br"])
def test_an_unchanged_file_is_not_sent_again(phone: Phone, encoding: str) -> None:
    """A matching ETag is answered with status 304, for compressed answers too."""
    asking = {"Accept-Encoding": encoding}
    etag = phone.client.get("/static/app.js", headers=asking).headers["ETag"]
    again = phone.client.get("/static/app.js", headers={**asking, "If-None-Match": etag})
    assert again.status_code == HTTPStatus.NOT_MODIFIED


@pytest.mark.parametrize(
    "name", ["nothing.css", "../app/__init__.py", "..%2f..%2fetc%2fx.js", "x" * 300 + ".css", "%00"]
)
@pytest.mark.parametrize("folder", ["/static", "/offline/..", "/offline/x"])
def test_a_file_that_is_not_there_is_not_found(phone: Phone, folder: str, name: str) -> None:
    """Nothing outside of the folder is served, and no unknown file."""
    assert phone.client.get(f"{folder}/{name}").status_code == HTTPStatus.NOT_FOUND


def test_schemes_differ_in_colours_alone() -> None:
    """The dark and the light scheme have the same layout and sizes; paper is always light."""
    styles = [path.read_text(encoding="utf-8") for path in STATIC.glob("*.css")]
    asked = sum(style.count("prefers-color-scheme") for style in styles)
    blocks = [
        block
        for style in styles
        for block in re.findall(
            r"@media \(prefers-color-scheme: light\), print {\s*:root {([^{}]*)}\s*}", style
        )
    ]
    assert len(blocks) == asked > 1
    settings = [line.strip() for block in blocks for line in block.split(";") if line.strip()]
    colour = re.compile(r"--[\w-]+: (#\w+|var\(--[\w-]+\))|color-scheme: \w+")
    assert [each for each in settings if not colour.fullmatch(each)] == []
