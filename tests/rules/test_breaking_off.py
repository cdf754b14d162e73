"""A game that is stopped before anybody has won."""

import pytest

from tests.rules.table import (
    bid,
    broken_off,
    deal_with_trick_to,
    gets,
    pair,
    play,
    to_the_play,
)


@pytest.mark.reading(13)
def test_a_standing_that_is_tied_is_shared() -> None:
    """Reading 13: both at the top win, also where ties are played off otherwise."""
    table = play(gets(Anna=20, Bo=30, Cilla=30), broken_off("settled"), tied_winners="tie_break")
    assert table.winners == ("Bo", "Cilla")
    assert table.payout == {"Anna": -1_000, "Bo": 500, "Cilla": 500}


@pytest.mark.reading(13)
def test_a_tie_break_that_is_still_tied_is_shared() -> None:
    """Reading 13: broken off as it begins, both tied players win."""
    happened = (*gets(Anna=48, Bo=53, Cilla=40), *deal_with_trick_to("Anna"))
    table = play(*happened, broken_off("settled"), tied_winners="tie_break")
    assert table.payout == {"Anna": 650, "Bo": 650, "Cilla": -1_300}


@pytest.mark.reading(13)
def test_a_game_may_be_broken_off_at_any_time() -> None:
    """Reading 13: in the middle of a Chicago too, which then neither wins nor costs anything."""
    table = play(gets(Bo=20), *to_the_play(), bid("Bo"), broken_off("settled"))
    assert (table.winners, table["Bo"]) == (("Bo",), 20)


def test_nothing_is_recorded_after_breaking_off() -> None:
    """A game broken off is over."""
    table = play(broken_off("void"))
    assert table.refusal(pair("Anna")) == "game_over"
    assert table.refusal(broken_off("settled")) == "game_over"
