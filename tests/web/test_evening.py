"""The evening's page: won, lost, left to settle, ticked as paid, taken back, and mended later."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from flask import Flask

from app.services import figures, tables
from app.services.commit import commit
from app.services.play import Record
from app.store.clock import evening_of, now
from tests.web.conftest import NewPhone, Seat
from tests.web.evenings import NOBODY, amend, next_game, pen_of, store_of, won
from tests.web.pages import Page
from tests.web.phone import Phone

PLAYERS = ["Anna", "Bo", "Cilla"]
Evening = Callable[..., Phone]


@pytest.fixture
def evening(app: Flask, seat: Seat) -> Evening:
    """Return a way to play two games: Anna wins 5 points at 1 kr, Bo 2 points at 50 öre."""

    def play(phone: Phone, **setup: object) -> Phone:
        seat(phone, *won("Anna", 5), players=PLAYERS, **setup)
        second = {} if "stake_ore" in setup else {"stake_ore": 50}
        next_game(app, phone, *won("Bo", 2), **second)
        phone.open(f"{phone.table}/evening")
        return phone

    return play


def left(page: Page) -> list[str]:
    """Return who is to pay whom, and how much."""
    return [link.label for link in page.links if "/pay/" in link.href]


def test_a_table_without_stakes_knows_no_money(evening: Evening, phone: Phone) -> None:
    """Stake 0: points and their sum, and not a krona on any screen."""
    page = evening(phone, stake_ore=0).page
    assert "Anna 5 0 5" in page.text
    for shown in (page, phone.home(), phone.open(f"{phone.table}/people")):
        assert "kr" not in shown.text.split()
        assert "ronor" not in shown.text
        assert not left(shown)


def test_games_for_points_stand_beside_games_for_money(
    app: Flask, evening: Evening, phone: Phone
) -> None:
    """A game without a stake shows its points, and adds nothing to the sum in kronor."""
    next_game(app, evening(phone), *won("Cilla", 8), stake_ore=0)
    assert "Cilla −5 −1 8 points −6" in phone.open(f"{phone.table}/evening").text


def test_players_come_and_go(app: Flask, evening: Evening, phone: Phone) -> None:
    """Whoever sat out a game has a dash there, and a game being played has no result.

    One in which nothing is recorded yet is no game.
    """
    next_game(app, evening(phone), *won("Dan", 1), players=["Anna", "Dan"], stake_ore=100)
    next_game(app, phone)
    assert "Dan – – +1 +1" in phone.open(f"{phone.table}/evening").text
    commit(store_of(app), pen_of(phone), Record(NOBODY))
    page = phone.open(f"{phone.table}/evening")
    assert "Cilla −5 −1 – – −6" in page.text
    assert "Dan – – +1 … +1" in page.text


def test_a_game_mended_after_paying_is_told(app: Flask, evening: Evening, phone: Phone) -> None:
    """The difference is left to settle, said in words; what was paid stays as it was paid."""
    evening(phone).press("All have paid")
    amend(app, phone, 1, "Anna", 2)
    page = phone.open(f"{phone.table}/evening")
    told = "Game 1 was changed after it was settled: Bo is to have 3 kr from Anna and Cilla is to"
    assert told in page.text.replace("\N{NO-BREAK SPACE}", " ")
    assert left(page) == ["Anna → Bo 3 kr", "Anna → Cilla 3 kr"]
    assert "Cilla → Anna 6 kr paid" in page.text
    assert "was changed" not in phone.press("All have paid").text


def test_readers_see_and_do_not_write(evening: Evening, phone: Phone, new_phone: NewPhone) -> None:
    """Without the pen the evening is read; nothing on it can be pressed, and nothing sent works."""
    evening(phone)
    reader = new_phone()
    page = reader.open(f"{phone.table}/evening")
    assert left(page) == ["Cilla → Anna 6 kr", "Bo → Anna 3 kr"]
    assert page.buttons == []
    for address in ("all", "undo"):
        reader.send(f"{phone.table}/evening/{address}", {"seq": "1", "way": "cash"})
        assert reader.answer.status_code == 401


def test_whoever_was_second_is_shown_how_things_stand(evening: Evening, either: Phone) -> None:
    """A tap on an old page records nothing and is answered with the fresh one."""
    evening(either).press("All have paid")
    page = either.send(f"{either.table}/evening/undo", {"seq": "1", "settlement": "9"})
    assert either.answer.status_code == 409
    assert page.announcement.startswith("Somebody else was first.")


@pytest.mark.parametrize(
    ("address", "sent"),
    [
        ("all", {"way": "gold"}),
        ("undo", {"settlement": "x"}),
    ],
)
def test_nonsense_is_answered_with_a_sentence(
    evening: Evening, phone: Phone, address: str, sent: dict[str, str]
) -> None:
    """Whatever is sent, the answer is the page with a reason, never an error."""
    seq = evening(phone).page.seq
    page = phone.send(f"{phone.table}/evening/{address}", {"seq": seq, **sent})
    assert phone.answer.status_code == 422
    assert page.announcement


def test_earlier_evenings_stay_and_what_was_left_is_carried_over(
    app: Flask, evening: Evening, phone: Phone
) -> None:
    """Yesterday has a page of its own; what was not paid then is part of what is left now."""
    evening(phone)
    day = yesterday(app, phone)
    next_game(app, phone, *won("Anna", 1), stake_ore=100)
    page = phone.open(f"{phone.table}/evening")
    assert "What was left from earlier evenings is included." in page.text
    assert left(page) == ["Cilla → Anna 7 kr", "Bo → Anna 4 kr"]
    assert "Anna +9 +2 0 +11" in page.text
    earlier = phone.open(f"{phone.table}/evening/{day}")
    assert "Anna +10 −1 +9" in earlier.text
    assert left(earlier) == []
    assert earlier.has("What is left to settle")


def yesterday(app: Flask, phone: Phone) -> str:
    """Let every game so far have been begun a day earlier, and return which day that was."""
    db = store_of(app)
    table = tables.find_access(db.connection, pen_of(phone).link, None).id
    with db.transaction() as connection:
        sql = "SELECT sql FROM sqlite_master WHERE type = 'trigger'"
        [(trigger,)] = connection.execute(sql).fetchall()
        connection.execute("DROP TRIGGER changes_immutable")
        day_before = "strftime('%FT%T+00:00', at, '-1 day')"
        connection.execute(f"UPDATE changes SET at = {day_before} WHERE table_id = ?", [table])
        connection.execute(trigger)
        connection.newest.clear()
    figures.recount_all(db)
    return (evening_of(now()) - timedelta(days=1)).isoformat()
