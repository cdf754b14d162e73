"""Without a network: the setting, the offer, and the pages that a phone keeps for its worker."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from bs4 import Tag
from flask import Flask

from tests.web.conftest import PLAYERS, serve
from tests.web.pages import Page

LISTING = '{"release": "1", "abi": "1", "schema": 1, "files": [], "bytes": 1, "download": 5000000}'
ENGLISH = {"Accept-Language": "en"}


@pytest.fixture
def with_bundle(tmp_path: Path) -> Iterator[Flask]:
    """Return an application with an offline bundle."""
    (tmp_path / "kit.json").write_text(LISTING)
    app = serve(tmp_path / "chicago.db")
    app.config["KIT"] = str(tmp_path)
    yield app
    app.close()


def see(app: Flask, path: str) -> Page:
    """Return a page in English."""
    answer = app.test_client().get(path, headers=ENGLISH)
    assert answer.status_code == 200
    return Page(answer.text)


def one(page: Page, selector: str) -> Tag:
    """Return the only element of a page that matches a selector."""
    [found] = page.soup.select(selector)
    return found


def test_a_server_with_a_bundle_offers_it_and_its_board_knows(with_bundle: Flask) -> None:
    """The start page and the setting have the button; on the board a script installs the bundle."""
    for path in ("/", "/offline"):
        assert "5\N{NO-BREAK SPACE}MB" in one(see(with_bundle, path), "#take-along").text
    client = with_bundle.test_client()
    form = {"player": PLAYERS, "dealer": "0", "stake": "1"}
    table = client.post("/", data=form).location
    board = Page(client.get(table, headers=ENGLISH).text)
    assert one(board, "#live")["data-ready"] == "Works without a network now"
    reader = see(with_bundle, table)
    assert "data-ready" not in one(reader, "#live").attrs
    assert "/offline" in {link.href for link in see(with_bundle, f"{table}/settings").links}


def test_a_server_without_a_bundle_offers_nothing(app: Flask, tmp_path: Path) -> None:
    """Its pages have no setting and no offer."""
    usual, app.config["KIT"] = app.config["KIT"], str(tmp_path)
    try:
        assert app.test_client().get("/offline").status_code == 404
        assert not see(app, "/").elements("#along")
    finally:
        app.config["KIT"] = usual
