"""Who pays whom after an evening."""

import pytest

from app.rules.settlement import add_up, transfers


def test_an_evening_is_the_sum_of_its_games() -> None:
    """Payouts are added by name, also where not everybody played every game."""
    games = [{"Anna": 900, "Bo": -900}, {"Cilla": -300, "Anna": -100, "Bo": 400}]
    assert list(add_up(games).items()) == [("Anna", 800), ("Bo", -500), ("Cilla", -300)]
    assert add_up([]) == {}


@pytest.mark.parametrize("balance", [{}, {"Anna": 0}, {"Anna": 0, "Bo": 0}])
def test_nobody_pays_where_nothing_is_owed(balance: dict[str, int]) -> None:
    """Who is even takes no part."""
    assert transfers(balance) == []


def test_paying_the_largest_first_may_take_a_payment_too_many() -> None:
    """9 and -4 -5, 8 and -6 -2: four payments are enough where largest to largest takes five."""
    balance = {"Anna": 9, "Bo": 8, "Cilla": -6, "Dan": -5, "Eva": -4, "Fia": -2}
    assert len(transfers(balance)) == 4


def test_many_players_settle_with_one_payment_fewer_than_they_are() -> None:
    """Beyond twelve who owe or are owed at most one payment fewer than their number is made."""
    balance = {f"P{n}": 1 for n in range(20)} | {"Host": -20}
    paid = transfers(balance)
    assert len(paid) == 20
    assert {(t.payer, t.ore) for t in paid} == {("Host", 1)}
