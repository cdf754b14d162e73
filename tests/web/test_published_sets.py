"""Published rule sets can be set on the form, by tapping and writing."""

from __future__ import annotations

import pytest

from app.rules.house import OPTIONS, HouseRules, changed_fields
from app.rules.presets import PRESETS, read_code, read_rules, write_value
from app.web.rule_form import controls
from tests.rules.test_rule_values import ALLOWED
from tests.web.phone import Phone
from tests.web.published_sets import SETS, Rules
from tests.web.ruling import form, press, to_the_form

PAGAT = PRESETS["pagat"]


def touched_fields() -> set[str]:
    """Return the rules that differ from pagat in some published set."""
    return {field for raw in SETS.values() for field in changed_fields(PAGAT, read_rules(raw)[1])}


def unpublished() -> Rules:
    """Return rules with other values than pagat wherever no published set has any."""
    return {
        field: next(
            value for value in ALLOWED[field] if value != write_value(getattr(PAGAT, field))
        )
        for field in OPTIONS
        if field not in touched_fields()
    }


def set_by_hand(phone: Phone, rules: HouseRules, fields: list[str]) -> None:
    """Tap and write the values of these rules into the form, with the choices that it offers."""
    for field in fields:
        for name, texts in controls()[field].fill(getattr(rules, field)).items():
            if name.endswith(".was"):
                continue
            if name.endswith(".some"):
                tick(phone, name, texts)
            elif name.endswith(".other") and field == "suit_order":
                assert texts == [""], "an unusual order is chosen from a list"
            else:
                form(phone).fill(name, texts[0])


def tick(phone: Phone, name: str, keys: list[str]) -> None:
    """Tick these boxes and no others."""
    boxes = [each for each in form(phone).fields if each.name == name]
    assert {*keys} <= {box.value for box in boxes}
    for box in boxes:
        box.checked = box.value in keys


@pytest.mark.parametrize(
    "published", [*SETS.values(), {"preset": "pagat", **unpublished()}], ids=[*SETS, "all the rest"]
)
def test_a_published_set_can_be_set_on_the_form(phone: Phone, published: Rules) -> None:
    """From the nearest set, the differences are set on the form, and a table plays the result.

    This holds for every rule, also for those in which no published set differs from pagat.
    """
    preset, rules = read_rules(published)
    press(to_the_form(phone), f"base:{preset}")
    set_by_hand(phone, rules, changed_fields(PRESETS[preset], rules))
    press(phone, "use")
    assert phone.answer.status_code == 303, phone.page.text
    start = phone.page.form("/")
    chosen = start.values("preset")[0]
    own = start.values("own")[0]
    read = read_rules({"preset": chosen}) if chosen in PRESETS else read_code(own)
    assert read == (preset, rules)
