"""Who pays whom when a game is over."""

import pytest

from tests.rules.table import (
    Table,
    deal_with_trick_to,
    gets,
    leaves,
    play,
)


def won_by_anna(**agreed: object) -> Table:
    """Let Anna win with 54, Bo have 45, Cilla 53 and Dan 47."""
    happened = (*gets(Anna=49, Bo=45, Cilla=53, Dan=47), *deal_with_trick_to("Anna"))
    return play(*happened, players="Anna Bo Cilla Dan", **agreed)


@pytest.mark.reading(9)
@pytest.mark.parametrize("stake", [0, 1, 25, 1_000_000])
def test_every_point_costs_the_stake(stake: int) -> None:
    """Reading 9: 17 points in all bring the winner 17 stakes, also where the stake is 0."""
    payout = won_by_anna(stake_ore=stake).payout
    assert payout == {"Anna": 17 * stake, "Bo": -9 * stake, "Cilla": -stake, "Dan": -7 * stake}


@pytest.mark.reading(9)
def test_an_ore_that_does_not_divide_goes_to_the_first_winner_in_seat_order() -> None:
    """Reading 9: of 13 öre Bo, who sits before Cilla, gets 7, whoever dealt."""
    happened = (*gets(Anna=40, Bo=53, Cilla=48), *deal_with_trick_to("Cilla"))
    for dealer in ("Anna", "Bo", "Cilla"):
        table = play(*happened, stake_ore=1, dealer=dealer)
        assert table.payout == {"Anna": -13, "Bo": 7, "Cilla": 6}


@pytest.mark.rule("negative_pays_double", True, False)
@pytest.mark.reading(9)
@pytest.mark.parametrize(("double", "ore"), [(True, 12_400), (False, 6_200)])
def test_a_loser_below_zero_may_pay_double(ore: int, *, double: bool) -> None:
    """Reading 9: with `negative_pays_double` Bo at -10 pays twice 62 points, Cilla at 0 pays 52."""
    rules = {"negative_pays_double": double, "negative_scores": True}
    table = play(gets(Anna=47, Bo=-10), *deal_with_trick_to("Anna"), **rules)
    assert table.payout == {"Anna": ore + 5_200, "Bo": -ore, "Cilla": -5_200}


@pytest.mark.reading(12)
@pytest.mark.parametrize(("score", "ore"), [(20, 3_200), (60, 0)])
def test_who_has_left_pays_like_any_loser(score: int, ore: int) -> None:
    """Reading 12: who leaves at 20 pays 32 points when another wins at 52, at 60 none."""
    happened = (*gets(Anna=47, Bo=score, Cilla=30), leaves("Bo"), *deal_with_trick_to("Anna"))
    assert play(*happened).payout == {"Anna": ore + 2_200, "Bo": -ore, "Cilla": -2_200}
