"""Without a network: the setting, the offer, and the pages that a phone keeps for its worker."""

from __future__ import annotations

from pathlib import Path

from bs4 import Tag
from flask import Flask

from tests.browser.bundle_stand_in import LISTING
from tests.web.conftest import PLAYERS
from tests.web.pages import Page

ENGLISH = {"Accept-Language": "en"}


def see(app: Flask, path: str) -> Page:
    """Return a page in English."""
    answer = app.test_client().get(path, headers=ENGLISH)
    assert answer.status_code == 200
    return Page(answer.text)


def one(page: Page, selector: str) -> Tag:
    """Return the only element of a page that matches a selector."""
    [found] = page.soup.select(selector)
    return found


def test_a_server_with_a_bundle_offers_it_and_its_board_knows(alone: Flask, tmp_path: Path) -> None:
    """The start page and the setting have the button; on the board a script installs the bundle.

    Without one there is neither.
    """
    alone.config["KIT"] = str(tmp_path)
    assert alone.test_client().get("/offline").status_code == 404
    assert not see(alone, "/").elements("#along")
    (tmp_path / "kit.json").write_text(LISTING)
    for path in ("/", "/offline"):
        assert "5\N{NO-BREAK SPACE}MB" in one(see(alone, path), "#take-along").text
    client = alone.test_client()
    form = {"player": PLAYERS, "dealer": "0", "stake": "1"}
    table = client.post("/", data=form).location
    board = Page(client.get(table, headers=ENGLISH).text)
    assert one(board, "#live")["data-ready"] == "Works without a network now"
    reader = see(alone, table)
    assert "data-ready" not in one(reader, "#live").attrs
    assert "/offline" in {link.href for link in see(alone, f"{table}/settings").links}
