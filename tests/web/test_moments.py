"""Moments: callouts, and the end of a deal."""

from __future__ import annotations

from itertools import pairwise
from typing import get_args

import pytest
from hypothesis import given, settings

from app.rules.codes import EffectCode
from app.rules.outcome import Outcome
from app.web.table.board import CALLED_OUT, ENDS, consequences
from tests.rules.strategies import Played, games
from tests.web.conftest import Seat
from tests.web.pages import words
from tests.web.phone import Phone

Rules = dict[str, object]

HUVUDREGLER: Rules = {"preset": "huvudregler"}
WAITS: Rules = {
    "preset": "huvudregler",
    "after_zeroing": "deal_goes_on",
    "zeroing_and_chicago": "chicago_voids_zeroing",
}
# Effects of every deal, and those that the prompt or the end of the game reports.
ORDINARY = {"struck", "hand", "bid_withdrawn", "breaker", "last_trick"} | {
    "last_trick_with_two",
    "correction",
    "rules",
}


# The events, the moment they make, and the rules.
CASES: dict[str, tuple[str, str, Rules]] = {
    "somebody who leaves": (
        "Anna 14, Anna leaves",
        "Anna leaves with 14 points and pays when the game is over",
        {},
    ),
    "a zeroing that takes Chicagos away": (
        "Anna 46, no hands, Anna chicago, broken, Bo zeroes",
        (
            "Bo zeroes with four of a kind Anna 31 → 0. "
            "Anna’s Chicagos are taken away too. The deal is over."
        ),
        {**HUVUDREGLER, "zeroing_takes_chicagos": True},
    ),
    "a zeroing that waits": (
        "Anna 46, no hands, Bo zeroes",
        "Bo zeroes with four of a kind The zeroing by Bo is pending.",
        WAITS,
    ),
    "a waiting zeroing that is cancelled": (
        "Anna 46, no hands, Bo zeroes, Anna chicago",
        "Anna bids Chicago The Chicago cancels the zeroing by Bo.",
        WAITS,
    ),
    "the target without a Chicago": (
        "Anna 49, deal Anna",
        "Anna reached 52 without a Chicago and is zeroed Anna 54 → 0",
        HUVUDREGLER,
    ),
    "four of a kind that ends the deal": (
        "Bo four_of_a_kind",
        "Bo scores four of a kind: +8 Bo 0 → 8. The deal is over.",
        {**HUVUDREGLER, "zeroing": {}, "four_of_a_kind_ends_deal": True},
    ),
    "an illegal exchange": (
        "Anna 46, Anna exchanges",
        "Anna exchanged despite the stop: −46 Anna 46 → 0",
        {**HUVUDREGLER, "illegal_exchange": "zeroed", "exchange_stop_when": "at_once"},
    ),
    "a false claim": (
        "Anna 46, Anna claims",
        "Anna made a false claim and is out: −46 Anna 46 → 0",
        {"preset": "pagat"},
    ),
}


def loud(phone: Phone) -> str:
    """Return the text of the callouts, or nothing."""
    return " ".join(words(tag) for tag in phone.page.soup.select(".loud"))


@pytest.mark.parametrize("name", CASES)
def test_what_a_table_callouts_about_has_a_line_of_its_own(
    seat: Seat, phone: Phone, name: str
) -> None:
    """The line names the player, the act, and each changed score before and after."""
    happened, said, rules = CASES[name]
    seat(phone, happened, rules=rules)
    assert loud(phone) == said


def test_what_is_ordinary_is_not_shouted_about() -> None:
    """Every kind of effect is a shout, ends the game, or is ordinary."""
    assert set(get_args(EffectCode)) == CALLED_OUT | ENDS | ORDINARY
    assert not CALLED_OUT & ORDINARY


@settings(max_examples=40)
@given(played=games())
def test_changes_are_those_of_the_scores(played: Played) -> None:
    """Every changed score is shown with its old and its new value."""
    for event, (before, after) in zip(played.events, pairwise(played.states), strict=True):
        told = consequences(Outcome(event, before, after))
        changed = [
            (seat.score, after.score(seat.name))
            for seat in before.seats
            if seat.score != after.score(seat.name)
        ]
        assert [(change.before, change.after) for change in told.changes] == changed
        codes = {effect.code for effect in after.effects}
        assert told.callouts or not codes & CALLED_OUT
        assert (told.ends is not None) == after.over
        assert not (told.cuts_short and after.over)


def test_the_end_of_a_deal_is_told(seat: Seat, phone: Phone) -> None:
    """What it gave to each stands over their columns, until the next tap."""
    seat(phone, "Anna pair, nobody, Bo trick, nobody", rules=HUVUDREGLER)
    (told,) = phone.page.soup.select(".sums")
    assert words(told) == "Deal 1: Anna +1 Bo +5 Cilla 0 Dan 0"
    phone.press("Anna: Pair")
    assert not phone.page.soup.select(".sums")


def test_of_more_than_six_it_stands_at_their_heads(seat: Seat, phone: Phone) -> None:
    """Their heads are no columns that a line could stand over."""
    seven = ["Anna", "Bo", "Cilla", "Dan", "Eva", "Fia", "Gun"]
    seat(phone, "Anna pair, nobody, Bo trick, nobody", players=seven, rules=HUVUDREGLER)
    assert [words(tag) for tag in phone.page.soup.select(".difference")] == ["+1", "+5"]
    phone.press("Cilla: Pair")
    assert [words(tag) for tag in phone.page.soup.select(".difference")] == ["+1"]
