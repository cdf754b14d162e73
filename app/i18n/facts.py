"""Words of the facts about a player, in two persons, and of the marks of the score sheet."""

from collections.abc import Mapping
from typing import NamedTuple

from app.i18n.cards import hand_name
from app.i18n.errors import error_text
from app.i18n.game import effect_text
from app.i18n.language import N_, Language
from app.rules.codes import MarkCode
from app.rules.facts import Fact, FactCode
from app.rules.hands import Hand
from app.rules.protocol import Mark
from app.rules.state import Effect


class FactWords(NamedTuple):
    """A fact on a head, read at a glance, and told to the player, with the reason below it.

    On the head it is empty where a mark says it already; `narrow` is for a head of six beside it,
    `sheet` for the player's sheet, where there is room to say all of it.
    """

    head: str
    own: str
    why: str = ""
    narrow: str = ""
    sheet: str = ""


FACTS: Mapping[FactCode, FactWords] = {
    "out": FactWords(N_("out"), N_("You are out of the game")),
    "sits_out": FactWords(N_("sits out"), N_("You sit out the tie-break")),
    "declarer": FactWords(N_("plays Chicago"), N_("You play Chicago"), narrow=N_("plays")),
    "zeroing_waits": FactWords(
        N_("→ 0 soon"), N_("%(by)s is about to zero you"), N_("when the tricks have been played")
    ),
    "bid_or_zeroed": FactWords(
        N_("bid, or 0"),
        N_("Bid Chicago"),
        N_("or you are zeroed after the deal"),
        sheet=N_("is zeroed after the deal without a Chicago"),
    ),
    "make_or_zeroed": FactWords(
        N_("make it, or 0"),
        N_("Make a Chicago"),
        N_("or you are zeroed after the deal"),
        sheet=N_("is zeroed after the deal without a Chicago"),
    ),
    "zeroed_after_deal": FactWords(
        N_("→ 0 after the deal"),
        N_("You are zeroed after the deal"),
        N_("you have no Chicago"),
        sheet=N_("is zeroed after the deal without a Chicago"),
    ),
    "zeroed_at_target": FactWords(
        N_("%(target)s → 0"),
        N_("You are zeroed at %(target)s"),
        N_("you have no Chicago"),
        sheet=N_("is zeroed at %(target)s without a Chicago"),
    ),
    "bid_before_target": FactWords(
        N_("%(target)s → 0"),
        N_("Bid Chicago before %(target)s"),
        N_("or you are zeroed: %(missing)s to go"),
        sheet=N_("is zeroed at %(target)s without a Chicago"),
    ),
    "make_before_target": FactWords(
        N_("%(target)s → 0"),
        N_("Make a Chicago before %(target)s"),
        N_("or you are zeroed: %(missing)s to go"),
        sheet=N_("is zeroed at %(target)s without a Chicago"),
    ),
    "wins_after_deal": FactWords(N_("wins after the deal"), N_("You win after the deal")),
    "wins_with_trick": FactWords(N_("the last trick wins"), N_("The last trick wins for you")),
    "can_win_now": FactWords(N_("can win"), N_("You can win in this deal"), narrow=N_("win?")),
    "exchanges": FactWords(N_("exchanges"), N_("You may exchange"), narrow=N_("exch")),
    "exchanges_last": FactWords(
        N_("exchanges"),
        N_("You may exchange"),
        N_("for the last time in this deal: exchange stop at %(limit)s"),
        N_("exch"),
    ),
    "stopped": FactWords(
        N_("no exchange"),
        N_("You may not exchange"),
        N_("You have %(score)s, exchange stop at %(limit)s"),
        N_("stop"),
    ),
    "six_cards": FactWords(
        N_("6 cards"),
        N_("You have six cards"),
        N_("You have %(score)s, exchange stop at %(limit)s"),
        N_("six"),
    ),
    "deals": FactWords("", N_("You deal")),
    "begins": FactWords("", N_("You begin")),
    "must_show": FactWords(N_("shows %(hand)s"), "", narrow=N_("shows")),
    "may_bid": FactWords(N_("may bid"), N_("You may bid Chicago")),
    "chicago_needed": FactWords(N_("needs a Chicago"), N_("You win only with a Chicago")),
    "stopped_next_deal": FactWords(
        N_("stop: deal %(deal)s"),
        N_("No exchange from deal %(deal)s"),
        N_("You have %(score)s, exchange stop at %(limit)s"),
        sheet=N_("No exchange from deal %(deal)s"),
    ),
    "points_to_bid": FactWords(
        N_("%(missing)s more to bid"), N_("You need %(missing)s more to bid Chicago")
    ),
    "too_high_to_bid": FactWords(
        N_("too high to bid"), N_("You have too many points to bid Chicago")
    ),
    "bid_already": FactWords("", N_("You have bid Chicago already")),
    "bid_by": FactWords("", N_("%(by)s has bid Chicago")),
    "requirement_met": FactWords("", N_("You have bid your Chicago")),
    "requirement_made": FactWords(N_("has made Chicago"), N_("You have made a Chicago")),
}
# A hand to be shown, told to its holder (reading 16).
SHOW: Mapping[Hand, str] = {
    Hand.PAIR: N_("Show the pair if you break it up"),
    Hand.TWO_PAIRS: N_("Show the two pairs if you break them up"),
    Hand.THREE_OF_A_KIND: N_("Show the three of a kind if you break it up"),
    Hand.STRAIGHT: N_("Show the straight if you break it up"),
    Hand.FLUSH: N_("Show the flush if you break it up"),
    Hand.FULL_HOUSE: N_("Show the full house if you break it up"),
    Hand.FOUR_OF_A_KIND: N_("Show the four of a kind if you break it up"),
    Hand.STRAIGHT_FLUSH: N_("Show the straight flush if you break it up"),
    Hand.ROYAL_FLUSH: N_("Show the royal flush if you break it up"),
    Hand.ROYAL_FLUSH_HEARTS: N_("Show the royal flush if you break it up"),
}


def head_text(fact: Fact, narrow: bool = False, *, language: Language) -> str:
    """A fact on a head: `may bid`, `52 → 0`; empty where a mark says it already."""
    words = FACTS[fact.code]
    message = words.narrow if narrow else words.head
    values = {name: _value(value, language) for name, value in fact.values.items()}
    return language.gettext(message) % values if message else ""


def sheet_text(fact: Fact, language: Language) -> str:
    """A fact on the player's sheet: `is zeroed at 52 without a Chicago`."""
    message = FACTS[fact.code].sheet
    if not message:
        return head_text(fact, language=language)
    return language.gettext(message) % _own_values(fact, language)


def own_text(fact: Fact, language: Language) -> str:
    """A fact as its player is told: `You may not exchange`."""
    hand = fact.values.get("hand")
    message = SHOW[hand] if isinstance(hand, Hand) else FACTS[fact.code].own
    return language.gettext(message) % _own_values(fact, language)


def why_text(fact: Fact, language: Language) -> str:
    """The reason: `You have 47 points, exchange stop at 45`; empty where there is none to tell."""
    message = FACTS[fact.code].why
    return language.gettext(message) % _own_values(fact, language) if message else ""


def _own_values(fact: Fact, language: Language) -> dict[str, str]:
    """The values in words, where there is room for them: `6 points`."""
    return {
        name: language.points(value)
        if isinstance(value, int) and name in ("score", "missing")
        else _value(value, language)
        for name, value in fact.values.items()
    }


def _value(value: object, language: Language) -> str:
    if isinstance(value, Hand):
        return hand_name(value, language)
    return language.name(value) if isinstance(value, str) else str(value)


class MarkWords(NamedTuple):
    """A mark's sign, the same in every language, and its name as a message to translate.

    Signs that are alike are told apart by a line around them, or through them.
    """

    sign: str
    label: str


MARKS: Mapping[MarkCode, MarkWords] = {
    "stop_begins": MarkWords("■", N_("Exchange stop begins")),
    "stopped": MarkWords("□", N_("Exchange stop")),
    "zeroes": MarkWords("✗", N_("Zeroes others")),
    "zeroed": MarkWords("→0", N_("Zeroed")),
    "requirement_unmet": MarkWords("C?", N_("Target without Chicago")),
    "bid": MarkWords("C", N_("Chicago bid")),
    "chicago_won": MarkWords("C", N_("Chicago made")),
    "chicago_lost": MarkWords("C", N_("Chicago broken")),
    "blind_bid": MarkWords("B", N_("Blind Chicago bid")),
    "blind_won": MarkWords("B", N_("Blind Chicago made")),
    "blind_lost": MarkWords("B", N_("Blind Chicago broken")),
    "tie_break": MarkWords("=", N_("Tie-break")),
    "joins": MarkWords("↓", N_("Joins the game")),
    "out": MarkWords("↑", N_("Leaves the game")),
}


def mark_why_text(mark: Mark, language: Language) -> str:
    """Why a mark stands where it does, with the numbers."""
    if isinstance(mark.why, Effect):
        return effect_text(mark.why, language)
    return error_text(mark.why, language)
