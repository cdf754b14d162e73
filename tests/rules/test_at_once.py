"""Winning may not have to wait for the end of the deal."""

import pytest

from tests.rules.table import (
    bid,
    broken,
    gets,
    nobody,
    pair,
    play,
    to_the_play,
    trick,
)


@pytest.mark.rule("win_when", "deal_end")
def test_a_hand_that_reaches_the_target_may_have_to_wait() -> None:
    """With `win_when` deal_end a pair that brings 52 wins nothing until the deal is over."""
    table = play(gets(Anna=51), pair("Anna"), win_when="deal_end")
    assert (table.winners, table.step) == ((), "hand_2")


@pytest.mark.rule("win_when", "at_once")
@pytest.mark.parametrize("passed", [0, 1, 2], ids=["hand_1", "hand_2", "hand_3"])
def test_a_hand_before_the_play_may_win_at_once(passed: int) -> None:
    """With `win_when` at_once a pair that brings 52 wins and stops the deal there."""
    table = play(gets(Anna=51), win_when="at_once", scored_exchanges=[1, 2, 3])
    table = table.then(*(nobody() for _ in range(passed)), pair("Anna"))
    assert (table.winners, table.deal, table.step) == (("Anna",), 1, "over")


@pytest.mark.rule("win_when", "at_once")
def test_who_wins_at_once_wins_over_a_higher_score() -> None:
    """With `win_when` at_once the holder of the pair wins at 52, though Bo has 53."""
    table = play(gets(Anna=51, Bo=53), pair("Anna"), win_when="at_once")
    assert (table.winners, table["Bo"]) == (("Anna",), 53)


@pytest.mark.rule("win_when", "at_once")
def test_only_the_holder_of_the_hand_wins_at_once() -> None:
    """With `win_when` at_once Bo, already at 60, does not win by Anna's pair or by a correction."""
    table = play(gets(Bo=60), pair("Anna"), win_when="at_once")
    assert (table.winners, table.step) == ((), "hand_2")


@pytest.mark.rule("win_when", "at_once")
def test_from_the_play_on_the_end_of_the_deal_decides() -> None:
    """With `win_when` at_once the last trick does not win at once, and the highest wins."""
    table = play(gets(Anna=51, Bo=48), *to_the_play(), trick("Bo"), win_when="at_once")
    assert (table["Bo"], table.winners) == (53, ())
    assert table.then(pair("Anna")).winners == ("Bo",)


@pytest.mark.rule("win_when", "at_once")
@pytest.mark.rule("win_needs_chicago_unmet", "zeroed")
def test_who_lacks_a_chicago_is_zeroed_at_once() -> None:
    """With `win_when` at_once an unmet requirement zeroes at once and the deal goes on."""
    table = play(gets(Anna=51), pair("Anna"), win_when="at_once", win_needs_chicago="declared")
    assert (table["Anna"], table.deal, table.step) == (0, 1, "hand_2")


@pytest.mark.rule("win_when", "at_once")
@pytest.mark.rule("win_needs_chicago_unmet", "plays_on")
def test_who_lacks_a_chicago_may_play_on_from_the_target() -> None:
    """With `win_when` at_once and unmet plays_on the score stays and the deal goes on."""
    rules = {"win_needs_chicago": "declared", "win_needs_chicago_unmet": "plays_on"}
    table = play(gets(Anna=51), pair("Anna"), win_when="at_once", **rules)
    assert (table["Anna"], table.winners, table.step) == (52, (), "hand_2")


@pytest.mark.rule("win_when", "at_once")
def test_who_has_met_the_requirement_wins_at_once() -> None:
    """With `win_when` at_once a Chicago declared earlier, also in this deal, lets the pair win."""
    rules = {"win_needs_chicago": "declared", "win_when": "at_once", "chicago_when": "any_time"}
    assert play(gets(Anna=51), bid("Anna"), pair("Anna"), **rules).winners == ("Anna",)
    earlier = play(gets(Anna=15), *to_the_play(), bid("Anna"), broken(), **rules)
    assert earlier.then(gets(Anna=51), pair("Anna")).winners == ("Anna",)


@pytest.mark.rule("win_when", "at_once")
@pytest.mark.rule("exchange_stop_when", "at_once")
def test_the_stop_and_the_win_may_both_be_at_once() -> None:
    """With both at_once Anna is stopped in the deal in which she reaches 46, and wins in it."""
    rules = {"win_when": "at_once", "exchange_stop_when": "at_once"}
    table = play(gets(Anna=45), pair("Anna"), gets(Anna=5), **rules)
    assert not table.may_exchange("Anna")
    assert table.then(pair("Anna")).winners == ("Anna",)
