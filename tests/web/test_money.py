"""Who is ahead over the evenings of a table: the sums, and each evening with what it brought."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from flask import Flask

from app.rules.gamefile import Game, read_game
from app.services import import_export, tables
from app.store.database import Database
from tests.web.conftest import Seat
from tests.web.evenings import next_game, won
from tests.web.pages import Page
from tests.web.phone import Phone
from tests.web.test_errors_at_fields import fault_at

FIRST = date(2024, 1, 5)
PLAYERS = ["Anna", "Bo", "Cilla"]


def game(day: date, player: str, points: int, stake_ore: int = 100) -> Game:
    """Return a game of an evening that somebody won by so many points."""
    at = datetime.combine(day, datetime.min.time(), UTC) + timedelta(hours=19)
    events: list[object] = list(won(player, points))
    raw = {"format": "chicago-game/1", "players": PLAYERS, "at": at.isoformat()}
    return read_game({**raw, "stake_ore": stake_ore, "events": events})


def open_evenings(db: Database, phone: Phone, games: list[Game]) -> Page:
    """Open a table with these games, and its page of money."""
    phone.table = f"/t/{import_export.open_table(db, games, '', tables.new_pen())}"
    return phone.open(f"{phone.table}/money")


def weekly(count: int) -> list[Game]:
    """Return a game a week, won by one after the other."""
    days = [FIRST + timedelta(days=7 * n) for n in range(count)]
    return [game(day, PLAYERS[n % 3], n % 7 + 1) for n, day in enumerate(days)]


def summaries(page: Page) -> list[str]:
    """Return what stands on each evening while it is folded."""
    nights = page.soup.select("details.night > summary")
    return [" ".join(each.text.split()).replace("\N{NO-BREAK SPACE}", " ") for each in nights]


def test_who_is_ahead_stands_first(db: Database, phone: Phone) -> None:
    """With the evenings played, the best and the worst of them, and what is left."""
    games = [game(FIRST, "Bo", 5), game(FIRST + timedelta(days=7), "Anna", 2)]
    text = open_evenings(db, phone, games).text
    rows = [
        "Bo 2 +10 5 January 2024 −2 12 January 2024 +8 +8",
        "Anna 2 +4 12 January 2024 −5 5 January 2024 −1 −1",
        "Cilla 2 −2 12 January 2024 −5 5 January 2024 −7 −7",
    ]
    assert [row in text for row in rows] == [True] * 3
    assert sorted(rows, key=text.index) == rows


def test_an_evening_says_who_won_it_and_where_that_leaves_everybody(
    db: Database, phone: Phone
) -> None:
    """The newest first, each with a way to its own page."""
    games = [game(FIRST, "Bo", 5), game(FIRST + timedelta(days=7), "Anna", 2)]
    page = open_evenings(db, phone, games)
    assert summaries(page) == ["12 January 2024 Anna +4 kr", "5 January 2024 Bo +10 kr"]
    assert "Anna −1 +4 Bo +8 −2 Cilla −7 −2" in page.text
    assert phone.follow("The evening of 5 January 2024").title == "The evening of 5 January 2024"


def test_games_for_points_are_no_money(app: Flask, seat: Seat, phone: Phone) -> None:
    """Played for nothing there is nothing to list, and a void game brings nobody anything."""
    seat(phone, *won("Bo", 5), players=["Anna", "Bo"], stake_ore=0)
    page = phone.open(f"{phone.table}/money")
    assert "No game for money has ended here yet." in page.text
    assert not phone.open(f"{phone.table}/evening").has("All evenings together")
    next_game(app, phone, {"event": "break_off", "settle": False}, stake_ore=100)
    (summary,) = summaries(phone.open(f"{phone.table}/money"))
    assert not summary.endswith("kr")


def test_more_than_a_handful_is_folded(db: Database, phone: Phone) -> None:
    """Five stand open to see, the others behind a line that says how many; no search for so few."""
    page = open_evenings(db, phone, weekly(12))
    assert len(summaries(page)) == 12
    assert len(page.soup.select("details.others details.night")) == 7
    assert "Earlier evenings: 7" in page.text
    assert not page.soup.select("input[name=to]")


@pytest.fixture(scope="module")
def long(app: Flask, db: Database) -> Phone:
    """Return a phone at whose table there was an evening a week for nearly four years."""
    phone = Phone(app.test_client(), False, "en")
    open_evenings(db, phone, weekly(200))
    return phone


def test_every_evening_is_come_by_page_by_page(long: Phone) -> None:
    """Thirty at a time, none twice, the sums the same on each page."""
    page, seen = long.open(f"{long.table}/money"), []
    total = page.soup.select_one("table.ledger tbody")
    while True:
        assert page.soup.select_one("table.ledger tbody") == total
        seen += summaries(page)
        if not page.has("Before that"):
            break
        page = long.follow("Before that")
    days = [FIRST + timedelta(days=7 * n) for n in range(200)]
    assert [" ".join(each.split()[:3]) for each in seen] == [
        f"{day.day} {day:%B %Y}" for day in reversed(days)
    ]


@pytest.mark.parametrize(
    ("to", "first"),
    [("2025", "26 December 2025"), ("2025-06", "27 June 2025"), ("2025-06-26", "20 June 2025")],
)
def test_a_time_is_looked_up(long: Phone, to: str, first: str) -> None:
    """A year, a month or a day: its newest evening stands first, earlier ones below."""
    assert summaries(long.open(f"{long.table}/money?to={to}"))[0].startswith(first)


def test_years_are_a_tap_away_and_months_a_form(long: Phone) -> None:
    """Each year with an evening, the one that is shown marked."""
    page = long.open(f"{long.table}/money?to=2025")
    current = page.elements("[aria-current=page]")
    assert [each["href"] for each in current] == [f"{long.table}/money?to=2025"]
    assert all(page.has(str(year)) for year in range(2024, 2028))
    assert page.elements("input[type=month][name=to]")


def test_a_time_without_evenings_says_so(long: Phone) -> None:
    """Before the first there were none."""
    page = long.open(f"{long.table}/money?to=1999")
    assert (summaries(page), long.answer.status_code) == ([], 200)
    assert "No game has ended in this time." in page.text


@pytest.mark.parametrize("to", ["2025-6", "20255"])
def test_a_time_that_is_none_is_refused_in_words(long: Phone, to: str) -> None:
    """And the newest evenings stand there."""
    page = long.open(f"{long.table}/money?to={to}")
    assert (long.answer.status_code, len(summaries(page))) == (422, 30)
    assert fault_at(long, "to") == "A month is written as 2026-10."
