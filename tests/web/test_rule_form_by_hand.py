"""Any house rules can be set on the form, from any published set, by tapping and writing."""

from __future__ import annotations

import pytest

from app.rules.house import OPTIONS, HouseRules, changed_fields
from app.rules.presets import PRESETS, read_code, read_rules, write_value
from app.web.rule_form import controls
from tests.rules.test_rule_values import ALLOWED
from tests.web.phone import Phone
from tests.web.ruling import form, press, tick, to_the_form

Rules = dict[str, object]
PAGAT = PRESETS["pagat"]


def others(number: int) -> Rules:
    """Return rules with other values than pagat's in every field: the first, the second, ..."""
    values = {
        field: [value for value in ALLOWED[field] if value != write_value(getattr(PAGAT, field))]
        for field in OPTIONS
    }
    return {field: each[number % len(each)] for field, each in values.items()}


def set_by_hand(phone: Phone, rules: HouseRules, fields: list[str]) -> None:
    """Tap and write the values of these rules into the form, with the choices that it offers."""
    for field in fields:
        control = controls(rules.exchanges)[field]
        for name, texts in control.fill(getattr(rules, field)).items():
            if name.endswith(".was"):
                continue
            if name.endswith(".some"):
                tick(phone, name, texts)
            else:
                form(phone).fill(name, texts[0])


@pytest.mark.parametrize(("number", "preset"), [*enumerate(PRESETS)])
def test_any_value_of_any_rule_can_be_set_on_the_form(
    phone: Phone, number: int, preset: str
) -> None:
    """Every rule is set by taps, from a published set, and a table plays the result."""
    _, rules = read_rules({"preset": preset, **others(number)})
    press(to_the_form(phone), f"base:{preset}")
    set_by_hand(phone, rules, changed_fields(PRESETS[preset], rules))
    press(phone, "use")
    assert phone.answer.status_code == 200, phone.page.text
    start = phone.page.form("/")
    assert start.values("preset") == ["own"]
    assert read_code(start.values("own")[0]) == (preset, rules)
