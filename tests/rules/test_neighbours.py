"""What a doubted entry was most likely instead."""

from __future__ import annotations

from app.rules.edit import neighbours
from app.rules.hands import COMMON_HANDS
from tests.rules.table import facts, play
from tests.told import told


@told
def test_what_was_most_likely_meant(happened: str, likely: list[str]) -> None:
    """The next hand up and down, the next players, nobody: as far as the rules allow it there."""
    game = play(happened, players="Anna Bo Cilla Dan", preset="huvudregler")
    found = neighbours(game.states[-2], game.events[-1])
    assert found == [event for each in likely for event in facts(each)]


def test_of_everybodys_own_hands_nobodys_is_no_other_one() -> None:
    """The same of who has told none yet; nobody's would leave the others' out."""
    rules = {"scored_hands": {"1": "everyone"}}
    game = play("Anna pair, Bo pair", players="Anna Bo Cilla Dan", **rules)
    found = neighbours(game.states[-2], game.events[-1])
    assert found == [*facts("Bo two_pairs"), *facts("Cilla pair, Dan pair")]


def test_where_breaking_a_chicago_pays_anybody_else_may_have_broken_it() -> None:
    """One that was made was broken by somebody, whom the rules want to know."""
    told = "Bo 15, no hands, Bo chicago, made"
    game = play(told, players="Anna Bo Cilla", preset="huvudregler", chicago_breaker_bonus=8)
    found = neighbours(game.states[-2], game.events[-1])
    assert found == [*facts("broken Anna, broken Cilla")]


def test_who_doubts_that_nobody_had_a_hand_had_one() -> None:
    """Each common hand of theirs comes before the others' lowest one."""
    game = play("nobody", players="Anna Bo Cilla", preset="huvudregler")
    found = neighbours(game.states[0], game.events[0], ["Cilla"])
    likely = [f"Cilla {hand}" for hand in COMMON_HANDS] + ["Bo pair", "Anna pair"]
    assert sorted(map(repr, found)) == sorted(repr(e) for each in likely for e in facts(each))
    assert found[0] == facts("Cilla pair")[0]
