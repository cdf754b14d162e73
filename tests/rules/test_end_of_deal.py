"""Who has won when a deal is over."""

import pytest

from tests.rules.table import (
    Happening,
    best,
    bid,
    broken,
    deal_with_trick_to,
    gets,
    nobody,
    pair,
    play,
    to_the_play,
    trick,
    zero,
)

NO_PENALTY = {"chicago_penalty": 0, "chicago_minimum": None}


def bids_and_loses(player: str) -> tuple[Happening, ...]:
    """Play a deal in which `player` bids Chicago and loses it."""
    return *to_the_play(), bid(player), broken()


@pytest.mark.rule("target")
def test_who_is_at_the_target_when_the_deal_is_over_wins() -> None:
    """Who has `target` points wins at the end of the deal, and not before."""
    table = play(gets(Anna=47), *to_the_play(), trick("Anna"), target=52)
    assert (table["Anna"], table.over) == (52, False)
    assert table.then(nobody()).winners == ("Anna",)


@pytest.mark.reading(6)
def test_the_highest_at_the_target_wins() -> None:
    """Reading 6: of several at the target the one with most points wins."""
    table = play(gets(Anna=49, Bo=53), *deal_with_trick_to("Anna"))
    assert table.winners == ("Anna",)


@pytest.mark.reading(6)
def test_a_deal_cut_short_counts_as_ended() -> None:
    """Reading 6: Anna, at 52, ends the deal by zeroing, and has won it."""
    rules = {"zeroing": {"four_of_a_kind": "choice"}}
    table = play(gets(Anna=52, Bo=60), zero("Anna"), **rules)
    assert (table.winners, table.scores) == (("Anna",), {"Anna": 52, "Bo": 0, "Cilla": 0})


@pytest.mark.reading(6)
def test_of_the_remaining_candidates_those_with_the_trick_count() -> None:
    """Reading 6: Bo lacks a Chicago and Anna the trick, so Cilla, the lowest of them, wins."""
    chicago = {"win_needs_chicago": "declared", "win_needs_chicago_unmet": "plays_on"}
    table = play(
        *bids_and_loses("Anna"),
        *bids_and_loses("Cilla"),
        gets(Anna=60, Bo=70, Cilla=50),
        *deal_with_trick_to("Cilla"),
        finish="trick_same_deal",
        **chicago,
        **NO_PENALTY,
    )
    assert (table.winners, table["Cilla"]) == (("Cilla",), 55)


@pytest.mark.reading(6)
def test_the_final_hand_can_still_change_the_winner() -> None:
    """Reading 6: Bo is at 52 after the trick, Anna's full house in the final hand passes him."""
    table = play(gets(Anna=48, Bo=47), *to_the_play(), trick("Bo"), best("Anna", "full_house"))
    assert (table.winners, table.scores) == (("Anna",), {"Anna": 54, "Bo": 52, "Cilla": 0})


def test_nothing_is_recorded_when_the_game_is_over() -> None:
    """After the last deal every event is refused, and nobody may exchange or bid."""
    table = play(gets(Anna=52), *deal_with_trick_to("Bo"))
    assert table.refusal(pair("Bo")) == "game_over"
    assert table.refusal(gets(Bo=1)[0]) == "game_over"
    assert not any(table.may_exchange(name) or table.may_bid(name) for name in table.scores)
    assert (table.deal, table.dealer, table.step) == (1, "Cilla", "over")
