"""Winning may need the last trick."""

import pytest

from app.rules.events import Event
from tests.rules.table import (
    bid,
    broken,
    deal_with_trick_to,
    gets,
    made,
    nobody,
    pair,
    play,
    to_the_play,
)

A, B = deal_with_trick_to("Anna"), deal_with_trick_to("Bo")


@pytest.mark.rule("finish", "at_target", "trick_same_deal", "trick_later_deal")
@pytest.mark.reading(10)
@pytest.mark.parametrize(
    ("finish", "happened", "winner"),
    [
        pytest.param("at_target", (*gets(Anna=60), *B), "Anna", id="no trick needed"),
        pytest.param("trick_same_deal", (*gets(Anna=60), *B), None, id="without the trick"),
        pytest.param("trick_same_deal", (*gets(Anna=60), *B, *A), "Anna", id="with the trick"),
        pytest.param("trick_same_deal", (*gets(Anna=60, Bo=47), *B), "Bo", id="below a higher one"),
        pytest.param(
            "trick_same_deal", (*gets(Anna=67, Bo=60), *to_the_play(), bid("Anna"), broken()),
            None, id="a Chicago lost is not the trick",
        ),
        pytest.param(
            "trick_later_deal", (nobody(), *gets(Anna=60), *A[1:]), None, id="in the same deal"
        ),
        pytest.param("trick_later_deal", (*gets(Anna=60), *B, *B), None, id="another's trick"),
        pytest.param("trick_later_deal", (*gets(Anna=60), *B, *B, *A), "Anna", id="a later trick"),
        pytest.param("trick_later_deal", (*gets(Anna=46), *A, *A), None, id="begun at 51 of 52"),
        pytest.param("trick_later_deal", (*gets(Anna=47), *A, *A), "Anna", id="begun at 52 of 52"),
        pytest.param("trick_later_deal", (*B, *gets(Anna=52), *A), "Anna", id="reading 21"),
        pytest.param(
            "trick_later_deal", (*gets(Anna=60), *B, *gets(Anna=-20), *A), None, id="fallen below"
        ),
        pytest.param(
            "trick_later_deal",
            (*gets(Anna=60), *B, *to_the_play(), bid("Anna"), made(), nobody()),
            "Anna", id="a Chicago made is the trick",
        ),
    ],
)  # fmt: skip
def test_winning_may_need_the_last_trick(
    finish: str, happened: tuple[Event, ...], winner: str | None
) -> None:
    """By `finish` the target is enough, or takes the last trick of that deal or of a later one."""
    assert play(*happened, finish=finish).winners == ((winner,) if winner else ())


@pytest.mark.reading(10)
@pytest.mark.parametrize("finish", ["trick_same_deal", "trick_later_deal"])
def test_a_needed_trick_prevents_a_win_before_the_play(finish: str) -> None:
    """Reading 10: with `win_when` at_once a hand does not win where the trick is needed."""
    table = play(gets(Anna=51), pair("Anna"), finish=finish, win_when="at_once")
    assert (table.winners, table["Anna"], table.step) == ((), 52, "hand_2")
