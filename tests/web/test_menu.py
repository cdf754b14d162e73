"""The menu of the board has seven entries, and everything else is a tap away from them."""

from __future__ import annotations

import pytest
from flask import Flask

from tests.web.conftest import Seat
from tests.web.evenings import SETTLED
from tests.web.phone import Phone

RULES, EVENING, INVITE = "/rules", "/evening", "/join"
COMINGS, REVISE, COMPARE, SETTINGS = "/comings", "/revise", "/compare", "/settings"
# Links to pages of the table on the settings page, the last entry.
OF_THE_TABLE = {"/years", "/games", "/people", "/files", "/forget", "/recovery", "/how"}


def ways(phone: Phone) -> list[str]:
    """Return the addresses of the menu's entries at the table, in their order."""
    found = phone.open(f"{phone.table}/more").soup.select(".menu a")
    return [str(link["href"]).removeprefix(phone.table) for link in found]


def test_it_has_seven_ways_on(either: Phone, seat: Seat) -> None:
    """The keeper has all of them."""
    seat(either)
    assert ways(either) == [RULES, EVENING, INVITE, COMINGS, REVISE, COMPARE, SETTINGS]


def test_a_reader_has_those_that_record_nothing(reader: Phone) -> None:
    """The entries for joining, leaving and revising are for keepers only."""
    assert ways(reader) == [RULES, EVENING, INVITE, COMPARE, SETTINGS]


def test_after_a_game_who_comes_and_goes_is_asked_for_the_next(seat: Seat, phone: Phone) -> None:
    """Seats are chosen anew for the next game."""
    seat(phone, SETTLED)
    assert ways(phone)[3] == "/next"


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
