"""One person's figures over all tables of a phone: asked for, put together, and forgotten."""

from __future__ import annotations

import pytest
from flask import Flask

from app.rules.gamefile import Game, read_game
from app.services import erasure, import_export
from app.services.commit import commit
from app.services.settings import Merge
from app.services.tables import Write
from app.store.database import Database
from tests.web.phone import Phone

WON: tuple[dict[str, object], ...] = (
    {"event": "correction", "player": "Bo", "points": 60},
    {"event": "break_off", "settle": True},
)
LOST: tuple[dict[str, object], ...] = (
    {"event": "correction", "player": "Eva", "points": 40},
    {"event": "break_off", "settle": True},
)


def game(number: int, events: tuple[dict[str, object], ...], players: str) -> Game:
    """Return a game of some players."""
    at = f"2025-01-{number + 1:02}T20:00:00+00:00"
    raw = {"format": "chicago-game/1", "players": players.split(), "at": at, "id": f"{number}"}
    return read_game({**raw, "events": list(events)})


@pytest.fixture
def links(app: Flask, phone: Phone, db: Database) -> list[str]:
    """Return the links of two tables that a phone has opened, and only reads."""
    first = [game(n, WON, "Bo Eva") for n in range(3)]
    second = [game(0, LOST, "Robert Eva"), game(1, LOST, "Bobo Eva")]
    opened = [import_export.open_table(db, games, "", "pen") for games in (first, second)]
    for link in opened:
        phone.open(f"/t/{link}")
    return opened


def choose(phone: Phone, *names: str) -> None:
    """Say who one is, at one table after the other, the newest first."""
    phone.open("/tables")
    phone.follow("My figures over all tables")
    selects = phone.page.soup.select("select")
    codes = [
        str(option["value"])
        for select, name in zip(selects, names, strict=True)
        for option in select.select("option")
        if option.text == name
    ]
    phone.send("/mine", [("me", code) for code in codes])


def test_the_figures_of_all_tables_are_put_together(links: list[str], phone: Phone) -> None:
    """At each table by itself, and all games together, with the money."""
    phone.open("/mine")
    assert "Everything together" not in phone.page.text
    choose(phone, "Robert", "Bo")
    text = phone.page.text
    assert "Everything together 75% 3 of 4 45.0 3" in text
    assert "+140 kr" in text
    assert "Bo, Eva: Bo 100% 3 of 3" in text
    assert "0% 0 of 1" in text
    chosen = [option.text for option in phone.page.soup.select("option[selected]")]
    assert chosen == ["Robert", "Bo"]


def test_the_server_keeps_nothing_of_it_and_the_phone_forgets_with_a_tap(
    links: list[str], phone: Phone, db: Database
) -> None:
    """What was chosen stands in the phone's cookie alone, and as codes that name nobody."""
    before = db.connection.conn.total_changes
    choose(phone, "Robert", "Bo")
    assert db.connection.conn.total_changes == before
    with phone.client.session_transaction() as cookie:
        assert len(cookie["me"]) == 2
        assert "Bo" not in str(cookie["me"])
    phone.press("Forget who I am")
    with phone.client.session_transaction() as cookie:
        assert not cookie["me"]
    assert "Everything together" not in phone.page.text


def test_a_name_that_is_merged_stays_the_same_person(
    links: list[str], phone: Phone, db: Database
) -> None:
    """Whichever of the names was chosen; an erased one is asked for again."""
    choose(phone, "Robert", "Not me")
    commit(db, Write(links[1], "pen"), Merge("Robert", "Bobo"))
    phone.open("/mine")
    assert "Everything together 0% 0 of 2" in phone.page.text
    erasure.erase_name(db, Write(links[1], "pen"), "Robert", "Player")
    phone.open("/mine")
    assert "Everything together" not in phone.page.text


def test_currencies_are_never_added_up(links: list[str], phone: Phone, db: Database) -> None:
    """What was won in kronor and in euros stands side by side."""
    euros = import_export.open_table(db, [game(0, WON, "Bo Ida")], "", "pen", currency="EUR")
    phone.open(f"/t/{euros}")
    choose(phone, "Bo", "Not me", "Bo")
    assert "60.0 3 +€60 +180 kr" in phone.page.text
