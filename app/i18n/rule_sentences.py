"""The rules of a table in sentences: points hand by hand, and the rest group by group."""

from __future__ import annotations

import msgspec

from app.i18n.game import hand_label
from app.i18n.house_rules import (
    GROUPS,
    difference,
    group_title,
    label,
    suit_signs,
    value_words,
    words_of,
)
from app.i18n.language import Language
from app.i18n.rule_words import text_for
from app.rules.hands import Hand
from app.rules.house import (
    HouseRules,
    changed_fields,
    covers,
    groups,
    listed_hands,
    points_of,
    zeroing_of,
)
from app.rules.presets import PRESETS


class RuleSection(msgspec.Struct, frozen=True):
    """Sentences that belong together, on the rules of a group."""

    title: str
    sentences: list[str]


class HandPoints(msgspec.Struct, frozen=True):
    """A line of the points table: the hand, its points, and its other effects."""

    hand: str
    points: str
    also: str


def sections(rules: HouseRules, language: Language) -> list[RuleSection]:
    """The rules but for the points table, group by group, the deal first."""
    fields = groups(["exchanges", *GROUPS])
    in_words = (
        RuleSection(group_title(group, language), _sentences(fields[group], rules, language))
        for group in fields
    )
    return [section for section in in_words if section.sentences]


def _sentences(fields: list[str], rules: HouseRules, language: Language) -> list[str]:
    sentences = [rule_sentence(field, rules, language) for field in fields]
    return [sentence for sentence in sentences if sentence]


def changed_sentences(preset: str, rules: HouseRules, language: Language) -> list[str]:
    """The changes to a published rule set, each rule so that it can be read by itself."""
    base = PRESETS[preset]
    return [
        rule_sentence(field, rules, language) or difference(field, base, rules, language)
        for field in changed_fields(base, rules)
    ]


def rule_sentence(field: str, rules: HouseRules, language: Language) -> str:
    """The sentence of a house rule at this table; nothing where it never applies."""
    words, value = words_of(field), getattr(rules, field)
    if words.applies is not None and not words.applies(rules):
        return ""
    if words.sentence is None:
        return f"{label(field, language)}: {value_words(field, value, language)}."
    if callable(words.sentence):
        return words.sentence(rules, language)
    text = words.sentence if isinstance(words.sentence, str) else text_for(value, words.sentence)
    return language.gettext(text) % _values(field, rules, language) if text else ""


def _values(field: str, rules: HouseRules, language: Language) -> dict[str, object]:
    """Values of a sentence: its rule's points with their unit, and the suits as signs."""
    value = getattr(rules, field)
    points = {field: language.points(value)} if isinstance(value, int) else {}
    return {**points, "suit_order": suit_signs(rules.suit_order)}


def points_table(rules: HouseRules, language: Language) -> list[HandPoints]:
    """Every hand this table tells apart, best first."""
    return [
        HandPoints(
            hand_label(hand, language),
            _points(rules, hand, language),
            _special(rules, hand, language),
        )
        for hand in reversed(listed_hands(rules))
    ]


def _points(rules: HouseRules, hand: Hand, language: Language) -> str:
    if covers(rules.raising_hands, hand):
        return language.gettext("up to %(target)s") % {"target": rules.target}
    return language.number(points_of(rules, hand))


def _special(rules: HouseRules, hand: Hand, language: Language) -> str:
    """The effect of a hand besides its points."""
    _, special = language.gettext, []
    if covers(rules.winning_hands, hand):
        special.append(_("wins at once"))
    if zeroing_of(rules, hand) == "choice":
        special.append(_("or zeroes"))
    if zeroing_of(rules, hand) == "always":
        special.append(_("and zeroes"))
    return ", ".join(special)
