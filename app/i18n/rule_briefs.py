"""Each group of house rules in a line, so that nobody has to open it to see what is played."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from app.i18n.game import hand_name
from app.i18n.house_rules import value_words
from app.i18n.language import Language
from app.rules.hands import Hand
from app.rules.house import HouseRules, listed_hands, points_of, zeroing_of
from app.rules.presets import scale_of

Brief = Callable[[HouseRules, Language], list[str]]
HIGH = (Hand.FOUR_OF_A_KIND, Hand.STRAIGHT_FLUSH, Hand.ROYAL_FLUSH)


def group_brief(group: str, rules: HouseRules, language: Language) -> str:
    """What this table plays in a group of rules; nothing for a group that is new."""
    return " · ".join(BRIEFS[group](rules, language)) if group in BRIEFS else ""


def _value(*fields: str) -> Brief:
    return lambda rules, language: [
        value_words(field, getattr(rules, field), language) for field in fields
    ]


def _stop(rules: HouseRules, language: Language) -> list[str]:
    if rules.exchange_stop is None:
        return [value_words("exchange_stop", None, language)]
    when = value_words("exchange_stop_when", rules.exchange_stop_when, language)
    return [language.points(rules.exchange_stop), when]


def _hands(rules: HouseRules, language: Language) -> list[str]:
    scale = scale_of(rules)
    if scale is not None:
        return [language.gettext("scale %(number)s") % {"number": scale}]
    return [f"{hand_name(h, language)} {points_of(rules, h)}" for h in HIGH]


def _zeroing(rules: HouseRules, language: Language) -> list[str]:
    hands = [hand_name(hand, language) for hand in listed_hands(rules) if zeroing_of(rules, hand)]
    return [language.listing(hands)] if hands else [language.gettext("nobody zeroes")]


def _trick(rules: HouseRules, language: Language) -> list[str]:
    said = [language.points(rules.last_trick)]
    if rules.last_trick_with_two is not None:
        text = language.gettext("%(points)s with a two")
        said.append(text % {"points": rules.last_trick_with_two})
    return said


def _chicago(rules: HouseRules, language: Language) -> list[str]:
    won, lost = language.signed(rules.chicago_points), language.signed(-rules.chicago_penalty)
    said = [f"{won}/{lost}"]
    if rules.chicago_minimum is not None:
        text = language.gettext("from %(points)s")
        said.append(text % {"points": language.points(rules.chicago_minimum)})
    if rules.blind_chicago is not None:
        said.append(language.gettext("blind Chicago"))
    return said


def _end(rules: HouseRules, language: Language) -> list[str]:
    said = [language.points(rules.target)]
    needed = rules.win_needs_chicago
    if needed != "no":
        words = value_words("win_needs_chicago", needed, language)
        said.append(language.gettext("Chicago %(needed)s") % {"needed": words})
    return said


def _exchanges(rules: HouseRules, language: Language) -> list[str]:
    said = [language.ngettext("%(num)s exchange", "%(num)s exchanges", rules.exchanges)]
    if rules.open_card:
        said.append(language.gettext("one open card"))
    return said


BRIEFS: Mapping[str, Brief] = {
    "stop": _stop,
    "hands": _hands,
    "zeroing": _zeroing,
    "trick": _trick,
    "chicago": _chicago,
    "end": _end,
    "exchanges": _exchanges,
    "money": _value("negative_scores"),
    "table": _value("first_dealer_by"),
}
