"""Scores below 0."""

import pytest

from tests.rules.table import (
    bid,
    broken,
    claims_falsely,
    gets,
    play,
    to_the_play,
    trick,
)


@pytest.mark.rule("negative_scores", False)
def test_no_score_goes_below_zero() -> None:
    """Without `negative_scores` a lost Chicago and a correction stop at 0."""
    table = play(gets(Anna=3, Bo=10), gets(Anna=-5), *to_the_play(), chicago_minimum=None)
    assert table.then(bid("Bo"), broken()).scores == {"Anna": 0, "Bo": 0, "Cilla": 0}


@pytest.mark.rule("negative_scores", True)
def test_scores_may_go_below_zero() -> None:
    """With `negative_scores` 10 less the penalty of 15 is -5, and a correction counts in full."""
    rules = {"negative_scores": True, "chicago_minimum": None}
    table = play(gets(Anna=3, Bo=10), gets(Anna=-5), *to_the_play(), **rules)
    assert table.then(bid("Bo"), broken()).scores == {"Anna": -2, "Bo": -5, "Cilla": 0}


@pytest.mark.rule("negative_scores", False)
@pytest.mark.reading(15)
def test_every_booking_is_clamped_by_itself() -> None:
    """Reading 15: the penalty stops at 0, and the last trick after it gives its full 5."""
    rules = {"chicago_minimum": None, "chicago_last_trick": "if_lost"}
    table = play(*to_the_play(), bid("Bo"), broken(), **rules)
    assert table["Bo"] == 0
    assert table.then(trick("Bo"))["Bo"] == 5


@pytest.mark.rule("negative_scores", False)
@pytest.mark.reading(15)
def test_an_effect_tells_that_the_score_stopped_at_zero() -> None:
    """Reading 15: of two corrections only the one that would go below 0 is clamped."""
    for points, clamped in ((-3, False), (-4, True)):
        (effect,) = play(gets(Bo=3), gets(Bo=points)).state.effects
        assert (effect.points, effect.clamped) == (-3, clamped)


@pytest.mark.rule("negative_scores", True)
def test_a_false_claim_sets_a_score_below_zero_to_zero() -> None:
    """With `negative_scores` who claims falsely is out with 0, not with less."""
    assert play(gets(Bo=-10), claims_falsely("Bo"), negative_scores=True)["Bo"] == 0
