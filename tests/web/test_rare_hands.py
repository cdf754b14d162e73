"""Rare hands stand on a sheet with a cell for each player, two taps from the board."""

from __future__ import annotations

from hypothesis import given, settings

from app.rules.hands import COMMON_HANDS, Hand
from app.rules.house import listed_hands
from app.rules.outcome import announcements
from app.rules.state import HAND_DUE, Step
from app.web.table.grid import rare_hand_rows
from tests.rules.strategies import Played, games
from tests.web.conftest import Seat
from tests.web.phone import Phone

DEARER = {"preset": "huvudregler", "hand_points": {"royal_flush_hearts": 60}, "target": 100}


@settings(max_examples=40)
@given(played=games())
def test_every_hand_that_is_not_common_has_its_row(played: Played) -> None:
    """Each way of booking has a row, and each player a cell, which asks for a victim at most."""
    state = played.states[-1]
    rare = [hand for hand in listed_hands(state.rules) if hand not in COMMON_HANDS]
    due: list[Hand] = [*rare] if state.deal.step in HAND_DUE else []
    if state.deal.step is Step.PLAY:
        due = [hand for hand, _ in announcements(state)]
    rows = rare_hand_rows(state)
    named = dict.fromkeys(row.name.removesuffix("-zero") for row in rows)
    assert list(named) == [*dict.fromkeys(due)]
    for row in rows:
        assert tuple(cell.player for cell in row.cells) == state.players
        victims = state.rules.zeroing_victims == "one"
        assert victims or not any(cell.ask for cell in row.cells)


def test_a_tap_books_what_its_row_says(either: Phone, seat: Seat) -> None:
    """Four of a kind scores in one row and zeroes in another; a victim is asked for."""
    seat(either)
    for label, undone in (("8", "Bo four of a kind"), ("zeroes", "Bo zeroes: four of a kind")):
        either.open(f"{either.table}/rare")
        either.press(f"Bo: Four of a kind ({label})")
        assert undone in either.home().to("/undo").label
    seat(either, rules={"preset": "huvudregler", "zeroing_victims": "one"})
    either.open(f"{either.table}/rare")
    asks = either.page.link("Bo: Four of a kind (zeroes)")
    assert asks.href == f"{either.table}/hand/2/four_of_a_kind"


def test_royal_in_hearts_stands_there_where_it_is_worth_more(seat: Seat, phone: Phone) -> None:
    """The row is there only if the rules tell the hand apart."""
    for rules, told in (({"preset": "huvudregler"}, False), (DEARER, True)):
        seat(phone, rules=rules)
        assert ("Royal flush in hearts" in phone.open(f"{phone.table}/rare").text) is told
