"""What is a tap away from the entries of the board's menu."""

from __future__ import annotations

import pytest
from flask import Flask

from tests.web.phone import Phone

# Links to pages of the table on the settings page, the last entry.
OF_THE_TABLE = {"/years", "/games", "/people", "/files", "/forget", "/recovery", "/how"}


def test_all_else_is_among_the_settings(
    app: Flask, keeper: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The settings lead to statistics, files, the guide, this phone's tables, and the languages."""
    monkeypatch.setitem(app.config, "KIT", "nowhere")
    page = keeper.open(f"{keeper.table}/settings")
    found = {link.href for link in page.links}
    assert found == {keeper.table, "/", "/tables", *(keeper.table + end for end in OF_THE_TABLE)}
    assert page.has("Suomi")


def test_who_leaves_or_needs_a_correction_is_a_name_away(keeper: Phone) -> None:
    """Each name leads to that player's sheet."""
    page = keeper.open(f"{keeper.table}/comings")
    assert page.link("Bo").href == f"{keeper.table}/player/2"
    keeper.follow("Bo")
    assert keeper.page.has("Leaves the game")
