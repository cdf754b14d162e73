"""How the house rules and their values are called on a page.

A rule without words of its own is called by its field's name, so that a new one can be set, read
and checked from the start.
"""

from __future__ import annotations

from collections.abc import Mapping

from app.languages import MINUS, N_, Language
from app.rules.hands import Hand
from app.rules.house import OPTIONS, BlindChicago
from app.texts import hand_name
from app.web.houserules.words import GROUPS, WORDS, YES_NO

SUIT_SIGNS: Mapping[str, str] = {"h": "♥", "s": "♠", "d": "♦", "c": "♣"}


def group_title(group: str, language: Language) -> str:
    """A group of house rules, as a heading."""
    return language.gettext(GROUPS[group]) if group in GROUPS else _plain(group)


def label(field: str, language: Language) -> str:
    """What a house rule is called."""
    return language.gettext(WORDS[field].label) if field in WORDS else _plain(field)


def explained(field: str, language: Language) -> str:
    """What a house rule does, where its name does not say it all."""
    help_text = WORDS[field].help if field in WORDS else ""
    return language.gettext(help_text) if help_text else ""


def part_label(field: str, part: str, language: Language) -> str:
    """What a value within a value is called."""
    parts = WORDS[field].parts if field in WORDS else {}
    return language.gettext(parts[part]) if part in parts else _plain(part)


def some_label(field: str, language: Language) -> str:
    """What is said of values that are ticked, where they may also be none of them."""
    some = WORDS[field].some if field in WORDS else ""
    return language.gettext(some or N_("only these"))


def value_order(field: str) -> list[object]:
    """The values in the order in which people think of them."""
    return list(WORDS[field].values) if field in WORDS else []


def value_words(field: str, value: object, language: Language) -> str:
    """A value of a house rule, in a few words."""
    known = WORDS[field].values if field in WORDS else {}
    for other, text in known.items():
        if type(other) is type(value) and other == value:
            return language.gettext(text)
    if isinstance(value, frozenset) and value and field in WORDS and WORDS[field].some:
        members = [value_words(field, member, language) for member in sorted(value)]
        return f"{some_label(field, language)} {language.listing(members)}"
    return _any_value(value, language)


def _any_value(value: object, language: Language) -> str:
    match value:
        case bool():
            return language.gettext(YES_NO[value])
        case None:
            return language.gettext(N_("none"))
        case Hand():
            return hand_name(value, language)
        case int():
            return language.number(value)
        case BlindChicago():
            return _blind(value, language)
        case frozenset():
            return _set(value, language)
        case str() if len(value) == len(SUIT_SIGNS) and set(value) == set(SUIT_SIGNS):
            return suit_signs(value)
        case _:
            return _plain(str(value))


def suit_signs(order: str) -> str:
    """The suits in an order, as signs."""
    return " ".join(SUIT_SIGNS[suit] for suit in order)


def _set(values: frozenset[object], language: Language) -> str:
    hands = [hand_name(hand, language) for hand in Hand if hand in values]
    numbers = [language.number(n) for n in sorted(v for v in values if isinstance(v, int))]
    return language.listing(hands or numbers) or language.gettext(N_("none"))


def _blind(blind: BlindChicago, language: Language) -> str:
    return f"+{language.number(blind.points)}/{MINUS}{language.number(blind.penalty)}"


def difference(field: str, value: object, base: object, language: Language) -> str:
    """What a rule is, said beside what it was: of hands, only those that differ."""
    if not isinstance(value, dict) or not isinstance(base, dict):
        return value_words(field, value, language)
    said = [
        f"{hand_name(hand, language)} {value_words(field, value.get(hand), language)}"
        for hand in Hand
        if value.get(hand) != base.get(hand)
    ]
    return ", ".join(said) or "–"


def _plain(name: str) -> str:
    """A name from the code, as well as it can be said."""
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:] if name in OPTIONS else words
