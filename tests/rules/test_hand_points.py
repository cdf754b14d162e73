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
    to_the_play,
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


@pytest.mark.reading(4)
def test_one_phase_has_one_best_hand() -> None:
    """Reading 4: the keeper names the one best hand; a second in the same phase is refused."""
    table = play(pair("Anna"), exchanges=2)
    assert table.refusal(four("Bo")) == "not_announced"


def test_no_hand_is_booked_while_none_is_due() -> None:
    """Before the play nobody is asked for the best hand, so "nobody" is refused there."""
    assert play(*to_the_play()).refusal(nobody()) == "no_hand_due"
