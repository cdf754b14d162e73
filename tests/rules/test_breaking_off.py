"""A game that is stopped before anybody has won."""

import pytest

from tests.rules.table import (
    bid,
    broken_off,
    deal_with_trick_to,
    gets,
    leaves,
    pair,
    play,
    to_the_play,
    zero,
)


@pytest.mark.reading(13)
def test_a_game_may_be_settled_at_the_standing() -> None:
    """Reading 13: the highest score wins, far below the target."""
    table = play(gets(Anna=20, Bo=31, Cilla=30), broken_off("settled"))
    assert (table.winners, table.state.status, table.step) == (("Bo",), "broken_off", "over")
    assert table.payout == {"Anna": -1_100, "Bo": 1_200, "Cilla": -100}


@pytest.mark.reading(13)
def test_a_standing_that_is_tied_is_shared() -> None:
    """Reading 13: both at the top win, also where ties are played off otherwise."""
    table = play(gets(Anna=20, Bo=30, Cilla=30), broken_off("settled"), tied_winners="tie_break")
    assert table.winners == ("Bo", "Cilla")
    assert table.payout == {"Anna": -1_000, "Bo": 500, "Cilla": 500}


@pytest.mark.reading(13)
def test_a_game_may_be_void() -> None:
    """Reading 13: nobody wins and nobody pays."""
    table = play(gets(Anna=20, Bo=30), broken_off("void"))
    assert (table.winners, table.state.status) == ((), "broken_off")
    assert table.payout == {"Anna": 0, "Bo": 0, "Cilla": 0}


@pytest.mark.reading(13)
def test_only_players_still_in_win_at_the_standing() -> None:
    """Reading 13: who left with the highest score does not win, and neither pays nor receives."""
    table = play(gets(Anna=20, Bo=30, Cilla=10), leaves("Bo"), broken_off("settled"))
    assert table.winners == ("Anna",)
    assert table.payout == {"Anna": 1_000, "Bo": 0, "Cilla": -1_000}


@pytest.mark.reading(13)
def test_in_a_tie_break_one_of_the_tied_wins_at_the_standing() -> None:
    """Reading 13: the highest of the tied wins, though one who sits it out stands higher."""
    happened = (*gets(Anna=48, Bo=53, Cilla=40), *deal_with_trick_to("Anna"))
    table = play(*happened, tied_winners="tie_break")
    table = table.then(gets(Anna=-20, Bo=-21), broken_off("settled"))
    assert (table.winners, table.tie_break) == (("Anna",), ())
    assert table.payout == {"Anna": 100, "Bo": -100, "Cilla": 0}


@pytest.mark.reading(13)
def test_a_tie_break_that_is_still_tied_is_shared() -> None:
    """Reading 13: broken off as it begins, both tied players win."""
    happened = (*gets(Anna=48, Bo=53, Cilla=40), *deal_with_trick_to("Anna"))
    table = play(*happened, broken_off("settled"), tied_winners="tie_break")
    assert table.payout == {"Anna": 650, "Bo": 650, "Cilla": -1_300}


@pytest.mark.reading(13)
def test_a_zeroing_that_waits_does_not_strike() -> None:
    """Reading 13: scores stand as they are, whatever was to come."""
    table = play(
        gets(Anna=10, Bo=20),
        *to_the_play(),
        zero("Anna"),
        broken_off("settled"),
        zeroing={"four_of_a_kind": "choice"},
        after_zeroing="deal_goes_on",
        zeroing_and_chicago="zeroing_last",
    )
    assert (table.winners, table["Bo"]) == (("Bo",), 20)


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
