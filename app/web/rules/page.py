"""What a table plays, on one page: the points table, the rest in sentences, and our readings."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from app.i18n.game import hand_label, hand_name
from app.i18n.house_rules import (
    GROUPS,
    group_title,
    label,
    suit_signs,
    value_words,
)
from app.i18n.language import N_, Language
from app.i18n.rule_sentences import ANY, APPLIES, SENTENCES
from app.rules.hands import Hand
from app.rules.house import (
    OPTIONS,
    BlindChicago,
    HouseRules,
    covers,
    listed_hands,
    points_of,
    zeroing_of,
)


class RuleSection(msgspec.Struct, frozen=True):
    """Sentences that belong together."""

    title: str
    sentences: list[str]


class HandPoints(msgspec.Struct, frozen=True):
    """A line of the points table: the hand, its points, and what else it does."""

    hand: str
    points: str
    also: str


def sections(rules: HouseRules, language: Language) -> list[RuleSection]:
    """The rules but for the points table, group by group, the deal first."""
    groups = dict.fromkeys(["exchanges", *GROUPS, *(row.group for row in OPTIONS.values())])
    told = [
        RuleSection(group_title(group, language), _told(group, rules, language)) for group in groups
    ]
    return [section for section in told if section.sentences]


def _told(group: str, rules: HouseRules, language: Language) -> list[str]:
    fields = [row.field for row in OPTIONS.values() if row.group == group]
    said = [rule_sentence(field, rules, language) for field in fields]
    return [text for text in said if text]


def rule_sentence(field: str, rules: HouseRules, language: Language) -> str:
    """What a house rule says at this table; nothing where it never applies."""
    if field in APPLIES and not APPLIES[field](rules):
        return ""
    if field in _TOLD:
        return _TOLD[field](rules, language)
    if field not in SENTENCES:
        words = value_words(field, getattr(rules, field), language)
        return f"{label(field, language)}: {words}."
    text = _text(SENTENCES[field], getattr(rules, field))
    return language.gettext(text) % _values(rules, language) if text else ""


def _text(texts: Mapping[object, str], value: object) -> str:
    """The text for a value; true is not 1 here."""
    exact = (text for known, text in texts.items() if _same(known, value))
    return next(exact, texts.get(ANY, ""))


def _same(known: object, value: object) -> bool:
    return type(known) is type(value) and known == value


def _values(rules: HouseRules, language: Language) -> dict[str, object]:
    """What sentences name: points with their unit, cards with theirs, suits as signs."""
    numbers = {field: getattr(rules, field) for field in OPTIONS}
    said = {f: language.points(n) for f, n in numbers.items() if isinstance(n, int)}
    cards = language.ngettext("%(num)s card", "%(num)s cards", rules.max_exchange)
    return {**said, "max_exchange": cards, "suit_order": suit_signs(rules.suit_order)}


def _no_text(rules: HouseRules, language: Language) -> str:
    """The points table says it, or another sentence does."""
    return ""


def _exchanges(rules: HouseRules, language: Language) -> str:
    return language.ngettext(
        "There is %(num)s exchange in a deal.",
        "There are %(num)s exchanges in a deal.",
        rules.exchanges,
    )


def _scored(rules: HouseRules, language: Language) -> str:
    chosen = rules.scored_exchanges
    numbers = range(1, rules.exchanges) if chosen is None else sorted(chosen)
    done = [value_words("scored_exchanges", n, language) for n in numbers if n <= rules.exchanges]
    if not done:
        return language.gettext("No hand scores before the play.")
    text = language.gettext("The single best hand scores after %(exchanges)s exchange.")
    return text % {"exchanges": language.listing(done)}


def _zeroing(rules: HouseRules, language: Language) -> str:
    """Which hands may zero, and which always do."""
    said = []
    for how, text in _HOW_IT_ZEROES.items():
        hands = [hand for hand in listed_hands(rules) if zeroing_of(rules, hand) == how]
        if hands:
            names = language.either(hand_name(hand, language) for hand in hands)
            told = language.gettext(text) % {"hands": names}
            said.append(told[0].upper() + told[1:])
    return " ".join(said)


def _blind(rules: HouseRules, language: Language) -> str:
    blind = rules.blind_chicago
    if blind is None:
        return ""
    text = language.gettext(
        "Blind Chicago, bid before looking at the cards, gives %(points)s and costs %(penalty)s"
        " if broken. No hand scores in that deal."
    )
    points, penalty = language.points(blind.points), language.points(blind.penalty)
    said = [text % {"points": points, "penalty": penalty}, *_blind_more(blind, language)]
    return " ".join(said)


def _blind_more(blind: BlindChicago, language: Language) -> list[str]:
    said = []
    if blind.with_two is not None:
        text = language.gettext(
            "With a two in the last trick it gives %(points)s and wins at once."
        )
        said.append(text % {"points": language.points(blind.with_two)})
    if blind.minimum is not None:
        text = language.gettext("To bid it blind a player needs %(points)s.")
        said.append(text % {"points": language.points(blind.minimum)})
    return said


def _players(rules: HouseRules, language: Language) -> str:
    counts = rules.win_needs_chicago_players
    if counts is None:
        return ""
    if not counts:
        return language.gettext("But that is needed at no number of players.")
    numbers = language.either(map(str, sorted(counts)))
    return language.gettext("That holds with %(counts)s players only.") % {"counts": numbers}


def points_table(rules: HouseRules, language: Language) -> list[HandPoints]:
    """Every hand this table tells apart, best first."""
    return [
        HandPoints(hand_label(hand, language), *_worth(rules, hand, language))
        for hand in reversed(listed_hands(rules))
    ]


def _worth(rules: HouseRules, hand: Hand, language: Language) -> tuple[str, str]:
    _, also = language.gettext, []
    points = language.number(points_of(rules, hand))
    if covers(rules.raising_hands, hand):
        points = _("up to %(target)s") % {"target": rules.target}
    if covers(rules.winning_hands, hand):
        also.append(_("wins at once"))
    if zeroing_of(rules, hand) == "choice":
        also.append(_("or zeroes"))
    if zeroing_of(rules, hand) == "always":
        also.append(_("and zeroes"))
    return points, ", ".join(also)


_HOW_IT_ZEROES: Mapping[str, str] = {
    "choice": N_("Who has the best hand with %(hands)s may zero instead of scoring."),
    "always": N_("%(hands)s scores and zeroes."),
}
_TOLD: Mapping[str, Callable[[HouseRules, Language], str]] = {
    "hand_points": _no_text,
    "winning_hands": _no_text,
    "raising_hands": _no_text,
    "suit_order": _no_text,
    "exchanges": _exchanges,
    "scored_exchanges": _scored,
    "zeroing": _zeroing,
    "blind_chicago": _blind,
    "win_needs_chicago_players": _players,
}
