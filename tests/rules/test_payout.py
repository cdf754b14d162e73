"""Who pays whom when a game is over."""

import pytest

from tests.rules.table import (
    Table,
    claims_falsely,
    deal_with_trick_to,
    gets,
    leaves,
    play,
    royal,
)


def won_by_anna(**agreed: object) -> Table:
    """Let Anna win with 54, Bo have 45, Cilla 53 and Dan 47."""
    happened = (*gets(Anna=49, Bo=45, Cilla=53, Dan=47), *deal_with_trick_to("Anna"))
    return play(*happened, players="Anna Bo Cilla Dan", **agreed)


@pytest.mark.reading(9)
def test_every_loser_pays_the_difference() -> None:
    """Reading 9: at 100 öre a point 9, 1 and 7 points below the winner cost 900, 100 and 700."""
    table = won_by_anna(stake_ore=100)
    assert table.payout == {"Anna": 1_700, "Bo": -900, "Cilla": -100, "Dan": -700}


@pytest.mark.reading(9)
@pytest.mark.parametrize("stake", [0, 1, 25, 1_000_000])
def test_every_point_costs_the_stake(stake: int) -> None:
    """Reading 9: 17 points in all bring the winner 17 stakes, also where the stake is 0."""
    payout = won_by_anna(stake_ore=stake).payout
    assert payout == {"Anna": 17 * stake, "Bo": -9 * stake, "Cilla": -stake, "Dan": -7 * stake}


def test_nobody_pays_while_the_game_is_played() -> None:
    """There is no payout before the game is over."""
    assert play(gets(Anna=60)).payout is None


@pytest.mark.reading(9)
def test_who_stands_above_the_winner_neither_pays_nor_receives() -> None:
    """Reading 9: a winning hand wins at 52 below Bo's 60; only Cilla, at 20, pays her 32."""
    table = play(gets(Bo=60, Cilla=20), royal("Anna"), winning_hands=["royal_flush"])
    assert table.payout == {"Anna": 3_200, "Bo": 0, "Cilla": -3_200}


@pytest.mark.reading(9)
def test_winners_share_equally() -> None:
    """Reading 9: 14 points lost to two winners bring each of them 7."""
    happened = (*gets(Anna=48, Bo=45, Cilla=53, Dan=47), *deal_with_trick_to("Anna"))
    table = play(*happened, players="Anna Bo Cilla Dan")
    assert table.payout == {"Anna": 700, "Bo": -800, "Cilla": 700, "Dan": -600}


@pytest.mark.reading(9)
def test_an_ore_that_does_not_divide_goes_to_the_first_winner_in_seat_order() -> None:
    """Reading 9: of 13 öre Bo, who sits before Cilla, gets 7, whoever dealt."""
    happened = (*gets(Anna=40, Bo=53, Cilla=48), *deal_with_trick_to("Cilla"))
    for dealer in ("Anna", "Bo", "Cilla"):
        table = play(*happened, stake_ore=1, dealer=dealer)
        assert table.payout == {"Anna": -13, "Bo": 7, "Cilla": 6}


@pytest.mark.reading(9)
def test_two_ore_that_do_not_divide_go_one_each() -> None:
    """Reading 9: of 11 öre among three winners the first two in seat order get 4, the third 3."""
    happened = (*gets(Anna=53, Bo=42, Cilla=53, Dan=48), *deal_with_trick_to("Dan"))
    table = play(*happened, players="Anna Bo Cilla Dan", stake_ore=1)
    assert table.winners == ("Anna", "Cilla", "Dan")
    assert table.payout == {"Anna": 4, "Bo": -11, "Cilla": 4, "Dan": 3}


@pytest.mark.rule("negative_pays_double", True)
@pytest.mark.reading(9)
def test_a_loser_below_zero_may_pay_double() -> None:
    """Reading 9: with `negative_pays_double` Bo at -10 pays twice 62 points, Cilla at 0 pays 52."""
    rules = {"negative_pays_double": True, "negative_scores": True}
    table = play(gets(Anna=47, Bo=-10), *deal_with_trick_to("Anna"), **rules)
    assert table.payout == {"Anna": 17_600, "Bo": -12_400, "Cilla": -5_200}


@pytest.mark.rule("negative_pays_double", False)
def test_a_loser_below_zero_pays_the_difference() -> None:
    """Without `negative_pays_double` Bo at -10 pays 62 points."""
    rules = {"negative_pays_double": False, "negative_scores": True}
    table = play(gets(Anna=47, Bo=-10), *deal_with_trick_to("Anna"), **rules)
    assert table.payout == {"Anna": 11_400, "Bo": -6_200, "Cilla": -5_200}


@pytest.mark.reading(12)
def test_who_has_left_pays_like_any_loser() -> None:
    """Reading 12: who leaves at 20 pays 32 points when another wins at 52."""
    happened = (*gets(Anna=47, Bo=20, Cilla=30), leaves("Bo"), *deal_with_trick_to("Anna"))
    assert play(*happened).payout == {"Anna": 5_400, "Bo": -3_200, "Cilla": -2_200}


@pytest.mark.reading(12)
def test_who_has_left_above_the_winner_pays_nothing() -> None:
    """Reading 12: who leaves at 60 neither pays nor receives when another wins at 52."""
    happened = (*gets(Anna=47, Bo=60, Cilla=30), leaves("Bo"), *deal_with_trick_to("Anna"))
    table = play(*happened)
    assert table.payout == {"Anna": 2_200, "Bo": 0, "Cilla": -2_200}


@pytest.mark.reading(12)
def test_who_claimed_falsely_pays_from_zero() -> None:
    """Reading 12: who is out by a false claim has 0 and pays the winner's whole score."""
    happened = (*gets(Anna=47, Bo=20, Cilla=30), claims_falsely("Bo"), *deal_with_trick_to("Anna"))
    assert play(*happened).payout == {"Anna": 7_400, "Bo": -5_200, "Cilla": -2_200}
