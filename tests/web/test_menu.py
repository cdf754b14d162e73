"""What is a tap away from the entries of the board's menu."""

from __future__ import annotations

import pytest
from flask import Flask

from app.http.application import VERSION
from tests.web.phone import Phone

# Links to pages of the table on the settings page, the last entry.
OF_THE_TABLE = {"/years", "/games", "/people", "/files", "/forget", "/recovery", "/how", "/compare"}


def test_all_else_is_among_the_settings(
    app: Flask, keeper: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The settings lead to statistics, files, the guide, and the languages."""
    monkeypatch.setitem(app.config, "KIT", "nowhere")
    page = keeper.open(f"{keeper.table}/settings")
    found = {link.href for link in page.links}
    assert found == {keeper.table, *(keeper.table + end for end in OF_THE_TABLE)}
    assert page.has("Suomi")


def test_the_menu_leads_to_the_start_page(keeper: Phone, reader: Phone) -> None:
    """There are this phone's other tables, for who writes and for who reads."""
    for phone in (keeper, reader):
        assert phone.open(f"{keeper.table}/more").link("All tables").href == "/"
        # With the way back to the table.
        assert len(phone.page.links) <= 7


def test_who_leaves_or_needs_a_correction_is_a_name_away(keeper: Phone) -> None:
    """Each name leads to that player's sheet."""
    page = keeper.open(f"{keeper.table}/comings")
    assert page.link("Bo").href == f"{keeper.table}/player/2"
    keeper.follow("Bo")
    assert keeper.page.has("Leaves the game")


def test_the_running_version_stands_at_the_foot(keeper: Phone, reader: Phone) -> None:
    """The menu says it; a health check has it in a header, not in the body."""
    for phone in (keeper, reader):
        assert f"Chicago {VERSION}" in phone.open(f"{keeper.table}/more").text
    answer = keeper.client.get("/healthz")
    assert (answer.text, answer.headers["X-Chicago-Version"]) == ("ok", VERSION)
