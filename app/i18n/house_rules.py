"""The house rules in players' words: names of sets and rules, values, sentences, and the guide.

The words themselves stand in rule_words.py and play_words.py, a row a field. A rule that has no row
there yet goes by its name in the code.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import get_args

import msgspec

from app.i18n.cards import SUIT_SIGNS, hand_label, hand_name, suit_signs
from app.i18n.language import MINUS, N_, Language, Translated
from app.i18n.play_words import PLAY_WORDS
from app.i18n.rule_words import DEAL_WORDS, YES_NO, RuleWords, list_moments, text_for, zeroing_text
from app.rules.hands import COMMON_HANDS, Card, Hand, parse_cards
from app.rules.house import (
    OPTIONS,
    BlindChicago,
    HouseRules,
    Scorers,
    ScoringMoment,
    changed_fields,
    covers,
    groups,
    hands_that_zero,
    listed_hands,
    points_of,
    zeroing_of,
)
from app.rules.presets import PRESETS, SCALES
from app.rules.state import RuleChange

WORDS: Mapping[str, RuleWords] = {**DEAL_WORDS, **PLAY_WORDS}
GROUPS: Translated[str, str] = {
    "stop": "Exchange stop",
    "hands": "Hands and their points",
    "zeroing": "Zeroing",
    "trick": "Last trick",
    "chicago": "Chicago",
    "end": "Winning",
    "exchanges": "Deal and exchanges",
    "money": "Below zero",
    "table": "Before the first deal",
}

PRESET_NAMES: Translated[str, str] = {
    "huvudregler": "Exchange stop 45, four of a kind zeroes, Chicago needed",
    "vanlig": "Exchange stop 46, four of a kind zeroes, royal flush wins",
    "pagat": "Exchange stop 46, no zeroing",
    "kortspelsregler": "Exchange stop 46, no zeroing, royal flush wins",
    "gamerules": "No exchange stop, no zeroing",
    "wikipedia": "2 exchanges, exchange stop 42, blind Chicago",
}
# The others go by their own names.
PRESET_SOURCES: Translated[str, str] = {
    "huvudregler": "Swedish main rules",
    "vanlig": "most descriptions",
}


def _high_points(rules: HouseRules) -> str:
    high = (Hand.FOUR_OF_A_KIND, Hand.STRAIGHT_FLUSH, Hand.ROYAL_FLUSH)
    return " · ".join(str(points_of(rules, hand)) for hand in high)


def preset_label(preset: str, language: Language) -> str:
    """The name of a published rule set: its values where the sets differ most."""
    return language.gettext(PRESET_NAMES[preset])


def preset_source(preset: str, language: Language) -> str:
    """The source of a published rule set."""
    source = PRESET_SOURCES.get(preset)
    return language.gettext(source) if source else preset.capitalize()


def rules_label(preset: str, rules: HouseRules, language: Language) -> str:
    """The name of rules: a published set, the one they started from first, or our own."""
    published = [each for each in (preset, *PRESETS) if PRESETS[each] == rules]
    return language.gettext(PRESET_NAMES[published[0]] if published else N_("Our own rules"))


# The question that sets the points of the high hands, those that win, and those that zero.
SCALE = "scale"
SCALE_WORDS = RuleWords(
    N_("Four of a kind, straight flush, royal"),
    values={**{number: _high_points(rules) for number, rules in SCALES.items()}, None: N_("other")},
)


def words_of(field: str) -> RuleWords:
    """The words of a house rule; of one that has none yet, its name in the code."""
    row = SCALE_WORDS if field == SCALE else WORDS.get(field)
    return row or RuleWords(_plain(field))


def group_title(group: str, language: Language) -> str:
    """A group of house rules, as a heading."""
    return language.gettext(GROUPS[group]) if group in GROUPS else _plain(group)


def label(field: str, language: Language) -> str:
    """The name of a house rule."""
    return language.gettext(words_of(field).label)


def in_usual_order(field: str, values: Iterable[object]) -> list[object]:
    """A rule's values in the order in which people think of them, those without words first."""
    order = list(words_of(field).values)
    return sorted(values, key=lambda value: order.index(value) if value in order else -1)


def value_words(field: str, value: object, language: Language) -> str:
    """A value of a house rule, or of a part of one, in a few words."""
    name, _, part = field.partition(".")
    row = words_of(name)
    if (not part or isinstance(value, str)) and (text := text_for(value, row.values)):
        return language.gettext(text)
    if isinstance(value, frozenset) and value and None in row.values:
        members = [value_words(field, member, language) for member in sorted(value)]
        return f"{language.gettext(row.some)} {language.listing(members)}"
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
            return ", ".join(_blind_words(value, language))
        case frozenset():
            ordered = [hand for hand in Hand if hand in value] or sorted(value)
            words = language.listing(_any_value(each, language) for each in ordered)
            return words or _any_value(None, language)
        case dict():
            return "; ".join(_moments_words(value, language)) or value_words(
                "scored_hands", "nobody", language
            )
        case str() if len(value) == len(SUIT_SIGNS) and set(value) == set(SUIT_SIGNS):
            return suit_signs(value)
        case _:
            return _plain(str(value))


def _blind_words(blind: BlindChicago, language: Language) -> Iterator[str]:
    yield f"+{language.number(blind.points)}/{MINUS}{language.number(blind.penalty)}"
    if blind.with_two is not None:
        yield language.gettext("with a two %(points)s", points=language.number(blind.with_two))
    if blind.minimum is not None:
        yield language.gettext("from %(points)s", points=language.number(blind.minimum))
    yield value_words("blind_chicago", blind.when, language)


def _moments_words(agreed: Mapping[ScoringMoment, Scorers], language: Language) -> Iterator[str]:
    """Whose hands score, and when: `all who are equal after the play`."""
    for who in get_args(Scorers):
        if who in agreed.values():
            words = value_words("scored_hands", who, language)
            yield f"{words} {list_moments(agreed, who, language)}"


def difference_text(field: str, base: HouseRules, rules: HouseRules, language: Language) -> str:
    """A rule's value beside that in other rules: of hands, only those that differ."""
    value, other = getattr(rules, field), getattr(base, field)
    if not OPTIONS[field].merges:
        return value_words(field, value, language)
    changes = [
        f"{hand_name(hand, language)} {value_words(field, value.get(hand), language)}"
        for hand in Hand
        if value.get(hand) != other.get(hand)
    ]
    return ", ".join(changes) or "–"


def differences(base: HouseRules, rules: HouseRules, language: Language) -> list[str]:
    """The differences of rules from others, rule by rule."""
    return [difference(field, base, rules, language) for field in changed_fields(base, rules)]


def difference(field: str, base: HouseRules, rules: HouseRules, language: Language) -> str:
    """A rule's name and its value, of hands only those that differ."""
    return f"{label(field, language)}: {difference_text(field, base, rules, language)}"


# Rules that are one number, in so few words that it can be said what they are now.
NUMBERS: Translated[str, str] = {
    "exchange_stop": "Exchange stop",
    "target": "The target",
    "last_trick": "The last trick",
    "chicago_points": "Points for a Chicago",
    "chicago_minimum": "Points needed to bid Chicago",
}
# A rule whose values say by themselves what it is about: `Fyrtal får nolla`.
SAYS_ALL = "zeroing"
# So many hands are below four of a kind.
HIGH = len(COMMON_HANDS)
MOST_TOLD = 3


def changed_rules(
    before: HouseRules, after: HouseRules, language: Language
) -> list[tuple[str, str, str]]:
    """The changed rules: the name of each where it needs one, its value now, and that before."""
    return [
        (
            ""
            if field == SAYS_ALL
            else language.gettext(NUMBERS.get(field, words_of(field).label)),
            difference_text(field, before, after, language),
            difference_text(field, after, before, language),
        )
        for field in changed_fields(before, after)
    ]


def rules_changed_text(before: HouseRules, after: HouseRules, language: Language) -> str:
    """A change of rules for all who play: `Köpstopp är nu 40`; empty where there is none."""
    return " · ".join(_tell(before, after, N_("%(rule)s is now %(value)s"), language))


def rules_text(before: HouseRules, after: HouseRules, language: Language) -> str:
    """A change of rules within a sentence: `köpstopp 40 · målet 42`."""
    told = _tell(before, after, "%(rule)s %(value)s", language)
    return " · ".join(t[0].lower() + t[1:] for t in told) or language.gettext("the same rules")


def rules_from_text(change: RuleChange, language: Language) -> str:
    """A change of rules and its deal: `Från giv 9: köpstopp 40`."""
    rules = rules_text(change.before, change.after, language)
    return language.gettext("From deal %(deal)s: %(rules)s", deal=change.deal, rules=rules)


def _tell(before: HouseRules, after: HouseRules, template: str, language: Language) -> list[str]:
    """The changed rules, three at most, those that are a number now by the template."""
    told, fields = list[str](), changed_fields(before, after)
    changed = zip(fields, changed_rules(before, after, language), strict=True)
    for field, (rule, value, _) in islice(changed, MOST_TOLD):
        is_number = field in NUMBERS and getattr(after, field) is not None
        text = language.gettext(template if is_number else "%(rule)s: %(value)s")
        told.append(text % {"rule": rule, "value": value} if rule else value[0].upper() + value[1:])
    return [*told, *(["…"] if fields[MOST_TOLD:] else [])]


def _plain(name: str) -> str:
    """A name from the code, as well as it can be said."""
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:] if name in OPTIONS else words


class HandPoints(msgspec.Struct, frozen=True):
    """A line of the points table: the hand, its points, and its other effects."""

    hand: str
    points: str
    also: str


def sections(rules: HouseRules, language: Language) -> list[tuple[str, list[str]]]:
    """The rules but for the points table: the title of each group and its sentences, deal first."""
    in_words = (
        (group_title(group, language), [rule_sentence(field, rules, language) for field in fields])
        for group, fields in groups(["exchanges", *GROUPS]).items()
    )
    return [(title, said) for title, sentences in in_words if (said := [*filter(None, sentences)])]


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
    # Points with their unit, and the suits as signs.
    points = {field: language.points(value)} if isinstance(value, int) else {}
    values = {**points, "suit_order": suit_signs(rules.suit_order)}
    return language.gettext(text) % values if text else ""


def consequence(name: str, rules: HouseRules, language: Language) -> str:
    """What a rule's answer, or that for one of its hands, comes to here, in half a sentence."""
    field, _, hand = name.partition(".")
    if hand:
        how = zeroing_of(rules, Hand(hand))
        return zeroing_text(rules, how, [Hand(hand)], language)
    if field == SCALE:
        return "; ".join(
            f"{line.hand} {line.points} {line.also}".rstrip()
            for line in points_table(rules, language)[::-1][HIGH:]
        )
    return rule_sentence(field, rules, language)


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
        return language.gettext("raises to %(target)s") % {"target": rules.target}
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


EXAMPLES: Mapping[Hand, str] = {
    Hand.PAIR: "9h 9s Kd 6c 2h",
    Hand.TWO_PAIRS: "Jh Jc 4s 4d 8h",
    Hand.THREE_OF_A_KIND: "7s 7h 7d Qc 3s",
    Hand.STRAIGHT: "5h 6c 7d 8s 9h",
    Hand.FLUSH: "2s 6s 9s Js Ks",
    Hand.FULL_HOUSE: "Qh Qd Qs 5c 5h",
    Hand.FOUR_OF_A_KIND: "8s 8h 8d 8c Ad",
    Hand.STRAIGHT_FLUSH: "4c 5c 6c 7c 8c",
    Hand.ROYAL_FLUSH: "10s Js Qs Ks As",
    Hand.ROYAL_FLUSH_HEARTS: "10h Jh Qh Kh Ah",
}


class Chapter(msgspec.Struct, frozen=True):
    """A chapter: the rules of every table, then these house rules.

    It is left out under rules where it never `applies`.
    """

    title: str
    text: str
    fields: tuple[str, ...]
    applies: Callable[[HouseRules], bool] | None = None


CHAPTERS = (
    Chapter(
        N_("What it is about"),
        N_(
            "Chicago is poker without betting, followed by five tricks. All you need is a pack of"
            " 52 cards. Good hands give points, and so can the tricks; they are added up from"
            " deal to deal."
        ),
        ("target",),
    ),
    Chapter(
        N_("Deal and exchanges"),
        N_(
            "The dealer gives everybody five cards; the deal passes on clockwise. Starting on the"
            " dealer’s left, each player may discard cards and take as many new ones."
        ),
        ("exchanges", "max_exchange", "open_card", "redeal_low_hand"),
    ),
    Chapter(
        N_("Best hand"),
        N_(
            "Then each player in turn says what they hold, or passes if somebody has announced"
            " something better. Nobody shows their cards yet."
        ),
        ("scored_hands", "ties", "false_claim_loses"),
        lambda rules: rules.scored_hands is None or bool(rules.scored_hands),
    ),
    Chapter(
        N_("The play"),
        N_(
            "After the last exchange the five cards are played, one at a time; the player on the"
            " dealer’s left leads first. All must follow suit if they can. The highest card of"
            " the suit that was led takes the trick, and whoever takes it leads to the next."
            " There are no trumps. Keep your cards in front of you: they are still your hand."
        ),
        ("last_trick", "last_trick_with_two"),
    ),
    Chapter(
        N_("Chicago"),
        N_(
            "Whoever has strong cards can bid Chicago. They are then the declarer, who has to"
            " take all five tricks, alone against the others. If anybody else takes one, the"
            " Chicago is broken."
        ),
        (
            *("chicago_when", "chicago_minimum", "chicago_maximum", "chicago_lead"),
            *("chicago_points", "chicago_with_two", "chicago_wins"),
            "chicago_needs_best_hand",
            *("chicago_penalty", "negative_scores", "chicago_last_trick", "chicago_hand"),
            *("chicago_breaker_bonus", "chicago_once", "lost_chicago_takes_won", "blind_chicago"),
        ),
    ),
    Chapter(
        N_("Exchange stop"),
        "",
        ("exchange_stop", "exchange_stop_when", "exchange_stop_style"),
        lambda rules: rules.exchange_stop is not None,
    ),
    Chapter(
        N_("Zeroing"),
        N_("One hand can change everything: to zero somebody is to set their score to 0."),
        ("zeroing", "zeroing_victims", "after_zeroing", "four_of_a_kind_ends_deal"),
        lambda rules: bool(hands_that_zero(rules)),
    ),
    Chapter(
        N_("Winning"),
        "",
        (
            *("win_needs_chicago", "win_needs_chicago_players", "win_needs_chicago_unmet"),
            *("finish", "win_when", "tied_winners"),
        ),
    ),
    Chapter(
        N_("What is paid"),
        N_("Each loser pays the difference to the winner’s score."),
        ("negative_pays_double",),
    ),
)


def how_to_play(rules: HouseRules, language: Language) -> list[tuple[str, str]]:
    """The chapters for a table's rules: title and text."""
    chapters = []
    for chapter in CHAPTERS:
        if chapter.applies is None or chapter.applies(rules):
            sentences = [language.gettext(chapter.text) if chapter.text else ""]
            sentences += [rule_sentence(field, rules, language) for field in chapter.fields]
            chapters.append((language.gettext(chapter.title), " ".join(filter(None, sentences))))
    return chapters


def example_hands(
    rules: HouseRules, language: Language
) -> list[tuple[HandPoints, tuple[Card, ...]]]:
    """Every hand that a table tells apart with five cards that make it, the best first."""
    examples = [parse_cards(EXAMPLES[hand]) for hand in reversed(listed_hands(rules))]
    return list(zip(points_table(rules, language), examples, strict=True))
