"""What is said to a player on their own phone, in the second person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from app.i18n.game import hand_name
from app.i18n.language import N_, Language
from app.rules.codes import NoticeCode, VerdictCode
from app.rules.hands import Hand
from app.rules.rights import Verdict

# In large letters: what holds, beside what is said of everybody.
FactCode = Literal[NoticeCode, "bid_by"]


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
    "must_show": N_("You show your %(hands)s if you break it up"),
    "may_bid": N_("You may bid Chicago"),
    "points_to_bid": N_("%(missing)s short of bidding Chicago"),
    "bid_already": N_("You have bid Chicago already"),
    "bid_by": N_("%(by)s has bid Chicago"),
}
# In small letters below: why.
WHY: Mapping[VerdictCode, str] = {
    "exchange_stop": N_("You have %(score)s, exchange stop at %(limit)s"),
    "below_exchange_stop": N_("You have %(score)s, exchange stop at %(limit)s"),
    "exchange_stop_next_deal": N_("No exchange from the next deal"),
}


def fact_text(fact: Fact, language: Language) -> str:
    """What holds: `You may not exchange`."""
    return _fill_in(FACTS[fact.code], fact.values, language)


def why_text(fact: Fact, language: Language) -> str:
    """Why it does: `You have 47 points, exchange stop at 45`; empty where that says no more."""
    why = fact.why
    return _fill_in(WHY[why.code], why.values, language) if why and why.code in WHY else ""


def _fill_in(message: str, values: Mapping[str, object], language: Language) -> str:
    texts = {name: _value_text(name, value, language) for name, value in values.items()}
    return language.gettext(message) % texts


def _value_text(name: str, value: object, language: Language) -> str:
    if isinstance(value, tuple):
        return language.listing(hand_name(Hand(hand), language) for hand in value)
    if name == "score" and isinstance(value, int):
        return language.points(value)
    return str(value)
