"""The money over all evenings of a table: the sums of each player, and each evening's result."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from flask import Flask

from app.rules.gamefile import Game
from app.store.database import Database
from tests.services.keeper import game_from
from tests.web.conftest import Seat
from tests.web.evenings import next_game, open_games, won
from tests.web.pages import Page
from tests.web.phone import Phone

FIRST = date(2024, 1, 5)
PLAYERS = ["Anna", "Bo", "Cilla"]


def weekly(wins: list[tuple[str, int]]) -> list[Game]:
    """Return one game a week, each won by a player by a number of points."""
    return [
        game_from(f"{FIRST + timedelta(days=7 * n)}T19:00:00Z", " ".join(PLAYERS), *won(*win))
        for n, win in enumerate(wins)
    ]


def many(count: int) -> list[Game]:
    """Return a number of games, won by the players in turn."""
    return weekly([(PLAYERS[n % 3], n % 7 + 1) for n in range(count)])


def summaries(page: Page) -> list[str]:
    """Return the summary line of each folded evening."""
    return [" ".join(each.text.split()) for each in page.soup.select("details.night > summary")]


def test_who_is_ahead_stands_first(db: Database, phone: Phone) -> None:
    """The table of sums has evenings played, the best and the worst of them, and the open rest.

    Below it stand the evenings, the newest first, each with its winner and a link to its page.
    """
    open_games(db, phone, weekly([("Bo", 5), ("Anna", 2)]), "/money")
    text = phone.page.text
    rows = [
        "Bo 2 +10 5 January 2024 −2 12 January 2024 +8 +8",
        "Anna 2 +4 12 January 2024 −5 5 January 2024 −1 −1",
        "Cilla 2 −2 12 January 2024 −5 5 January 2024 −7 −7",
        "Anna −1 +4 Bo +8 −2 Cilla −7 −2",
    ]
    places = [text.find(row) for row in rows]
    assert min(places) > 0
    assert places == sorted(places)
    assert summaries(phone.page) == ["12 January 2024 Anna +4 kr", "5 January 2024 Bo +10 kr"]
    assert phone.follow("The evening of 5 January 2024").title == "The evening of 5 January 2024"


def test_games_for_points_are_no_money(app: Flask, seat: Seat, phone: Phone) -> None:
    """A table without a stake has nothing to list, and a void game brings nobody anything."""
    seat(phone, "Bo 5, settled", players=["Anna", "Bo"], stake_ore=0)
    page = phone.open(f"{phone.table}/money")
    assert "No game for money has ended here yet." in page.text
    assert not phone.open(f"{phone.table}/evening").has("All evenings together")
    next_game(app, phone, "void", stake_ore=100)
    (summary,) = summaries(phone.open(f"{phone.table}/money"))
    assert not summary.endswith("kr")


def test_more_than_a_handful_is_folded(db: Database, phone: Phone) -> None:
    """Five stand open, the others in a fold with their number."""
    open_games(db, phone, many(12), "/money")
    assert len(summaries(phone.page)) == 12
    assert len(phone.page.soup.select("details.others details.night")) == 7
    assert "Earlier evenings: 7" in phone.page.text


@pytest.fixture(scope="module")
def long(app: Flask, db: Database) -> Phone:
    """Return a phone at a table with an evening a week for nearly two years."""
    phone = Phone(app.test_client(), False, "en")
    open_games(db, phone, many(100))
    return phone


def test_every_evening_is_come_by_page_by_page(long: Phone) -> None:
    """A page has thirty evenings, none is listed twice, and each page has the same sums."""
    page, seen = long.open(f"{long.table}/money"), []
    total = page.soup.select_one("table.ledger tbody")
    while True:
        assert page.soup.select_one("table.ledger tbody") == total
        seen += summaries(page)
        if not page.has("Before that"):
            break
        page = long.follow("Before that")
    days = [FIRST + timedelta(days=7 * n) for n in reversed(range(100))]
    assert [each.split()[:3] for each in seen] == [f"{day:%-d %B %Y}".split() for day in days]


@pytest.mark.parametrize(
    ("to", "first"),
    [("2024", "27 December 2024"), ("2025-06", "27 June 2025"), ("2025-06-26", "20 June 2025")],
)
def test_a_time_is_looked_up(long: Phone, to: str, first: str) -> None:
    """A year, a month or a day: its newest evening stands first, earlier ones below."""
    assert summaries(long.open(f"{long.table}/money?to={to}"))[0].startswith(first)


def test_years_are_a_tap_away(long: Phone) -> None:
    """Each year with an evening has a link, the current one is marked; earlier years are empty."""
    page = long.open(f"{long.table}/money?to=2025")
    current = page.elements("[aria-current=page]")
    assert [each["href"] for each in current] == [f"{long.table}/money?to=2025"]
    assert page.has("2024")
    page = long.open(f"{long.table}/money?to=1999")
    assert (summaries(page), long.answer.status_code) == ([], 200)
    assert "No game ended in this period." in page.text
