"""A tap that zeroes or wins states its effect before it is carried out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rules.events import BestHand
from app.rules.game import apply
from app.rules.hands import Hand
from app.rules.rights import can
from app.rules.state import Step
from app.web.table.grid import grid_rows
from app.web.table.page import hand_choices
from app.web.table.protocol import head_names
from tests.rules.strategies import Played, games
from tests.web.conftest import Seat
from tests.web.pages import words
from tests.web.phone import Phone

HUVUDREGLER: dict[str, object] = {"preset": "huvudregler"}
ALWAYS = {**HUVUDREGLER, "zeroing": {"four_of_a_kind": "always"}}
ONE = {**HUVUDREGLER, "zeroing_victims": "one"}
WAITS = {**HUVUDREGLER, "after_zeroing": "deal_goes_on", "zeroing_and_chicago": "zeroing_last"}
SCORES = "Anna 46, Bo 6, Cilla 44"

STRUCK = "Anna 46 → 0 · Bo 6 → 14 · Cilla 44 → 0."
UNMET = "Bo reached 52 without a Chicago and is zeroed."

# Sheets of a hand of Bo's: the rules, the events before, the hand, each way with its effect.
SHEETS: dict[str, tuple[dict[str, object], str, str, list[str]]] = {
    "score or zero": (
        HUVUDREGLER,
        SCORES,
        "four_of_a_kind",
        [
            "8 points Bo 6 → 14",
            "Zero all the others Anna 46 → 0 · Cilla 44 → 0. The deal is over.",
        ],
    ),
    "scores and zeroes": (
        ALWAYS,
        SCORES,
        "four_of_a_kind",
        [
            f"8 points, and zero all the others {STRUCK} The deal is over.",
        ],
    ),
    "one victim": (
        ONE,
        SCORES,
        "four_of_a_kind",
        [
            "8 points Bo 6 → 14",
            "Zero Anna Anna 46 → 0. The deal is over.",
            "Zero Cilla Cilla 44 → 0. The deal is over.",
            "Zero Dan The deal is over.",
        ],
    ),
    "wins": (
        HUVUDREGLER,
        SCORES,
        "straight_flush",
        ["Bo wins the game with 58 points Bo 6 → 58"],
    ),
    "wins and zeroes": (
        HUVUDREGLER,
        SCORES,
        "royal_flush",
        ["Bo wins the game with 58 points Anna 46 → 0 · Bo 6 → 58 · Cilla 44 → 0"],
    ),
    "waits": (
        WAITS,
        f"{SCORES}, no hands",
        "four_of_a_kind",
        ["Zero all the others The zeroing by Bo is pending."],
    ),
    "lets another lose the target": (
        HUVUDREGLER,
        "Anna 46, Bo 53",
        "four_of_a_kind",
        [
            "8 points Bo 53 → 61",
            f"Zero all the others Anna 46 → 0 · Bo 53 → 0. {UNMET} The deal is over.",
        ],
    ),
}


@pytest.mark.parametrize("name", SHEETS)
def test_the_sheet_of_a_hand_says_what_each_way_does(phone: Phone, seat: Seat, name: str) -> None:
    """Each way names the changed scores and the winner; a way that zeroes has another colour."""
    rules, happened, hand, ways = SHEETS[name]
    seat(phone, happened, rules=rules)
    phone.open(f"{phone.table}/hand/2/{hand}")
    assert [words(tag) for tag in phone.page.soup.select(".answers button")] == ways
    red = [words(tag) for tag in phone.page.soup.select(".answers .zeroes")]
    assert red == [way for way in ways if "zero " in way or way.startswith("Zero")]


def test_what_a_way_does_is_its_description(either: Phone, seat: Seat) -> None:
    """A screen reader reads the name of the way first, then its effect."""
    seat(either, SCORES, rules=HUVUDREGLER)
    either.open(f"{either.table}/hand/2/four_of_a_kind")
    (described,) = either.page.button("Zero all the others").attributes["aria-describedby"].split()
    (what,) = either.page.soup.select(f"#{described}")
    assert words(what).startswith("Anna 46 → 0")


@given(played=games())
def test_a_cell_that_records_at_once_is_never_dangerous(played: Played) -> None:
    """No hand that the grid books zeroes others or wins at once."""
    state = played.states[-1]
    for row in grid_rows(state):
        for cell in row.cells:
            if not cell.ask and cell.open and isinstance(cell.event, BestHand):
                after = apply(state, cell.event)
                assert not {"zeroes", "zeroed"} & {effect.code for effect in after.effects}
                early = state.deal.step is not Step.FINAL_HAND
                assert after.ended != "won_by_hand"
                assert not (early and after.over)


@given(played=games(), hand=st.sampled_from(list(Hand)))
def test_what_a_sheet_tells_is_what_is_done(played: Played, hand: Hand) -> None:
    """Every score on the sheet is the score after the choice."""
    state = played.states[-1]
    names = head_names(state)
    for name in state.players:
        for choice in hand_choices(state, name, hand):
            assert choice.open == (choice.consequences is not None) == can(state, choice.event)
            if choice.consequences is None:
                continue
            after = apply(state, choice.event)
            assert choice.points == after.score(name) - state.score(name)
            told = {change.player: change.after for change in choice.consequences.changes}
            for player in state.players:
                expected = told.get(names[player], state.score(player))
                assert after.score(player) == expected
            assert choice.wins == (name in after.winners and choice.event.choose == "score")
