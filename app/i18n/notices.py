"""Words beside a player's score: a few for each notice, fact and mark, to be read at a glance."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

import msgspec

from app.i18n.cards import hand_name
from app.i18n.errors import error_text
from app.i18n.game import effect_text
from app.i18n.language import N_, Language
from app.rules.codes import MarkCode, NoticeCode, VerdictCode
from app.rules.hands import Hand
from app.rules.notices import Notice
from app.rules.protocol import Mark
from app.rules.rights import Verdict
from app.rules.state import Effect

NOTICES: Mapping[NoticeCode, str] = {
    "out": N_("out"),
    "sits_out": N_("sits out"),
    "declarer": N_("plays Chicago"),
    "bid_or_zeroed": N_("bid, or be zeroed"),
    "make_or_zeroed": N_("make a Chicago, or be zeroed"),
    "zeroed_after_deal": N_("zeroed after the deal"),
    "zeroed_at_target": N_("zeroed at %(target)s"),
    "bid_before_target": N_("must bid Chicago before %(target)s"),
    "make_before_target": N_("must make a Chicago before %(target)s"),
    "wins_after_deal": N_("wins after the deal"),
    "wins_with_trick": N_("the last trick wins"),
    "can_win_now": N_("can win now"),
    "must_show": N_("shows %(hands)s before ex\N{SOFT HYPHEN}changing"),
    "may_bid": N_("may bid"),
    "chicago_needed": N_("wins only with a Chicago"),
    "stopped_next_deal": N_("no ex\N{SOFT HYPHEN}change from the next deal"),
    "points_to_bid": N_("%(missing)s short of a Chicago"),
    "too_high_to_bid": N_("too many points to bid"),
    "bid_already": N_("has bid before"),
    "requirement_met": N_("has bid Chicago"),
    "requirement_made": N_("has made a Chicago"),
    "exchanges": N_("ex\N{SOFT HYPHEN}changes"),
    "stopped": N_("stopped"),
    "six_cards": N_("6 cards"),
}


def notice_text(notice: Notice, language: Language) -> str:
    """A notice in words: `may bid`, `3 short of a Chicago`."""
    return _fill_in(NOTICES[notice.code], notice.values, language)


# Facts in large letters: the notices, who deals and begins, and who has bid.
FactCode = Literal[NoticeCode, "deals", "begins", "bid_by"]


class Fact(msgspec.Struct, frozen=True):
    """One thing to tell a player of themselves, with the values that its words need, and why."""

    code: FactCode
    values: Mapping[str, object] = {}
    why: Verdict | None = None


FACTS: Mapping[FactCode, str] = {
    "out": N_("You are out of the game"),
    "sits_out": N_("You sit out the tie-break"),
    "declarer": N_("You play Chicago"),
    "bid_or_zeroed": N_("Bid Chicago, or you are zeroed"),
    "bid_before_target": N_("You must bid Chicago before %(target)s"),
    "make_or_zeroed": N_("Make a Chicago, or you are zeroed"),
    "make_before_target": N_("You must make a Chicago before %(target)s"),
    "zeroed_after_deal": N_("You are zeroed after the deal: no Chicago"),
    "zeroed_at_target": N_("You are zeroed at %(target)s: no Chicago"),
    "chicago_needed": N_("You win only with a Chicago"),
    "requirement_met": N_("You have bid your Chicago"),
    "requirement_made": N_("You have made a Chicago"),
    "wins_after_deal": N_("You win after the deal"),
    "wins_with_trick": N_("The last trick wins for you"),
    "can_win_now": N_("You can win now"),
    "exchanges": N_("You may exchange"),
    "stopped": N_("You may not exchange"),
    "six_cards": N_("You have six cards"),
    "stopped_next_deal": N_("No exchange from the next deal"),
    "deals": N_("You deal"),
    "begins": N_("You begin"),
    "must_show": N_("You show your %(hands)s if you break it up"),
    "may_bid": N_("You may bid Chicago"),
    "points_to_bid": N_("%(missing)s short of bidding Chicago"),
    "too_high_to_bid": N_("You have too many points to bid Chicago"),
    "bid_already": N_("You have bid Chicago already"),
    "bid_by": N_("%(by)s has bid Chicago"),
}
# In small letters below: the reason.
WHY: Mapping[VerdictCode, str] = {
    "exchange_stop": N_("You have %(score)s, exchange stop at %(limit)s"),
    "below_exchange_stop": N_("You have %(score)s, exchange stop at %(limit)s"),
    "exchange_stop_next_deal": N_("No exchange from the next deal"),
}


def fact_text(fact: Fact, language: Language) -> str:
    """A fact in words: `You may not exchange`."""
    return _fill_in(FACTS[fact.code], fact.values, language)


def why_text(fact: Fact, language: Language) -> str:
    """The reason: `You have 47 points, exchange stop at 45`; empty where it adds nothing."""
    why = fact.why
    return _fill_in(WHY[why.code], why.values, language) if why and why.code in WHY else ""


def _fill_in(message: str, values: Mapping[str, object], language: Language) -> str:
    texts = {name: _fact_value(name, value, language) for name, value in values.items()}
    return language.gettext(message) % texts


def _fact_value(name: str, value: object, language: Language) -> str:
    if isinstance(value, tuple):
        return language.listing(hand_name(Hand(hand), language) for hand in value)
    if name == "score" and isinstance(value, int):
        return language.points(value)
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
