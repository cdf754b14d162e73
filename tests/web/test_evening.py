"""The evening's page: won, lost, left to settle, ticked as paid, taken back, and edited later."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask

from app.rules.events import BreakOff, Correction
from app.services.commit import commit
from app.services.edit import Edit
from app.services.play import Record, Start
from app.store.database import Database
from tests.services.keeper import game_from
from tests.web.conftest import Seat
from tests.web.evenings import (
    next_game,
    open_games,
    pen_of,
    record,
    store_of,
    won,
)
from tests.web.pages import Page, words
from tests.web.phone import Phone

PLAYERS = ["Anna", "Bo", "Cilla"]
Evening = Callable[..., Phone]


@pytest.fixture
def evening(app: Flask, seat: Seat) -> Evening:
    """Return a function that plays two games: Anna wins 5 points at 1 kr, Bo 2 at 50 öre."""

    def play(phone: Phone, **setup: object) -> Phone:
        seat(phone, "Anna 5, settled", players=PLAYERS, **setup)
        second = {} if "stake_ore" in setup else {"stake_ore": 50}
        next_game(app, phone, "Bo 2, settled", **second)
        phone.open(f"{phone.table}/evening")
        return phone

    return play


def left(page: Page) -> list[str]:
    """Return the open payments: payer, payee and amount."""
    return [words(row).removesuffix(" Swish it") for row in page.soup.select(".owed li:has(a)")]


def test_a_table_without_stakes_knows_no_money(evening: Evening, phone: Phone) -> None:
    """With stake 0 the page shows points and their sum, and no screen shows a krona."""
    page = evening(phone, stake_ore=0).page
    assert "Anna 5 0 5" in page.text
    for shown in (page, phone.home(), phone.open(f"{phone.table}/people")):
        assert "kr" not in shown.text.split()
        assert "ronor" not in shown.text
        assert not left(shown)


def test_players_come_and_go_and_so_does_money(app: Flask, evening: Evening, phone: Phone) -> None:
    """A player who sat out a game has a dash there; a game in progress has no result.

    A game for points adds nothing to the sum; a game without entries is left out.
    """
    next_game(app, evening(phone), "Dan 1, settled", players=["Anna", "Dan"], stake_ore=100)
    next_game(app, phone, "Dan 8, settled", stake_ore=0)
    next_game(app, phone, stake_ore=100)
    assert "Dan – – +1 8 points +1" in phone.open(f"{phone.table}/evening").text
    record(app, phone, "nobody")
    page = phone.open(f"{phone.table}/evening")
    assert "Cilla −5 −1 – – – −6" in page.text
    assert "Dan – – +1 8 points … +1" in page.text


def test_a_game_edited_after_paying_is_owed(app: Flask, evening: Evening, phone: Phone) -> None:
    """The difference is left to settle; recorded payments stay."""
    evening(phone).press("All have paid")
    edited = [Correction(player="Anna", points=2), BreakOff(settle=True)]
    commit(store_of(app), pen_of(phone), Edit(1, entries=edited))
    page = phone.open(f"{phone.table}/evening")
    assert [each.split(" Swish")[0] for each in left(page)] == [
        "Anna → Bo 3 kr",
        "Anna → Cilla 3 kr",
    ]
    assert "Cilla → Anna 6 kr paid" in page.text


@pytest.mark.parametrize(
    ("address", "sent", "status"),
    [
        ("undo", {"seq": "1", "settlement": "9"}, 409),
        ("undo", {"settlement": "x"}, 422),
        ("all", {"way": "gold"}, 422),
    ],
)
def test_what_cannot_be_done_is_answered_with_the_evening_as_it_is(
    evening: Evening, either: Phone, address: str, sent: dict[str, str], status: int
) -> None:
    """A tap on an old page and an invalid form record nothing; a sentence gives the reason."""
    page = evening(either).press("All have paid")
    form = {"seq": either.open(f"{either.table}/evening").seq, **sent}
    page = either.send(f"{either.table}/evening/{address}", form)
    assert either.answer.status_code == status
    assert page.announcement
    assert page.announcement.startswith("Somebody else got there first.") is (status == 409)


def test_earlier_evenings_stay_and_what_was_left_is_carried_over(
    db: Database, phone: Phone
) -> None:
    """Another day has its own page; its unpaid amounts are part of the open payments now."""
    day, names = "2024-01-05", " ".join(PLAYERS)
    games = [
        game_from(f"{day}T19:00:00Z", names, "Anna 5, settled"),
        game_from(f"{day}T20:00:00Z", names, "Bo 2, settled", stake_ore=50),
    ]
    write = open_games(db, phone, games)
    for change in (Start({"stake_ore": 100}), *map(Record, won("Anna", 1))):
        commit(db, write, change)
    page = phone.open(f"{phone.table}/evening")
    assert left(page) == ["Cilla → Anna 6 kr from before 7 kr", "Bo → Anna 3 kr from before 4 kr"]
    assert "Anna +9 +2 0 +11" in page.text
    earlier = phone.open(f"{phone.table}/evening/{day}")
    assert "Anna +10 −1 +9" in earlier.text
    assert left(earlier) == []
    assert earlier.has("What is left to settle")


# People and their names.


@pytest.fixture
def bosse(app: Flask, seat: Seat, phone: Phone) -> Phone:
    """Return the keeper of a table where Bo lost 5 kr to Anna, and then won 2 kr as Bosse."""
    seat(phone, "Anna 5, settled", players=["Anna", "Bo"])
    next_game(app, phone, "Bosse 2, settled", players=["Anna", "Bosse"])
    phone.open(f"{phone.table}/people")
    return phone


def merge(phone: Phone, name: int, into: int, seq: str = "") -> Page:
    """Choose two names, by their numbers at the table, and merge them."""
    sent = {"seq": seq or phone.page.seq, "do": "merge", "name": str(name), "into": str(into)}
    return phone.send(f"{phone.table}/people", sent)


def test_two_names_become_two_people_again(bosse: Phone) -> None:
    """The merge can be undone; a tap on an old page changes nothing."""
    assert "also" not in merge(bosse, 3, 2, "1").text
    assert bosse.answer.status_code == 409
    merge(bosse, 3, 2)
    page = bosse.press("No: two people")
    assert "also" not in page.text
    assert "Bosse – +2 +2" in bosse.open(f"{bosse.table}/evening").text


def test_two_who_played_each_other_stay_two(bosse: Phone) -> None:
    """The merge is refused in words, with the game in which both played."""
    page = merge(bosse, 2, 1)
    assert bosse.answer.status_code == 422
    assert page.announcement == "Anna and Bo both played in game 1, so they are two people."
