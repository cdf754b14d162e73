"""What the last trick is worth."""

import pytest

from tests.rules.table import play, to_the_play, trick


@pytest.mark.rule("last_trick")
@pytest.mark.parametrize("points", [5, 2, 0])
def test_the_last_trick_gets_its_points(points: int) -> None:
    """Who takes the last trick gets the points of `last_trick`."""
    table = play(*to_the_play(), trick("Bo"), last_trick=points)
    assert table.scores == {"Anna": 0, "Bo": points, "Cilla": 0}


@pytest.mark.rule("last_trick_with_two", None)
def test_a_two_in_the_last_trick_may_be_nothing_special() -> None:
    """With `last_trick_with_two` null a last trick taken with a two is worth the usual 5."""
    table = play(*to_the_play(), trick("Bo", "with_two"), last_trick_with_two=None)
    assert table["Bo"] == 5


@pytest.mark.rule("last_trick_with_two")
@pytest.mark.parametrize("points", [10, 0])
def test_a_two_in_the_last_trick_may_have_points_of_its_own(points: int) -> None:
    """With `last_trick_with_two` set a two gets those points instead of the usual ones."""
    table = play(*to_the_play(), last_trick_with_two=points)
    assert table.then(trick("Bo", "with_two"))["Bo"] == points
    assert table.then(trick("Bo"))["Bo"] == 5


def test_no_trick_is_taken_before_the_play() -> None:
    """While a hand is due, the last trick is not."""
    assert play().refusal(trick("Bo")) == "no_trick_due"
