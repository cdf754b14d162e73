"""The rules that tables differ in most: they stand first in the form, each on one line."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from app.i18n import house_rules
from app.i18n.language import N_, Language
from app.rules.hands import Hand
from app.rules.house import HouseRules
from app.web.rules.fields import Choices, Control, PerHand, WholeNumber
from app.web.rules.form import controls

# Each by the name of its control, with its words where they are not those of the whole rule.
LEADING: Mapping[str, str] = {
    "exchange_stop": "",
    f"zeroing.{Hand.FOUR_OF_A_KIND}": N_("Four of a kind zeroes"),
    "win_needs_chicago": "",
    "chicago_points": "",
    "exchanges": "",
}


class LeadingRule(msgspec.Struct, frozen=True):
    """A line of the form: a rule, or what a rule says of one hand; `was` where it is changed."""

    field: str
    control: Choices | WholeNumber
    label: str
    was: str


def leading_rules(base: HouseRules, rules: HouseRules, language: Language) -> list[LeadingRule]:
    """The rules that come first, in words."""
    return [_leading(name, base, rules, language) for name in LEADING]


def _leading(name: str, base: HouseRules, rules: HouseRules, language: Language) -> LeadingRule:
    field, _, hand = name.partition(".")
    control, label = _control(field, hand), LEADING[name]
    was, now = _value(base, field, hand), _value(rules, field, hand)
    return LeadingRule(
        field,
        control,
        language.gettext(label) if label else house_rules.label(field, language),
        "" if was == now else house_rules.value_words(field, was, language),
    )


def _control(field: str, hand: str) -> Choices | WholeNumber:
    control: Control = controls()[field]
    one = control.hands[Hand(hand)] if isinstance(control, PerHand) else control
    if not isinstance(one, Choices | WholeNumber):
        raise TypeError(f"{field} has no control of one line")
    return one


def _value(rules: HouseRules, field: str, hand: str) -> object:
    value = getattr(rules, field)
    return value.get(Hand(hand)) if hand else value
