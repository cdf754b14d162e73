"""Winning may not have to wait for the end of the deal."""

import pytest

from tests.rules.table import (
    gets,
    nobody,
    pair,
    play,
)


@pytest.mark.rule("win_when", "deal_end")
def test_a_hand_that_reaches_the_target_may_have_to_wait() -> None:
    """With `win_when` deal_end a pair that brings 52 wins nothing until the deal is over."""
    table = play(gets(Anna=51), pair("Anna"), win_when="deal_end")
    assert (table.winners, table.step) == ((), "hand_2")


@pytest.mark.rule("win_when", "at_once")
@pytest.mark.parametrize("passed", [0, 1, 2], ids=["hand_1", "hand_2", "hand_3"])
def test_a_hand_before_the_play_may_win_at_once(passed: int) -> None:
    """With `win_when` at_once a pair that brings 52 wins there, though Bo has 53."""
    table = play(gets(Anna=51, Bo=53), win_when="at_once", scored_exchanges=[1, 2, 3])
    table = table.then(*(nobody() for _ in range(passed)), pair("Anna"))
    assert (table.winners, table.deal, table.step) == (("Anna",), 1, "over")


@pytest.mark.rule("win_when", "at_once")
@pytest.mark.rule("win_needs_chicago_unmet", "zeroed")
def test_who_lacks_a_chicago_is_zeroed_at_once() -> None:
    """With `win_when` at_once an unmet requirement zeroes at once and the deal goes on."""
    table = play(gets(Anna=51), pair("Anna"), win_when="at_once", win_needs_chicago="declared")
    assert (table["Anna"], table.deal, table.step) == (0, 1, "hand_2")


@pytest.mark.rule("win_when", "at_once")
@pytest.mark.rule("exchange_stop_when", "at_once")
def test_the_stop_and_the_win_may_both_be_at_once() -> None:
    """With both at_once Anna is stopped in the deal in which she reaches 46, and wins in it."""
    rules = {"win_when": "at_once", "exchange_stop_when": "at_once"}
    table = play(gets(Anna=45), pair("Anna"), gets(Anna=5), **rules)
    assert not table.may_exchange("Anna")
    assert table.then(pair("Anna")).winners == ("Anna",)
