"""A new house rule is in the form and on the rule page, and is checked, before it has texts."""

from __future__ import annotations

from typing import Literal, get_type_hints

import msgspec
import pytest

from app.rules import house
from app.rules.house import OPTIONS, HouseRules, Option, Points
from app.rules.presets import PRESETS
from tests.web.phone import Phone
from tests.web.ruling import form, press, to_the_form, use_rules


class Wider(HouseRules, frozen=True, kw_only=True):
    """House rules with four new ones."""

    joker_points: Points = 3
    jokers: bool = False
    cut_by: Literal["left", "right"] = "left"
    pace: str = "slow"


ROWS = (
    Option("joker_points", "hands", 3, "a test", "score"),
    Option("jokers", "jokers", False, "a test", "shown"),  # type: ignore[arg-type]  # a group that is new too
    Option("cut_by", "table", "left", "a test", "shown"),
    Option("pace", "table", "slow", "a test", "shown", usual=("slow", "fast")),
)


@pytest.fixture
def wider(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give every rule set the new rules."""
    monkeypatch.setattr(house, "FIELD_TYPES", get_type_hints(Wider, include_extras=True))
    for row in ROWS:
        monkeypatch.setitem(OPTIONS, row.field, row)
    for name, rules in list(PRESETS.items()):
        monkeypatch.setitem(PRESETS, name, Wider(**msgspec.structs.asdict(rules)))


@pytest.mark.usefixtures("wider")
def test_a_new_rule_is_in_the_form(phone: Phone) -> None:
    """A new rule can be set, is marked as changed, and is put back like any other."""
    to_the_form(phone).fill(
        **{"joker_points.other": "7", "jokers": "yes", "cut_by": "right", "pace": "fast"}
    )
    press(phone, "look")
    assert "4 things you play differently" in phone.page.text
    assert "Joker points" in phone.page.text
    press(phone, "reset:jokers")
    assert form(phone).values("jokers") == ["no"]
    rules = use_rules(phone)
    assert isinstance(rules, Wider)
    assert (rules.joker_points, rules.jokers) == (7, False)
    assert (rules.cut_by, rules.pace) == ("right", "fast")


@pytest.mark.usefixtures("wider")
def test_a_new_rule_is_told(phone: Phone) -> None:
    """The rule page shows its name and value, in its group."""
    to_the_form(phone).fill(**{"joker_points.other": "7", "jokers": "yes"})
    page = press(phone, "words")
    assert "Joker points: 7." in page.text
    assert "Jokers: yes." in page.text
    assert "Cut by: left." in page.text
