"""The end of a game on the table's page: the winner, the amounts, and the open payments."""

from __future__ import annotations

import pytest
from flask import Flask

from tests.web.conftest import Seat
from tests.web.evenings import next_game
from tests.web.pages import Page, words
from tests.web.phone import Phone

PLAYERS = ["Anna", "Bo", "Cilla"]


@pytest.fixture
def over(seat: Seat, phone: Phone) -> Phone:
    """Return the phone of a table where Anna has won 5 points over both others, at 1 kr each."""
    seat(phone, "Anna 5, settled", players=PLAYERS)
    phone.home()
    return phone


def rows(page: Page) -> list[str]:
    """Return the winner's standing, and the others' tiles."""
    return [words(row) for row in page.soup.select(".standing, .ranking li")]


def owed(page: Page) -> list[str]:
    """Return the open payments on the page."""
    return [words(row).removesuffix(" Swish it") for row in page.soup.select(".owed li:has(a)")]


def test_equals_share_the_name_s_place(seat: Seat, phone: Phone) -> None:
    """Two players with the highest score are named together, first in the ranking."""
    seat(phone, "Bo 3, Cilla 3, settled", players=PLAYERS)
    page = phone.home()
    assert [name.text for name in page.soup.select(".why b")] == ["Bo and Cilla"]
    assert [row[:2] for row in rows(page)] == ["Bo", "Ci", "An"]


@pytest.mark.parametrize(
    ("happened", "how"),
    [
        ("Anna 49, nobody, nobody, Anna trick", "won with the last trick in deal 1"),
        ("Anna 40, nobody, nobody, Anna chicago, made", "won in deal 1: made the Chicago"),
        ("Anna 60, nobody, nobody, Bo trick", "won at the end of deal 1"),
        ("Anna 49, Bo royal_flush", "won with royal flush"),
        ("Anna 5, Bo leaves, Cilla leaves", "won: nobody else is left"),
        ("Anna 5, settled", "ahead when the game was broken off"),
    ],
)
def test_below_the_winner_stands_how_it_was_won(
    seat: Seat, phone: Phone, happened: str, how: str
) -> None:
    """By what the winner did last, where that ended the game."""
    seat(phone, happened, players=PLAYERS, rules={"preset": "vanlig", "hand_after_play": False})
    [told] = phone.home().soup.select(".how")
    assert words(told).startswith(how)


def test_who_has_more_than_the_winner_pays_nothing(seat: Seat, phone: Phone) -> None:
    """A hand that wins at once may leave somebody above; the sums say so."""
    seat(phone, "Anna 60, Bo royal_flush", players=PLAYERS, rules={"preset": "vanlig"})
    assert "Whoever has more than the winner pays nothing." in phone.home().text


def test_who_pays_whom_is_the_evening_s_and_nothing_paid_is_owed(app: Flask, over: Phone) -> None:
    """The list is that of the evening: it adds the games up, and leaves out paid amounts."""
    assert owed(over.page) == ["Bo → Anna 5 kr", "Cilla → Anna 5 kr"]
    over.follow("The evening")
    over.press("All have paid")
    assert owed(over.home()) == []
    assert "Nobody owes anything." in over.page.text
    next_game(app, over, "Bo 1, settled")
    page = over.home()
    assert owed(page) == ["Anna → Bo 1 kr", "Cilla → Bo 1 kr"]
    over.open(f"{over.table}/games/1/picture")
    assert "→" not in over.page.text


def test_without_money_there_are_points_alone(seat: Seat, phone: Phone, app: Flask) -> None:
    """A game without a stake has neither amounts nor payments; a void one costs nobody anything."""
    seat(phone, "Anna 5, settled", players=PLAYERS, stake_ore=0)
    assert rows(phone.home())[:2] == ["5 points", "Bo 0"]
    assert "Left to settle" not in phone.page.text
    next_game(app, phone, "Bo 4, void", stake_ore=100)
    assert rows(phone.home())[0] == "Bo 4"
    assert not phone.page.soup.select(".why b")
    assert "Nobody owes anything." in phone.page.text


def test_a_row_says_why_it_is_not_who_lost_to_whom(seat: Seat, phone: Phone, app: Flask) -> None:
    """Cilla has lost to Bo, and Bo to Anna: Cilla pays Anna, and the rows say the sums."""
    seat(phone, "Anna 5, settled", players=["Anna", "Bo"])
    next_game(app, phone, "Bo 3, settled", players=["Bo", "Cilla"])
    phone.home()
    told = [
        words(each).replace("\N{NO-BREAK SPACE}", " ")
        for each in phone.page.soup.select(".owed li")
    ]
    so = "Fewer payments this way: in all"
    assert told == [
        f"Cilla → Anna 3 kr Swish it {so} Cilla owes 3 kr, and Anna is owed 5 kr.",
        f"Bo → Anna 2 kr Swish it {so} Bo owes 2 kr, and Anna is owed 5 kr.",
    ]
