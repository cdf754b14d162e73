"""Published rule sets can be set on the form, by tapping and writing."""

from __future__ import annotations

import pytest

from app.rules.house import OPTIONS, HouseRules, changed_fields
from app.rules.presets import PRESETS, read_code, read_rules, write_value
from app.web.rule_form import controls
from tests.rules.test_rule_values import ALLOWED
from tests.web.phone import Phone
from tests.web.ruling import form, press, to_the_form

Rules = dict[str, object]
MINE = {"four_of_a_kind": "choice"}
LOW = {"preset": "pagat", "false_claim_loses": False}

# Rule sets as people publish them, each as its differences from a set that the form offers.
SETS: dict[str, Rules] = {
    "pagat, four of a kind always ends the deal": {
        "preset": "pagat",
        "zeroing": MINE,
        "four_of_a_kind_ends_deal": True,
    },
    "pagat, below zero pays double": {
        "preset": "pagat",
        "negative_scores": True,
        "chicago_minimum": None,
        "negative_pays_double": True,
        "open_card": True,
    },
    "wikipedia, high hands lift to the target or zero one": {
        "preset": "wikipedia",
        "raising_hands": ["straight_flush"],
        "hand_points": {"royal_flush": 9},
        "zeroing": {**MINE, "straight_flush": "always"},
        "zeroing_victims": "one",
        "after_zeroing": "deal_goes_on",
    },
    "huvudregler G H I J K L": {
        "open_card": True,
        "max_exchange": 4,
        "ties": "same_type",
        "flush_suits": False,
        "zeroing_after_scoring": False,
        "after_zeroing": "deal_goes_on",
        "zeroing_and_chicago": "chicago_voids_zeroing",
        "lay_aside": True,
    },
    "huvudregler M O P Q R": {
        "chicago_lead": "eldest",
        "last_trick": 2,
        "last_trick_with_two": 5,
        "chicago_breaker_bonus": 10,
        "chicago_hand": "always",
        "negative_scores": True,
        "chicago_minimum": None,
    },
    "students: no stop, no minimum, everything counts": {
        **LOW,
        "exchange_stop": None,
        "chicago_minimum": None,
        "chicago_hand": "always",
        "chicago_last_trick": "always",
        "scored_exchanges": [1, 2, 3],
        "tied_winners": "play_on",
    },
    "a short evening: to 30, one exchange": {
        **LOW,
        "target": 30,
        "exchange_stop": 25,
        "exchanges": 1,
        "scored_exchanges": [1],
        "suit_order": "shdc",
        "illegal_exchange": "zeroed",
        "first_dealer_by": "lowest_card",
    },
    "a cautious family: blind Chicago from 20": {
        "preset": "vanlig",
        "blind_chicago": {"points": 40, "penalty": 20, "with_two": None, "minimum": 20},
        "chicago_breaker": "first_over",
        "win_needs_chicago": "declared",
        "win_needs_chicago_unmet": "plays_on",
        "hand_after_play": False,
        "tied_winners": "tie_break",
        "chicago_when": "any_time",
    },
}
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
