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
    "bid_already": N_("has bid before"),
    "requirement_met": N_("has bid Chicago"),
    "requirement_made": N_("has made a Chicago"),
    "exchanges": N_("ex\N{SOFT HYPHEN}changes"),
    "stopped": N_("stopped"),
    "six_cards": N_("6 cards"),
}


def notice_text(notice: Notice, language: Language) -> str:
    """A notice in words: `may bid`, `3 short of a Chicago`."""
    return language.gettext(NOTICES[notice.code]) % {
        name: _value_text(value, language) for name, value in notice.values.items()
    }


def _value_text(value: object, language: Language) -> str:
    if isinstance(value, tuple):
        return language.listing(hand_name(Hand(hand), language) for hand in value)
    return str(value)
