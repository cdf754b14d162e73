"""The form for house rules: rules into values of fields, and a sent form back into rules."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache

import msgspec
from msgspec.structs import replace

from app.http.forms import LONGEST_TEXT
from app.i18n import house_rules
from app.i18n.language import N_, Language
from app.rules.errors import BadFile
from app.rules.hands import Hand
from app.rules.house import OPTIONS, HouseRules
from app.rules.presets import SCALES, write_code
from app.web.rules.fields import (
    Choices,
    Control,
    FilledValues,
    FormValues,
    PerHand,
    Unreadable,
    WholeNumber,
    control_of,
    first_value,
)

Faults = Mapping[str, Unreadable]

ORIGIN_LENGTH = 17


@cache
def _control(field: str) -> Control:
    return control_of(OPTIONS[field])


def controls() -> dict[str, Control]:
    """The control of every house rule."""
    return {field: _control(field) for field in OPTIONS}


def fill_form(rules: HouseRules) -> FilledValues:
    """The form data of an untouched form."""
    return {
        name: texts
        for field, control in controls().items()
        for name, texts in control.fill(getattr(rules, field)).items()
    }


def origin_of(key: str, preset: str, rules: HouseRules) -> str:
    """The version of the form and a fingerprint of the rules one begins with: `5be03a71-0c9d22f4`.

    A phone keeps an unfinished form for one origin.
    """
    return f"{_version()}-{_fingerprint(f'{key} {write_code(preset, rules)}')}"


@cache
def _version() -> str:
    return _fingerprint(repr(controls()))


def _fingerprint(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def read_form(form: FormValues, base: HouseRules) -> tuple[HouseRules, Faults]:
    """The rules that were sent; a rule that was not sent, or cannot be read, is as in `base`."""
    changes: dict[str, object] = {}
    faults: dict[str, Unreadable] = {}
    for field, control in controls().items():
        if not _is_in(control, getattr(base, field), form):
            continue
        try:
            changes[field] = OPTIONS[field].check(control.read(form))
        except Unreadable as fault:
            faults[field] = fault
        except BadFile:
            faults[field] = Unreadable(field)
    return replace(base, **changes), faults


def _is_in(control: Control, value: object, form: FormValues) -> bool:
    return any(name in form for name in control.fill(value))


def form_values(rules: HouseRules, form: FormValues, faults: Faults) -> FilledValues:
    """The form's next values: the rules as read, and unreadable values as they were written."""
    values = fill_form(rules)
    for field in faults:
        names = controls()[field].fill(getattr(rules, field))
        values |= {name: [_cut(text) for text in form[name]] for name in names if name in form}
    return values


def _cut(text: str) -> str:
    return text[:LONGEST_TEXT]


def reset_field(rules: HouseRules, base: HouseRules, field: str) -> HouseRules:
    """The rules with one of them as it was to begin with."""
    return replace(rules, **{field: getattr(base, field)}) if field in OPTIONS else rules


def with_scale(rules: HouseRules, number: int) -> HouseRules:
    """The rules with the hands' points, wins and zeroings of a named scale."""
    if number not in SCALES:
        return rules
    scale = SCALES[number]
    return replace(
        rules,
        hand_points=dict(scale.hand_points),
        winning_hands=scale.winning_hands,
        zeroing=dict(scale.zeroing),
    )


def pressed_button(form: FormValues) -> tuple[str, str]:
    """The action of the button that was pressed, and its rule, scale or set."""
    action, _, which = first_value(form, "do").partition(":")
    return action, which


# Each by the name of its control, with its words where they are not those of the whole rule.
LEADING: Mapping[str, str] = {
    "exchange_stop": "",
    f"zeroing.{Hand.FOUR_OF_A_KIND}": N_("Four of a kind zeroes"),
    "win_needs_chicago": "",
    "chicago_points": "",
    "exchanges": "",
}


class LeadingRule(msgspec.Struct, frozen=True):
    """A line of the form: a rule, or its value for one hand; `was` where it is changed."""

    field: str
    control: Choices | WholeNumber
    label: str
    was: str


def leading_rules(base: HouseRules, rules: HouseRules, language: Language) -> list[LeadingRule]:
    """The rules that come first, in words."""
    return [_leading(name, base, rules, language) for name in LEADING]


def _leading(name: str, base: HouseRules, rules: HouseRules, language: Language) -> LeadingRule:
    field, _, hand = name.partition(".")
    control, label = _leading_control(field, hand), LEADING[name]
    was, now = _value(base, field, hand), _value(rules, field, hand)
    return LeadingRule(
        field,
        control,
        language.gettext(label) if label else house_rules.label(field, language),
        "" if was == now else house_rules.value_words(field, was, language),
    )


def _leading_control(field: str, hand: str) -> Choices | WholeNumber:
    control: Control = controls()[field]
    one = control.hands[Hand(hand)] if isinstance(control, PerHand) else control
    if not isinstance(one, Choices | WholeNumber):
        raise TypeError(f"{field} has no control of one line")
    return one


def _value(rules: HouseRules, field: str, hand: str) -> object:
    value = getattr(rules, field)
    return value.get(Hand(hand)) if hand else value
