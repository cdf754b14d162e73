"""Where two versions of a game part."""

from app.rules.events import Correction
from app.services.play import first_difference


def test_the_first_difference_is_where_two_games_part() -> None:
    """Only what comes after it has to be recorded anew."""
    one, two = Correction(player="Anna", points=1), Correction(player="Bo", points=1)
    assert first_difference([one, two], [one, one, two]) == 1
    assert first_difference([one, two], [one]) == 1
    assert first_difference([one], [one]) == 1
