"""No house rule, no value of one and no reading goes without a test that names it."""

import ast
import types
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Annotated, Literal, Union, get_args, get_origin

import pytest

from app.rules.house import OPTIONS, HouseRules

READINGS = range(1, 19)

Marker = tuple[str, tuple[object, ...]]


def markers() -> Iterator[Marker]:
    """Read the markers off the tests beside this one, with their arguments."""
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield from _markers_of(node)


def _markers_of(test: ast.FunctionDef) -> Iterator[Marker]:
    for decorator in test.decorator_list:
        if isinstance(decorator, ast.Call) and isinstance(decorator.func, ast.Attribute):
            arguments = tuple(_value(argument) for argument in decorator.args)
            yield ast.unparse(decorator.func).removeprefix("pytest.mark."), arguments


def _value(node: ast.expr) -> object:
    return ast.literal_eval(node) if isinstance(node, ast.Constant) else None


def named_values(kind: object) -> set[object]:
    """Return the values of a type that can be counted off: words, yes and no, and none."""
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
    """Return the fields that tests name, each with the values they name."""
    found: dict[str, set[object]] = {}
    for marker, arguments in markers():
        if marker == "rule":
            found.setdefault(str(arguments[0]), set()).update(arguments[1:])
    return found


def test_there_is_a_row_for_every_field() -> None:
    """OPTIONS has exactly the fields of the house rules, each once."""
    assert sorted(OPTIONS) == sorted(HouseRules.__struct_fields__)
    assert all(row.field == field for field, row in OPTIONS.items())


def test_every_house_rule_is_tested() -> None:
    """Every field of the house rules is named by a test, and tests name no other."""
    assert sorted(values_in_tests()) == sorted(OPTIONS)


@pytest.mark.parametrize("field", OPTIONS)
def test_every_value_of_a_house_rule_is_tested(field: str) -> None:
    """Every value that can be counted off is named by a test, and tests name no other."""
    named = named_values(OPTIONS[field].kind)
    assert named - values_in_tests()[field] == set(), f"untested values of {field}"
    assert values_in_tests()[field] - named == set(), f"{field} has no such values"


def test_every_reading_is_tested() -> None:
    """Every numbered reading of the rules is named by a test, and tests name no other."""
    found = {number for name, numbers in markers() if name == "reading" for number in numbers}
    assert found == set(READINGS)
