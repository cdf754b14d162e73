"""Long lists: a table's games with search and pages, other evenings, people."""

from __future__ import annotations

import pytest
from flask import Flask

from app.services.evenings import MOST_OTHERS, PAGE_SIZE
from app.store.clock import this_evening
from app.store.database import Database
from tests.services.keeper import game_from
from tests.web.conftest import Seat
from tests.web.evenings import next_game, open_games, won
from tests.web.pages import words
from tests.web.phone import Phone


@pytest.fixture
def played(app: Flask, seat: Seat, phone: Phone) -> Phone:
    """Return the phone of a table with a game won by Bo, a void one, and one in progress."""
    seat(phone, "Bo 5, settled", stake_ore=100)
    next_game(app, phone, "void")
    next_game(app, phone, "nobody")
    phone.open(f"{phone.table}/games")
    return phone


def entries(phone: Phone) -> list[str]:
    """Return the text of each game in the list."""
    return [words(each) for each in phone.page.soup.select(".played li")]


def test_a_game_says_who_won_it(played: Phone) -> None:
    """A game has its end, amount and players; the heading of the evening has the winner's sum."""
    players = "Anna, Bo, Cilla, Dan"
    assert entries(played) == [
        f"In progress {players} Game 3",
        f"Broken off: nobody pays {players} Game 2",
        f"Broken off and settled as it stands: Bo ahead {players} Game 1 · +15 kr",
    ]
    [heading] = played.page.soup.select(".played h2")
    assert words(heading).endswith("Bo: +15 kr")
    assert heading.select("a")[0]["href"] == f"{played.table}/evening/{this_evening()}"


def test_a_table_s_only_game_has_no_list_beside_it(keeper: Phone) -> None:
    """The score sheet links to no list; before the first entry the list says that it is empty."""
    assert not keeper.open(f"{keeper.table}/protocol").has("All games")
    assert "No game has been played here yet." in keeper.open(f"{keeper.table}/games").text


def test_the_list_is_searched(played: Phone) -> None:
    """The search finds players, winners and days; an empty result has a link to all games."""
    for query, found in {"q=cil": 3, "q=bo&won=1": 1, "q=cilla&won=1": 0, "q=1999": 0}.items():
        played.open(f"{played.table}/games?{query}")
        assert len(entries(played)) == found
    assert "Nothing here matches “1999”." in played.page.text
    played.follow("All games")
    assert len(entries(played)) == 3


def test_a_long_list_goes_on_page_by_page(app: Flask, seat: Seat, phone: Phone) -> None:
    """The next page keeps the search; an invalid page number opens the first page."""
    seat(phone, "Bo 1, settled")
    for _ in range(PAGE_SIZE):
        next_game(app, phone, "Anna 1, settled")
    phone.open(f"{phone.table}/games?q=bo")
    assert len(entries(phone)) == PAGE_SIZE
    phone.follow("Older games")
    [oldest] = entries(phone)
    assert "Game 1 " in oldest
    assert not phone.page.has("Older games")
    assert phone.page.form(f"{phone.table}/games").values("q") == ["bo"]
    for wrong in ("x", "0", "-1", "9" * 40, "3"):
        phone.open(f"{phone.table}/games?page={wrong}")
        assert len(entries(phone)) == PAGE_SIZE


def test_the_evening_shows_some_others_and_who_won_them(db: Database, phone: Phone) -> None:
    """The page shows the newest evenings; the list of games, with its search, holds all of them."""
    games = [
        game_from(
            f"2026-03-{n + 1:02}T20:00:00Z",
            "Anna Bo",
            *won("Bo" if n % 2 else "Anna", 1),
            stake_ore=100 * (1 - n % 2),
        )
        for n in range(MOST_OTHERS + 2)
    ]
    open_games(db, phone, games, "/evening/2026-03-01")
    assert [words(each) for each in phone.page.soup.select(".others li")] == [
        f"{n + 1} March 2026 {'Bo: 1 win' if n % 2 else 'Anna: +1 kr'}"
        for n in range(MOST_OTHERS + 1, 1, -1)
    ]
    assert phone.page.form(f"{phone.table}/games").values("q") == [""]
    phone.follow("All games")
    assert len(entries(phone)) == len(games)


def test_many_people_are_folded(app: Flask, seat: Seat, phone: Phone) -> None:
    """All people are on the page, the first of them outside of the fold."""
    names = [f"Person {n}" for n in range(1, 25)]
    seat(phone, "settled", players=names[:8])
    for players in (names[8:16], names[16:]):
        next_game(app, phone, "settled", players=players)
    for path, entry in (("/people", ".persons li"), ("/forget", ".pick input[name=name]")):
        page = phone.open(phone.table + path)
        assert len(page.elements(entry)) == 24
        assert len(page.elements(f"details.older {entry}")) == 12
        assert "(12)" in page.text
