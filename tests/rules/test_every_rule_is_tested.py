"""Every house rule has a row, and every value of it makes a difference in a golden game."""

import types
from functools import cache
from typing import Annotated, Literal, Union, get_args, get_origin

import pytest
from msgspec.structs import replace

from app.rules.game import fold
from app.rules.gamefile import Game, write_result
from app.rules.house import OPTIONS, HouseRules
from tests.rules.table import golden_games
from tests.rules.test_rule_values import ALLOWED

# Nobody's score asks them, but whoever compares cards: test_comparing_hands.py.
OF_CARDS = ("ties", "suit_order", "flush_suits")
PLAYED = [field for field, row in OPTIONS.items() if row.affects != "shown"]


def named_values(kind: object) -> set[object]:
    """Return the countable values of a type: words, booleans and None."""
    if kind is bool:
        return {True, False}
    if kind is type(None):
        return {None}
    if get_origin(kind) is Literal:
        return set(get_args(kind))
    if get_origin(kind) is Annotated:
        return set()
    if get_origin(kind) is dict:
        return named_values(get_args(kind)[1])
    if get_origin(kind) in (Union, types.UnionType):
        return {value for part in get_args(kind) for value in named_values(part)}
    return set()


@cache
def golden() -> list[tuple[Game, object]]:
    """Return the golden games, each with what comes out of it."""
    return [(game, played(game)) for game, _ in golden_games()]


def played(game: Game, **other: object) -> object:
    """Return the results of a game, by other values of some rules, and where it is refused."""
    rules = replace(game.setup.rules, **other)
    states, refusal = fold(replace(game.setup, rules=rules), game.events)
    return write_result(states), refusal and (refusal.event, refusal.code)


def differs(game: Game, result: object, field: str) -> bool:
    """Return whether a game comes out otherwise by another value of a rule."""
    others = map(OPTIONS[field].read, ALLOWED[field])
    return any(played(game, **{field: other}) != result for other in others)


def test_there_is_a_row_for_every_field() -> None:
    """OPTIONS has exactly the fields of the house rules, each once."""
    assert sorted(OPTIONS) == sorted(HouseRules.__struct_fields__)
    assert all(row.field == field for field, row in OPTIONS.items())


@pytest.mark.parametrize("field", [field for field in PLAYED if field not in OF_CARDS])
def test_every_value_of_a_rule_makes_a_difference_in_a_golden_game(field: str) -> None:
    """Some golden game is played by it, and comes out otherwise by another one."""
    named = named_values(OPTIONS[field].kind)
    missing = named or {"one of many"}
    for game, result in golden():
        value = getattr(game.setup.rules, field)
        values = {*value.values()} if isinstance(value, dict) else {value}
        held = missing & values if named else missing
        if held and differs(game, result, field):
            missing = missing - held
    assert not missing, f"No game in tests/golden would come out otherwise: {field}, {missing}"
