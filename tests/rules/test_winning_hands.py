"""Hands that win the game at once."""

import pytest

from tests.rules.table import (
    Happening,
    best,
    gets,
    nobody,
    pair,
    play,
    royal,
    to_the_play,
    trick,
)

ROYAL_WINS = ["royal_flush"]


@pytest.mark.rule("winning_hands")
def test_a_winning_hand_scores_and_wins_at_once() -> None:
    """The holder of one of the `winning_hands` gets its points and has won; the deal stops."""
    table = play(gets(Bo=10), royal("Anna"), winning_hands=ROYAL_WINS)
    assert (table.winners, table.scores) == (("Anna",), {"Anna": 52, "Bo": 10, "Cilla": 0})
    assert (table.step, table.deal) == ("over", 1)


@pytest.mark.rule("winning_hands")
def test_a_hand_that_is_not_listed_does_not_win_at_once() -> None:
    """A royal flush that is not among the `winning_hands` scores 52 and the deal goes on."""
    table = play(royal("Anna"), winning_hands=[])
    assert (table.winners, table["Anna"], table.step) == ((), 52, "hand_2")


@pytest.mark.reading(8)
def test_an_instant_win_zeroes_nobody_for_lacking_a_chicago() -> None:
    """Reading 8: who is at the target without a Chicago keeps the score when another wins."""
    table = play(gets(Bo=53), best("Anna", "straight_flush"), preset="huvudregler")
    assert (table.winners, table.scores) == (("Anna",), {"Anna": 52, "Bo": 53, "Cilla": 0})


@pytest.mark.reading(3)
@pytest.mark.parametrize(
    "before",
    [(), (nobody(),), to_the_play(), (*to_the_play(), trick("Bo"))],
    ids=["hand_1", "hand_2", "play", "final_hand"],
)
def test_a_winning_hand_counts_whenever_a_hand_is_due(before: tuple[Happening, ...]) -> None:
    """Reading 3: a winning hand may be booked in every phase, and before the play."""
    assert play(*before, royal("Anna"), winning_hands=ROYAL_WINS).winners == ("Anna",)


@pytest.mark.reading(3)
def test_a_winning_hand_below_target_zeroes_all_the_same() -> None:
    """Reading 3: it zeroes and ends the deal, also where it wins nothing."""
    table = play(gets(Anna=-10, Bo=30), royal("Anna"), preset="huvudregler", negative_scores=True)
    assert (table.scores, table.deal) == ({"Anna": 42, "Bo": 0, "Cilla": 0}, 2)


@pytest.mark.rule("winning_hands")
def test_any_hand_may_be_made_a_winning_one() -> None:
    """A pair among the `winning_hands` ends the deal, and wins where it reaches the target."""
    assert play(pair("Anna"), winning_hands=["pair"]).deal == 2
    assert play(gets(Anna=51), pair("Anna"), winning_hands=["pair"]).winners == ("Anna",)
