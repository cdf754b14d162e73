"""What is said beside a player's score: a few words for each notice, to be read at a glance."""

from __future__ import annotations

from collections.abc import Mapping

from app.i18n.game import hand_name
from app.i18n.language import N_, Language
from app.rules.codes import NoticeCode
from app.rules.hands import Hand
from app.rules.notices import Notice

NOTICES: Mapping[NoticeCode, str] = {
    "out": N_("out"),
    "sits_out": N_("sits out"),
    "declarer": N_("plays Chicago"),
    "may_bid": N_("may bid"),
    "points_to_bid": N_("%(missing)s short of a bid"),
    "bid_already": N_("has bid before"),
    "bid_or_zeroed": N_("bid, or be zeroed"),
    "bid_before_target": N_("zeroed at %(target)s without a bid"),
    "make_or_zeroed": N_("make a Chicago, or be zeroed"),
    "make_before_target": N_("zeroed at %(target)s without a Chicago made"),
    "zeroed_after_deal": N_("zeroed after the deal"),
    "zeroed_at_target": N_("zeroed at %(target)s"),
    "chicago_needed": N_("wins only with a Chicago"),
    "requirement_met": N_("Chicago done"),
    "wins_with_trick": N_("the last trick wins"),
    "stopped": N_("exchange stop"),
    "stopped_next_deal": N_("stop next deal"),
    "must_show": N_("must show %(hands)s"),
}


def notice_text(notice: Notice, language: Language) -> str:
    """A notice in words: `may bid`, `3 short of a bid`."""
    return language.gettext(NOTICES[notice.code]) % {
        name: _value_text(value, language) for name, value in notice.values.items()
    }


def _value_text(value: object, language: Language) -> str:
    if isinstance(value, tuple):
        return language.listing(hand_name(Hand(hand), language) for hand in value)
    return str(value)
