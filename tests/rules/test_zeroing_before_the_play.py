"""What is laid open after the last exchange, before the first card is led."""

import pytest

from tests.rules.table import (
    bid,
    four,
    gets,
    made,
    nobody,
    pair,
    play,
    royal,
    to_the_play,
    trick,
    zero,
)

CHOICE = {"four_of_a_kind": "choice"}
ALWAYS = {"four_of_a_kind": "always"}
GOES_ON = {"zeroing": CHOICE, "after_zeroing": "deal_goes_on"}


@pytest.mark.reading(1)
def test_zeroing_is_not_offered_at_the_final_hand_where_it_ends_the_deal() -> None:
    """Reading 1: where zeroing ends the deal it cannot be chosen after the play."""
    table = play(*to_the_play(), trick("Bo"), zeroing=CHOICE, after_zeroing="deal_ends")
    assert table.refusal(zero("Anna")) == "zero_before_play"
    assert table.refusal(four("Anna")) is None


@pytest.mark.reading(1)
def test_a_hand_that_always_zeroes_needs_no_announcement() -> None:
    """Reading 1: `always` strikes when the hand is booked, so at the final hand after the trick."""
    table = play(gets(Bo=10), *to_the_play(), zeroing=ALWAYS)
    assert table.refusal(four("Anna")) == "not_announced"
    table = table.then(trick("Bo"), four("Anna"))
    assert table.scores == {"Anna": 7, "Bo": 0, "Cilla": 0}


@pytest.mark.reading(2)
def test_an_ordinary_hand_is_not_laid_open_before_the_play() -> None:
    """Reading 2: a hand that neither wins nor ends the deal is not scored before the play."""
    table = play(*to_the_play(), zeroing=CHOICE)
    for ordinary in (pair("Anna"), four("Anna"), royal("Anna")):
        assert table.refusal(ordinary) == "not_announced"


@pytest.mark.reading(2)
def test_only_one_hand_is_laid_open_before_the_play() -> None:
    """Reading 2: after one zeroing neither another nor a winning hand is booked there."""
    table = play(*to_the_play(), zero("Anna"), winning_hands=["royal_flush"], **GOES_ON)
    assert table.refusal(zero("Bo")) == "announced_already"
    assert table.refusal(royal("Bo")) == "announced_already"


@pytest.mark.reading(2)
def test_nothing_is_laid_open_once_a_chicago_is_bid() -> None:
    """Reading 2: a hand is laid open before any bid, not after it."""
    table = play(gets(Bo=20), *to_the_play(), bid("Bo"), zeroing=CHOICE)
    assert table.refusal(zero("Anna")) == "no_hand_due"


@pytest.mark.reading(2)
def test_a_zeroing_before_the_play_uses_up_the_final_hand_after_a_chicago_too() -> None:
    """Reading 2: where the deal goes on it ends after the Chicago, whatever `chicago_hand` says."""
    opened = play(gets(Anna=20), *to_the_play(), zero("Anna"), chicago_hand="always", **GOES_ON)
    table = opened.then(bid("Anna"), made())
    assert (table.deal, table["Anna"]) == (2, 35)


@pytest.mark.reading(2)
def test_a_zeroing_in_an_earlier_phase_leaves_the_final_hand() -> None:
    """Reading 2: only a zeroing chosen before the play uses up the final hand."""
    table = play(zero("Anna"), nobody(), trick("Bo"), **GOES_ON)
    assert (table.deal, table.step) == (1, "final_hand")
