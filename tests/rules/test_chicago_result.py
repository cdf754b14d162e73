"""What a Chicago gives when it is made, and costs when it is broken."""

import pytest

from tests.rules.table import (
    Table,
    bid,
    blind,
    broken,
    gets,
    made,
    play,
    to_the_play,
    trick,
)


def chicago(**rules: object) -> Table:
    """Let Bo, who has 20 points, bid Chicago."""
    return play(gets(Bo=20), *to_the_play(), bid("Bo"), **rules)


@pytest.mark.rule("chicago_points")
@pytest.mark.parametrize("points", [15, 13])
def test_a_chicago_made_gives_its_points(points: int) -> None:
    """The declarer who takes all five tricks gets `chicago_points` instead of the last trick's."""
    table = chicago(chicago_points=points).then(made())
    assert table.scores == {"Anna": 0, "Bo": 20 + points, "Cilla": 0}


@pytest.mark.rule("chicago_penalty")
@pytest.mark.parametrize("points", [15, 13])
def test_a_chicago_lost_costs_its_penalty(points: int) -> None:
    """The declarer who loses a trick loses `chicago_penalty`, which is written positive."""
    table = chicago(chicago_penalty=points).then(broken())
    assert table.scores == {"Anna": 0, "Bo": 20 - points, "Cilla": 0}


@pytest.mark.rule("chicago_with_two", None)
def test_a_two_in_a_chicago_may_be_nothing_special() -> None:
    """With `chicago_with_two` null a last trick with a two changes nothing."""
    assert chicago(chicago_with_two=None).then(made("with_two"))["Bo"] == 35


@pytest.mark.rule("chicago_with_two")
def test_a_two_in_a_chicago_may_have_points_of_its_own() -> None:
    """With `chicago_with_two` 30 a Chicago that ends with a two gives 30 instead of 15."""
    table = chicago(chicago_with_two=30)
    assert table.then(made("with_two"))["Bo"] == 50
    assert table.then(made())["Bo"] == 35


@pytest.mark.rule("chicago_breaker_bonus")
def test_nobody_need_be_named_where_the_breaker_gets_nothing() -> None:
    """With `chicago_breaker_bonus` 0 a breaker may be named and gets nothing."""
    table = chicago(chicago_breaker_bonus=0)
    assert table.refusal(broken()) is None
    assert table.then(broken("Anna")).scores == {"Anna": 0, "Bo": 5, "Cilla": 0}


@pytest.mark.rule("chicago_breaker_bonus")
def test_the_breaker_gets_a_bonus() -> None:
    """With `chicago_breaker_bonus` 8 the player named as breaker gets 8 points."""
    table = chicago(chicago_breaker_bonus=8)
    assert table.then(broken("Anna")).scores == {"Anna": 8, "Bo": 5, "Cilla": 0}


@pytest.mark.rule("chicago_breaker_bonus")
def test_the_breaker_of_a_bonus_is_named_and_is_another() -> None:
    """With `chicago_breaker_bonus` set the breaker must be named and cannot be the declarer."""
    table = chicago(chicago_breaker_bonus=8)
    assert table.refusal(broken()) == "breaker_needed"
    assert table.refusal(broken("Bo")) == "breaker_is_declarer"


@pytest.mark.rule("chicago_breaker_bonus")
def test_the_breaker_of_a_blind_chicago_gets_the_bonus_too() -> None:
    """`chicago_breaker_bonus` goes to the breaker of a blind Chicago as well."""
    table = play(blind("Bo"), preset="wikipedia", chicago_breaker_bonus=10)
    assert table.refusal(broken()) == "breaker_needed"
    assert table.then(broken("Anna")).scores == {"Anna": 10, "Bo": -20, "Cilla": 0}


def test_a_chicago_is_counted_when_it_is_bid_and_when_it_is_made() -> None:
    """Chicagos are counted per player: declared from the bid on, won when made."""
    table = chicago(chicago_hand="never")
    assert table.chicagos("Bo") == (1, 0)
    assert table.then(broken()).chicagos("Bo") == (1, 0)
    assert table.then(made()).chicagos("Bo") == (1, 1)


def test_a_result_needs_a_chicago_and_a_chicago_a_result() -> None:
    """No result is recorded without a bid, and no last trick in its place after one."""
    assert play(*to_the_play()).refusal(made()) == "no_chicago_played"
    assert chicago().refusal(trick("Anna")) == "no_trick_due"
