"""`make screens` takes a picture of every page."""

from __future__ import annotations

from urllib.parse import urljoin, urlsplit

import pytest
from flask import Flask
from werkzeug.exceptions import HTTPException

from tests.screens.scenes import EVERY_PAGE, SHORT, read_scenes

# Endpoints that are no pages: data, files, pictures, parts of pages, and streams.
NO_PAGES = (
    *("static", "moved", "site.health", "bundle.file", "bundle.listing", "pwa.worker"),
    *("site.icon", "site.robots", "site.security"),
    *("pwa.manifest", "transfers.manifest", "live.table", "live.evening", "live.middle"),
    *("files.every_game", "files.game", "files.ledger", "table.sheets", "ahead.ahead"),
    *("picture.painted", "picture.drawn", "table_card.card", "pens.code"),
)
# Pages that another scene shows: the steps of `transfers.install`, and its transfer.
SHOWN_ELSEWHERE = ("transfers.start",)
# Links that are requested while pictures are taken.
GIVEN = {"/pen": "/pen/x", "/recovery": "/recovery/x", "/../../transfer": "/../../transfer/x"}


def find_endpoints(app: Flask) -> set[str]:
    """Return the endpoints that answer the addresses of the scenes."""
    urls = app.url_map.bind("localhost")
    found = set()
    for scene in read_scenes(SHORT[:4], *EVERY_PAGE):
        path = GIVEN[scene.gives] if scene.gives else scene.path
        address = urlsplit(urljoin("http://localhost/t/x/", f"/t/x{path}")).path
        try:
            found.add(urls.match(address, method="GET")[0])
        except HTTPException:
            assert "no such" in scene.name, address
    return found


def test_every_page_is_a_scene(app: Flask) -> None:
    """Every endpoint that answers with a page is a scene; every exception still exists."""
    pages = {
        rule.endpoint
        for rule in app.url_map.iter_rules()
        if "GET" in (rule.methods or ()) and not rule.endpoint.startswith("api.")
    }
    left_out = {*NO_PAGES, *SHOWN_ELSEWHERE}
    assert left_out - pages == set()
    assert find_endpoints(app) == pages - left_out


@pytest.mark.parametrize("count", [2, 8])
def test_no_two_scenes_have_one_name(count: int) -> None:
    """Pictures are named after their scenes."""
    names = [scene.name for scene in read_scenes(SHORT[:count], *EVERY_PAGE)]
    assert sorted(set(names)) == sorted(names)
