"""What the best hand is worth."""

import pytest

from tests.rules.table import (
    best,
    four,
    nobody,
    pair,
    play,
    royal,
    royal_hearts,
    tie,
    to_the_play,
    trick,
)


@pytest.mark.rule("hand_points")
@pytest.mark.parametrize(
    ("hand", "points"),
    [
        ("pair", 1),
        ("two_pairs", 2),
        ("three_of_a_kind", 3),
        ("straight", 4),
        ("flush", 5),
        ("full_house", 6),
        ("four_of_a_kind", 7),
        ("straight_flush", 8),
        ("royal_flush", 52),
        ("royal_flush_hearts", 52),
    ],
)
def test_the_best_hand_gets_its_points(hand: str, points: int) -> None:
    """`hand_points` gives the one best hand of a phase its points at once."""
    assert play(best("Bo", hand)).scores == {"Anna": 0, "Bo": points, "Cilla": 0}


@pytest.mark.rule("hand_points")
def test_every_phase_scores_for_itself() -> None:
    """`hand_points` are booked in each phase: 1 and 7 before the play, 2 after it."""
    table = play(pair("Anna"), four("Bo"), trick("Cilla"), best("Anna", "two_pairs"))
    assert table.scores == {"Anna": 3, "Bo": 7, "Cilla": 5}


@pytest.mark.rule("hand_points")
def test_points_that_are_not_named_stay_those_of_the_rule_set() -> None:
    """`hand_points` of a table are merged hand by hand into those of its rule set."""
    table = play(best("Anna", "straight_flush"), four("Bo"), hand_points={"straight_flush": 10})
    assert table.scores == {"Anna": 10, "Bo": 7, "Cilla": 0}


@pytest.mark.rule("hand_points")
def test_a_royal_flush_in_hearts_is_worth_a_royal_flush() -> None:
    """`hand_points` of the royal flush cover the one in hearts where it is not named."""
    table = play(royal_hearts("Anna"), hand_points={"royal_flush": 9})
    assert table["Anna"] == 9


@pytest.mark.rule("hand_points")
def test_a_royal_flush_in_hearts_may_have_points_of_its_own() -> None:
    """`hand_points` may name the royal flush in hearts with another value."""
    points = {"royal_flush": 20, "royal_flush_hearts": 30}
    table = play(royal_hearts("Anna"), royal("Bo"), hand_points=points)
    assert table.scores == {"Anna": 30, "Bo": 20, "Cilla": 0}


@pytest.mark.rule("hand_points")
def test_a_royal_flush_in_hearts_may_be_worth_nothing() -> None:
    """A 0 in `hand_points` for the royal flush in hearts is 0, not that of the royal flush."""
    table = play(royal_hearts("Anna"), hand_points={"royal_flush_hearts": 0})
    assert (table["Anna"], table.step) == (0, "hand_2")


def test_nobody_scores_when_all_pass() -> None:
    """Where all pass the phase is over without points."""
    table = play(nobody())
    assert (table.scores, table.step) == ({"Anna": 0, "Bo": 0, "Cilla": 0}, "hand_2")


def test_nobody_scores_when_the_best_hands_are_equal() -> None:
    """Where the best hands are exactly equal the phase is over without points."""
    table = play(tie("flush", "Anna", "Cilla"))
    assert (table.scores, table.step) == ({"Anna": 0, "Bo": 0, "Cilla": 0}, "hand_2")


@pytest.mark.reading(4)
def test_one_phase_has_one_best_hand() -> None:
    """Reading 4: the keeper names the one best hand; a second in the same phase is refused."""
    table = play(pair("Anna"), exchanges=2)
    assert table.refusal(four("Bo")) == "not_announced"


def test_no_hand_is_booked_while_none_is_due() -> None:
    """Before the play nobody is asked for the best hand, so "nobody" is refused there."""
    assert play(*to_the_play()).refusal(nobody()) == "no_hand_due"
