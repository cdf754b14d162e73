"""Winning may need a Chicago."""

import pytest

from app.rules.events import Event
from tests.rules.table import (
    bid,
    broken,
    deal_with_trick_to,
    gets,
    leaves,
    made,
    nobody,
    pair,
    play,
    to_the_play,
)

LOSES_A_CHICAGO: tuple[Event, ...] = (gets(Anna=15)[0], *to_the_play(), bid("Anna"), broken())
MAKES_A_CHICAGO: tuple[Event, ...] = (
    gets(Anna=15)[0],
    *to_the_play(),
    bid("Anna"),
    made(),
    nobody(),
)


@pytest.mark.rule("win_needs_chicago", "no")
def test_winning_may_need_no_chicago() -> None:
    """With `win_needs_chicago` no who is at the target wins without ever having bid."""
    table = play(gets(Anna=52), *deal_with_trick_to("Bo"), win_needs_chicago="no")
    assert table.winners == ("Anna",)


@pytest.mark.rule("win_needs_chicago", "declared")
@pytest.mark.rule("win_needs_chicago_unmet", "zeroed")
def test_who_has_not_declared_a_chicago_is_zeroed_at_the_target() -> None:
    """With `win_needs_chicago` declared and unmet zeroed the target without a bid costs all."""
    rules = {"win_needs_chicago": "declared", "win_needs_chicago_unmet": "zeroed"}
    table = play(gets(Anna=52, Bo=20), *deal_with_trick_to("Bo"), **rules)
    assert (table.scores, table.deal) == ({"Anna": 0, "Bo": 25, "Cilla": 0}, 2)


@pytest.mark.rule("win_needs_chicago", "declared")
def test_who_has_declared_a_chicago_wins_though_it_was_lost() -> None:
    """With `win_needs_chicago` declared a Chicago lost in an earlier deal is enough."""
    table = play(
        *LOSES_A_CHICAGO, gets(Anna=52), *deal_with_trick_to("Bo"), win_needs_chicago="declared"
    )
    assert table.winners == ("Anna",)


@pytest.mark.rule("win_needs_chicago", "won")
def test_a_chicago_that_was_lost_may_not_be_enough() -> None:
    """With `win_needs_chicago` won who only lost one is zeroed at the target."""
    table = play(
        *LOSES_A_CHICAGO, gets(Anna=52), *deal_with_trick_to("Bo"), win_needs_chicago="won"
    )
    assert (table.winners, table["Anna"]) == ((), 0)


@pytest.mark.rule("win_needs_chicago", "won")
def test_who_has_won_a_chicago_wins() -> None:
    """With `win_needs_chicago` won a Chicago made in an earlier deal is what it takes."""
    table = play(
        *MAKES_A_CHICAGO, gets(Anna=22), *deal_with_trick_to("Bo"), win_needs_chicago="won"
    )
    assert (table.winners, table["Anna"]) == (("Anna",), 52)


@pytest.mark.reading(7)
def test_another_players_chicago_is_not_enough() -> None:
    """Reading 7: only the declarer has declared, so the keeper names who held the bid."""
    table = play(
        gets(Anna=60, Bo=20), *to_the_play(), bid("Bo"), broken(), win_needs_chicago="declared"
    )
    assert table.chicagos("Anna") == (0, 0)
    assert table.scores == {"Anna": 0, "Bo": 5, "Cilla": 0}


@pytest.mark.rule("win_needs_chicago_players", None)
@pytest.mark.parametrize("players", ["Anna Bo", "Anna Bo Cilla", "Anna Bo Cilla Dan Eva"])
def test_the_requirement_may_hold_for_any_number_of_players(players: str) -> None:
    """With `win_needs_chicago_players` null the requirement holds however many play."""
    rules = {"win_needs_chicago": "declared", "win_needs_chicago_players": None}
    assert play(gets(Anna=52), *deal_with_trick_to("Bo"), players=players, **rules)["Anna"] == 0


@pytest.mark.rule("win_needs_chicago_players")
def test_the_requirement_may_hold_for_three_players_only() -> None:
    """With `win_needs_chicago_players` [3] three players need a Chicago, two or four do not."""
    rules = {"win_needs_chicago": "declared", "win_needs_chicago_players": [3]}
    happened = (*gets(Anna=52), *deal_with_trick_to("Bo"))
    assert play(*happened, players="Anna Bo", **rules).winners == ("Anna",)
    assert play(*happened, players="Anna Bo Cilla", **rules)["Anna"] == 0
    assert play(*happened, players="Anna Bo Cilla Dan", **rules).winners == ("Anna",)


@pytest.mark.rule("win_needs_chicago_players")
def test_the_requirement_does_not_come_when_players_leave() -> None:
    """With `win_needs_chicago_players` [3] four who become three go on without it."""
    rules = {"win_needs_chicago": "declared", "win_needs_chicago_players": [3]}
    happened = (*gets(Anna=52), leaves("Cilla"), *deal_with_trick_to("Bo"))
    assert play(*happened, players="Anna Bo Cilla Dan", **rules).winners == ("Anna",)


@pytest.mark.rule("win_needs_chicago_unmet", "plays_on")
def test_who_lacks_a_chicago_may_just_play_on() -> None:
    """With `win_needs_chicago_unmet` plays_on the score stays and the next deal begins."""
    rules = {"win_needs_chicago": "declared", "win_needs_chicago_unmet": "plays_on"}
    table = play(gets(Anna=52), *deal_with_trick_to("Bo"), **rules)
    assert (table.winners, table["Anna"], table.deal) == ((), 52, 2)


@pytest.mark.rule("win_needs_chicago", "declared")
def test_the_requirement_is_judged_when_the_deal_is_over() -> None:
    """With `win_needs_chicago` declared a pair that reaches the target is not zeroed at once."""
    table = play(gets(Anna=51), pair("Anna"), win_needs_chicago="declared")
    assert (table["Anna"], table.step) == (52, "hand_2")
