"""Hands that raise the score to the target instead of adding points."""

import pytest

from tests.rules.table import gets, play, royal, royal_hearts, straight_flush

ROYAL_RAISES = ["royal_flush"]


@pytest.mark.rule("raising_hands")
@pytest.mark.parametrize(("before", "after"), [(1, 52), (30, 52), (51, 52), (52, 52), (60, 60)])
def test_a_raising_hand_lifts_a_lower_score_to_the_target(before: int, after: int) -> None:
    """One of the `raising_hands` sets a score below the target to it, and leaves a higher one."""
    table = play(gets(Anna=before), royal("Anna"), raising_hands=ROYAL_RAISES)
    assert table["Anna"] == after


@pytest.mark.rule("raising_hands")
def test_a_raising_hand_lifts_to_this_tables_target() -> None:
    """One of the `raising_hands` lifts to 51 where the target is 51, from below 0 too."""
    rules = {"raising_hands": ROYAL_RAISES, "target": 51, "negative_scores": True}
    assert play(gets(Anna=-10), royal("Anna"), **rules)["Anna"] == 51


@pytest.mark.rule("raising_hands")
def test_a_hand_that_is_not_listed_adds_its_points() -> None:
    """A straight flush that is not among the `raising_hands` adds its 8 points."""
    assert play(gets(Anna=30), straight_flush("Anna"), raising_hands=ROYAL_RAISES)["Anna"] == 38


@pytest.mark.rule("raising_hands")
def test_royal_flush_among_the_raising_hands_covers_the_one_in_hearts() -> None:
    """`raising_hands` that name the royal flush cover the royal flush in hearts too."""
    assert play(gets(Anna=30), royal_hearts("Anna"), raising_hands=ROYAL_RAISES)["Anna"] == 52
