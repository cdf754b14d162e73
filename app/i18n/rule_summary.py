"""What tells one rule set from another, in a few words each; and a group of rules in a line.

A new house rule needs nothing here unless tables are told apart by it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import msgspec

from app.i18n.game import hand_name
from app.i18n.house_rules import value_words, words_of
from app.i18n.language import N_, Language
from app.i18n.rule_words.row import ANY, Texts, text_for
from app.rules.hands import Hand
from app.rules.house import (
    Group,
    HouseRules,
    hands_that_win,
    hands_that_zero,
    points_of,
    zeroing_of,
)
from app.rules.presets import PRESETS, scale_of

PRESET_LABELS: Mapping[str, str] = {
    "huvudregler": N_("Main rules"),
    "vanlig": N_("Common rules"),
    "pagat": N_("Pagat’s rules"),
    "kortspelsregler": N_("Kortspelsregler’s rules"),
    "gamerules": N_("Gamerules’ rules"),
    "wikipedia": N_("Wikipedia’s rules"),
}
HIGH_HANDS = (Hand.FOUR_OF_A_KIND, Hand.STRAIGHT_FLUSH, Hand.ROYAL_FLUSH)

Summary = Callable[[HouseRules, Language], Iterator[str]]


class Feature(msgspec.Struct, frozen=True):
    """A point by which tables are told apart; both say nothing where there is nothing to say.

    `alone` says it among the points of a whole rule set, where the usual goes without saying;
    `in_group` under its group's heading in the form, so that nobody has to open the group.
    """

    group: Group
    alone: Summary | None = None
    in_group: Summary | None = None


def preset_label(preset: str, language: Language) -> str:
    """A published rule set's name."""
    return language.gettext(PRESET_LABELS[preset])


def rules_label(preset: str, rules: HouseRules, language: Language) -> str:
    """What rules are called: the set they started from, as long as nothing in it was changed."""
    if rules != PRESETS[preset]:
        return language.gettext("Our own rules")
    return preset_label(preset, language)


def features(rules: HouseRules, language: Language) -> list[str]:
    """The distinguishing points of a rule set, most asked for first."""
    summaries = [feature.alone for feature in FEATURES if feature.alone is not None]
    return [text for summary in summaries for text in summary(rules, language)]


def group_brief(group: str, rules: HouseRules, language: Language) -> str:
    """What this table plays in a group of rules; nothing for a group that is new."""
    summaries = [feature.in_group for feature in FEATURES if feature.group == group]
    return " · ".join(text for say in summaries if say is not None for text in say(rules, language))


def _text(field: str, texts: Texts) -> Summary:
    """A text for each value of a rule, in which `%(field)s` is that value as a number."""

    def summary(rules: HouseRules, language: Language) -> Iterator[str]:
        value = getattr(rules, field)
        if text := text_for(value, texts):
            yield language.gettext(text) % {field: value}

    return summary


def _value(field: str) -> Summary:
    """A rule's value in words, points with their unit; nothing where the rule never applies."""

    def summary(rules: HouseRules, language: Language) -> Iterator[str]:
        value, applies = getattr(rules, field), words_of(field).applies
        if type(value) is int:
            yield language.points(value)
        elif applies is None or applies(rules):
            yield value_words(field, value, language)

    return summary


def _needs_chicago(rules: HouseRules, language: Language) -> Iterator[str]:
    texts = {
        "declared": N_("Chicago must have been bid"),
        "won": N_("Chicago must have been won"),
    }
    if rules.win_needs_chicago in texts:
        text = language.gettext(texts[rules.win_needs_chicago])
        yield f"{text}{_with_players(rules, language)}"


def _with_players(rules: HouseRules, language: Language) -> str:
    if rules.win_needs_chicago_players is None:
        return ""
    counts = language.either(map(str, sorted(rules.win_needs_chicago_players)))
    return " " + language.gettext("(with %(counts)s players)", counts=counts)


def _needs_chicago_in_group(rules: HouseRules, language: Language) -> Iterator[str]:
    if rules.win_needs_chicago != "no":
        needed = value_words("win_needs_chicago", rules.win_needs_chicago, language)
        yield language.gettext("Chicago %(needed)s", needed=needed)


def _chicago(rules: HouseRules, language: Language) -> Iterator[str]:
    points, penalty = rules.chicago_points, rules.chicago_penalty
    if points == penalty:
        yield language.gettext("Chicago ±%(points)s", points=points)
    else:
        yield language.gettext("Chicago +%(points)s/−%(penalty)s", points=points, penalty=penalty)


def _chicago_in_group(rules: HouseRules, language: Language) -> Iterator[str]:
    yield f"{language.signed(rules.chicago_points)}/{language.signed(-rules.chicago_penalty)}"


def _minimum_in_group(rules: HouseRules, language: Language) -> Iterator[str]:
    if rules.chicago_minimum is not None:
        yield language.gettext("from %(points)s", points=language.points(rules.chicago_minimum))


def _blind_chicago(rules: HouseRules, language: Language) -> Iterator[str]:
    if rules.blind_chicago is not None:
        yield language.gettext("blind Chicago")


def _zeroing(rules: HouseRules, language: Language) -> Iterator[str]:
    _ = language.gettext
    for hand in hands_that_zero(rules):
        name, choice = hand_name(hand, language), zeroing_of(rules, hand) == "choice"
        yield _("%(hand)s may zero", hand=name) if choice else _("%(hand)s zeroes", hand=name)


def _zeroing_in_group(rules: HouseRules, language: Language) -> Iterator[str]:
    names = [hand_name(hand, language) for hand in hands_that_zero(rules)]
    yield language.listing(names) if names else language.gettext("nobody zeroes")


def _winning_hands(rules: HouseRules, language: Language) -> Iterator[str]:
    names = [hand_name(hand, language) for hand in hands_that_win(rules)]
    if names:
        hands = language.listing(names)
        yield language.ngettext("%(hands)s wins", "%(hands)s win", len(names), hands=hands)


def _hands_in_group(rules: HouseRules, language: Language) -> Iterator[str]:
    scale = scale_of(rules)
    if scale is not None:
        yield language.gettext("scale %(number)s", number=scale)
    else:
        yield from (f"{hand_name(h, language)} {points_of(rules, h)}" for h in HIGH_HANDS)


def _exchanges(rules: HouseRules, language: Language) -> Iterator[str]:
    yield language.ngettext("%(num)s exchange", "%(num)s exchanges", rules.exchanges)


def _unusual_exchanges(rules: HouseRules, language: Language) -> Iterator[str]:
    if rules.exchanges != 3:
        yield from _exchanges(rules, language)


# Most asked for first.
FEATURES = (
    Feature(
        "stop",
        _text(
            "exchange_stop",
            {None: N_("no exchange stop"), ANY: N_("exchange stop %(exchange_stop)s")},
        ),
        _value("exchange_stop"),
    ),
    Feature("stop", in_group=_value("exchange_stop_when")),
    Feature("end", in_group=_value("target")),
    Feature("end", _needs_chicago, _needs_chicago_in_group),
    Feature("chicago", _chicago, _chicago_in_group),
    Feature(
        "chicago",
        _text("chicago_minimum", {None: N_("Chicago at any score")}),
        _minimum_in_group,
    ),
    Feature("chicago", _text("chicago_when", {"any_time": N_("Chicago at any time")})),
    Feature("chicago", _blind_chicago, _blind_chicago),
    Feature("zeroing", _zeroing, _zeroing_in_group),
    Feature("hands", _winning_hands, _hands_in_group),
    Feature("exchanges", _unusual_exchanges, _exchanges),
    Feature("exchanges", in_group=_text("open_card", {True: N_("one open card")})),
    Feature(
        "trick",
        _text("last_trick", {5: "", ANY: N_("last trick %(last_trick)s")}),
        _value("last_trick"),
    ),
    Feature(
        "trick",
        in_group=_text(
            "last_trick_with_two", {None: "", ANY: N_("%(last_trick_with_two)s with a two")}
        ),
    ),
    Feature(
        "money",
        _text("negative_scores", {True: N_("scores below zero")}),
        _value("negative_scores"),
    ),
    Feature("end", _text("target", {52: "", ANY: N_("to %(target)s")})),
    Feature("end", _text("tied_winners", {"tie_break": N_("ties are played off")})),
    Feature("end", _text("false_claim_loses", {True: N_("a false claim loses")})),
    Feature("table", in_group=_value("first_dealer_by")),
)
