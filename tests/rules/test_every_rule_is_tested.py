"""Coverage of the rules: every house rule, value and reading has a test that names it.

The sets of `perft.json`, whose every sequence of events is counted, name their values too.
"""

import json
import types
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Annotated, Literal, Union, get_args, get_origin

import pytest

from app.rules.house import OPTIONS, HouseRules
from app.rules.presets import read_rules

READINGS = (*range(1, 22), 26)


def marks() -> Iterator[pytest.Mark]:
    """Yield the marks of the tests in this folder."""
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        for test in vars(import_module(f"tests.rules.{path.stem}")).values():
            yield from getattr(test, "pytestmark", ())


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
def values_in_tests() -> dict[str, set[object]]:
    """Return the fields named by tests, each with its named values; and those in sets of perft."""
    found: dict[str, set[object]] = {}
    for mark in marks():
        if mark.name == "rule":
            found.setdefault(mark.args[0], set()).update(mark.args[1:])
    for raw in json.loads((Path(__file__).parent / "perft.json").read_text())["sets"]:
        rules = read_rules(raw["rules"])[1]
        for field, option in OPTIONS.items():
            value = getattr(rules, field)
            values = {*value.values()} if isinstance(value, dict) else {value}
            found.setdefault(field, set()).update(values & named_values(option.kind))
    return found


def test_there_is_a_row_for_every_field() -> None:
    """OPTIONS has exactly the fields of the house rules, each once."""
    assert sorted(OPTIONS) == sorted(HouseRules.__struct_fields__)
    assert all(row.field == field for field, row in OPTIONS.items())


def test_every_house_rule_is_tested() -> None:
    """Every field of the house rules is named by a test or a set, and tests name no other."""
    assert sorted(values_in_tests()) == sorted(OPTIONS)


@pytest.mark.parametrize("field", OPTIONS)
def test_every_value_of_a_house_rule_is_tested(field: str) -> None:
    """Every countable value has a test that names it, and tests name no other."""
    named = named_values(OPTIONS[field].kind)
    assert named - values_in_tests()[field] == set(), f"untested values of {field}"
    assert values_in_tests()[field] - named == set(), f"{field} has no such values"


def test_every_reading_is_tested() -> None:
    """Every numbered reading has a test that names it, and tests name no other."""
    found = {number for mark in marks() if mark.name == "reading" for number in mark.args}
    assert found == set(READINGS)
