"""Summaries of rule sets: their distinguishing points, and a group of rules in a line.

A new house rule needs nothing here unless tables are told apart by it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import msgspec

from app.i18n.game import hand_name
from app.i18n.house_rules import value_words, words_of
from app.i18n.language import N_, Language
from app.i18n.rule_words import ANY, Texts, text_for
from app.rules.hands import Hand
from app.rules.house import (
    Group,
    HouseRules,
    hands_that_win,
    hands_that_zero,
    listed_hands,
    points_of,
    zeroing_of,
)
from app.rules.presets import PRESETS

# The others go by their own names.
SOURCES: Mapping[str, str] = {
    "huvudregler": N_("Swedish main rules"),
    "vanlig": N_("most descriptions"),
}
HIGH_HANDS = (
    *(Hand.FOUR_OF_A_KIND, Hand.STRAIGHT_FLUSH),
    *(Hand.ROYAL_FLUSH, Hand.ROYAL_FLUSH_HEARTS),
)
# The letters that fit on a line of a phone.
MOST_IN_LABEL = 3

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
    """The name of a published rule set: its values where the sets differ most."""
    texts = _texts(NAMING, PRESETS[preset], language)
    label = ", ".join(texts[:MOST_IN_LABEL])
    return label[0].upper() + label[1:]


def preset_source(preset: str, language: Language) -> str:
    """The source of a published rule set."""
    return language.gettext(SOURCES[preset]) if preset in SOURCES else preset.capitalize()


def rules_label(preset: str, rules: HouseRules, language: Language) -> str:
    """The name of rules: a published set, the one they started from first, or our own."""
    published = [each for each in (preset, *PRESETS) if PRESETS[each] == rules]
    return preset_label(published[0], language) if published else language.gettext("Our own rules")


def features(rules: HouseRules, language: Language) -> list[str]:
    """The distinguishing points of rules beside their label, most asked for first.

    Of a published set its source comes first, and nothing that its label says.
    """
    texts = _texts([each.alone for each in FEATURES if each.alone], rules, language)
    for preset, published in PRESETS.items():
        if rules == published:
            named = _texts(NAMING, rules, language)[:MOST_IN_LABEL]
            return [preset_source(preset, language), *(t for t in texts if t not in named)]
    return texts


def _texts(summaries: Iterable[Summary], rules: HouseRules, language: Language) -> list[str]:
    return [text for say in summaries for text in say(rules, language)]


def group_brief(group: str, rules: HouseRules, language: Language) -> str:
    """A group of rules in a line; nothing for a group that is new."""
    summaries = [each.in_group for each in FEATURES if each.group == group and each.in_group]
    return " · ".join(_texts(summaries, rules, language))


def high_hands(rules: HouseRules, language: Language) -> str:
    """Four of a kind and higher: `four of a kind 8, straight flush and royal win`."""
    winning = hands_that_win(rules)
    scoring = [
        f"{hand_name(hand, language)} {language.number(points_of(rules, hand))}"
        for hand in listed_hands(rules)
        if hand in HIGH_HANDS and hand not in winning
    ]
    return ", ".join([*scoring, *_winning_hands(rules, language)])


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
        "won": N_("Chicago must have been made"),
    }
    if rules.win_needs_chicago in texts:
        text = language.gettext(texts[rules.win_needs_chicago])
        yield f"{text}{_with_players(rules, language)}"


def _with_players(rules: HouseRules, language: Language) -> str:
    if rules.win_needs_chicago_players is None:
        return ""
    counts = language.either(map(str, sorted(rules.win_needs_chicago_players)))
    return " " + language.gettext("(with %(counts)s players)", counts=counts)


def _named_needs_chicago(rules: HouseRules, language: Language) -> Iterator[str]:
    if rules.win_needs_chicago != "no":
        yield language.gettext("Chicago needed")


def _chicago(rules: HouseRules, language: Language) -> Iterator[str]:
    points, penalty = rules.chicago_points, rules.chicago_penalty
    if points == penalty == 15:
        return
    if points == penalty:
        yield language.gettext("Chicago ±%(points)s", points=points)
    else:
        yield language.gettext("Chicago +%(points)s/−%(penalty)s", points=points, penalty=penalty)


def _chicago_in_group(rules: HouseRules, language: Language) -> Iterator[str]:
    penalty = language.signed(-rules.chicago_penalty)
    yield language.gettext("%(penalty)s if broken", penalty=penalty)


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


def _named_zeroing(rules: HouseRules, language: Language) -> Iterator[str]:
    if zeroing_of(rules, Hand.FOUR_OF_A_KIND):
        yield language.gettext("fours zero")
    elif not hands_that_zero(rules):
        yield language.gettext("no zeroing")


def _zeroing_in_group(rules: HouseRules, language: Language) -> Iterator[str]:
    names = [hand_name(hand, language) for hand in hands_that_zero(rules)]
    yield language.listing(names) if names else language.gettext("nobody zeroes")


def _winning_hands(rules: HouseRules, language: Language) -> Iterator[str]:
    names = [hand_name(hand, language) for hand in hands_that_win(rules)]
    if names:
        hands = language.listing(names)
        yield language.ngettext("%(hands)s wins", "%(hands)s win", len(names), hands=hands)


def _hands_in_group(rules: HouseRules, language: Language) -> Iterator[str]:
    yield high_hands(rules, language)


def _unusual_exchanges(rules: HouseRules, language: Language) -> Iterator[str]:
    if rules.exchanges != 3:
        yield language.ngettext("%(num)s exchange", "%(num)s exchanges", rules.exchanges)


_exchange_stop = _text(
    "exchange_stop",
    {None: N_("no exchange stop"), ANY: N_("exchange stop %(exchange_stop)s")},
)
# Most asked for first.
FEATURES = (
    Feature("stop", _exchange_stop, _text("exchange_stop", {None: N_("no exchange stop")})),
    Feature("stop", in_group=_value("exchange_stop_when")),
    Feature("end", in_group=_value("target")),
    Feature("end", _needs_chicago),
    Feature("chicago", _chicago, _chicago_in_group),
    Feature(
        "chicago",
        _text("chicago_minimum", {None: N_("Chicago at any score")}),
        _minimum_in_group,
    ),
    Feature(
        "chicago",
        in_group=_text("chicago_maximum", {None: "", ANY: N_("below %(chicago_maximum)s")}),
    ),
    Feature("chicago", _text("chicago_when", {"any_time": N_("Chicago at any time")})),
    Feature("chicago", _blind_chicago, _blind_chicago),
    Feature("zeroing", _zeroing, _zeroing_in_group),
    Feature("hands", _winning_hands, _hands_in_group),
    Feature("exchanges", _unusual_exchanges),
    Feature(
        "exchanges",
        in_group=_text("open_card", {True: N_("one open card"), False: N_("no open card")}),
    ),
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
# The rules that a published set is named by, in the order of its name.
NAMING: Sequence[Summary] = (
    *(_unusual_exchanges, _exchange_stop, _blind_chicago),
    *(_named_zeroing, _named_needs_chicago, _winning_hands),
)
