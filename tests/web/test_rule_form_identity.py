"""From rules to the form and back nothing is lost or added, for any rules and taps."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.rules.house import HouseRules
from app.rules.presets import PRESETS, read_code, read_rules, write_code
from app.web.rule_form import FilledValues, controls, fill_form, read_form
from tests.rules.strategies import raw_rules

# The fields of a rule: the choice, the written or ticked value, and the value before.
SENT: list[tuple[str, FilledValues, object]] = [
    ("exchange_stop", {"": ["45"], ".other": ["38"], ".was": [""]}, 38),
    ("exchange_stop", {"": ["45"], ".other": ["38"], ".was": ["38"]}, 45),
    ("exchange_stop", {"": ["other"], ".other": ["38"], ".was": ["38"]}, 38),
    ("suit_order", {"": ["hsdc"], ".other": ["cdhs"], ".was": [""]}, "cdhs"),
    ("suit_order", {"": ["hsdc"], ".other": ["cdhs"], ".was": ["cdhs"]}, "hsdc"),
    ("win_needs_chicago_players", {"": ["none"], ".some": ["3"], ".was": [""]}, frozenset({3})),
    ("win_needs_chicago_players", {"": ["none"], ".some": ["3"], ".was": ["3"]}, None),
    ("win_needs_chicago_players", {"": ["some"], ".some": [], ".was": ["3"]}, frozenset()),
]


@pytest.mark.parametrize(("field", "form", "meant"), SENT)
def test_what_was_changed_last_is_what_is_meant(
    field: str, form: FilledValues, meant: object
) -> None:
    """A number, order or tick counts if it was not there before, over any chosen chip."""
    named = {f"{field}{part}": texts for part, texts in form.items()}
    assert controls()[field].read(named) == meant


def rules_from(raw: dict[str, object]) -> HouseRules:
    """Read the rules of a game file, without the name of their rule set."""
    return read_rules(raw)[1]


@settings(max_examples=40)
@given(raw_rules(), st.sampled_from(list(PRESETS)))
def test_any_rules_come_back_from_the_form_untouched(raw: dict[str, object], base: str) -> None:
    """An untouched form sends the rules that it shows, from any base set."""
    rules = rules_from(raw)
    assert read_form(fill_form(rules), PRESETS[base]) == (rules, {})


@settings(max_examples=40)
@given(raw_rules())
def test_a_link_carries_any_rules(raw: dict[str, object]) -> None:
    """The rules read from a link equal the rules written into it."""
    preset, rules = read_rules(raw)
    assert read_code(write_code(preset, rules)) == (preset, rules)
