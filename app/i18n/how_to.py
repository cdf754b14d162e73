"""How to play Chicago, in two minutes: our own words, and the table's rules in theirs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import msgspec

from app.i18n.house_rules import HandPoints, points_table, rule_sentence
from app.i18n.language import N_, Language
from app.rules.cards import Card, parse_cards
from app.rules.hands import Hand
from app.rules.house import HouseRules, hands_that_zero, listed_hands
from app.rules.state import steps_before_play

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
            "Chicago is poker without betting, and then five tricks. A pack of 52 cards is all it"
            " takes. Good hands give points, and so can the tricks; they are added up from deal to"
            " deal."
        ),
        ("target",),
    ),
    Chapter(
        N_("Deal and exchanges"),
        N_(
            "The dealer gives everybody five cards; the next deal is the neighbour’s, clockwise."
            " From the dealer’s left each may throw cards away and take as many new ones."
        ),
        ("exchanges", "max_exchange", "open_card", "redeal_low_hand"),
    ),
    Chapter(
        N_("Best hand"),
        N_(
            "Then each says in turn what they hold, or passes if somebody has said more. Nobody"
            " shows their cards yet."
        ),
        ("scored_exchanges", "ties", "false_claim_loses"),
        lambda rules: bool(steps_before_play(rules)),
    ),
    Chapter(
        N_("The play"),
        N_(
            "After the last exchange the five cards are played, one at a time; left of the dealer"
            " leads first. All must follow the suit that is led if they can. The highest card of"
            " that suit takes the trick, and whoever took it leads to the next. There are no"
            " trumps. Keep your cards in front of you: they are still your hand."
        ),
        ("last_trick", "last_trick_with_two", "hand_after_play"),
    ),
    Chapter(
        N_("Chicago"),
        N_(
            "Whoever has strong cards can bid Chicago and is then the declarer, who has to"
            " take all five tricks, alone against the others. If anybody else takes one, the"
            " Chicago is broken."
        ),
        (
            *("chicago_when", "chicago_minimum", "chicago_maximum", "chicago_lead"),
            *("chicago_points", "chicago_with_two"),
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
    return [
        (language.gettext(chapter.title), " ".join(_sentences(chapter, rules, language)))
        for chapter in CHAPTERS
        if chapter.applies is None or chapter.applies(rules)
    ]


def _sentences(chapter: Chapter, rules: HouseRules, language: Language) -> Iterator[str]:
    if chapter.text:
        yield language.gettext(chapter.text)
    yield from filter(None, (rule_sentence(field, rules, language) for field in chapter.fields))


def example_hands(
    rules: HouseRules, language: Language
) -> list[tuple[HandPoints, tuple[Card, ...]]]:
    """Every hand that a table tells apart with five cards that make it, the best first."""
    examples = [parse_cards(EXAMPLES[hand]) for hand in reversed(listed_hands(rules))]
    return list(zip(points_table(rules, language), examples, strict=True))
