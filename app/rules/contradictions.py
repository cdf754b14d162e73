"""House rules that do not go together: nothing is forbidden, but a table should know.

Each finding is a code with values, and names the rules it concerns; the words are put on at the
edge. No published rule set has any.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import get_args

import msgspec

from app.rules.codes import ContradictionCode
from app.rules.hands import Hand
from app.rules.house import (
    HouseRules,
    covers,
    four_ends_deal,
    hands_that_win,
    hands_that_zero,
    is_special,
    listed_hands,
    points_of,
    zeroing_of,
)
from app.rules.state import steps_before_play

Holds = Callable[[HouseRules], bool]


class Contradiction(msgspec.Struct, frozen=True):
    """A contradiction: the rules it concerns, and the numbers its sentence needs."""

    code: ContradictionCode
    fields: tuple[str, ...]
    values: Mapping[str, object] = {}


Findings = Iterator[Contradiction]


def contradictions(rules: HouseRules) -> list[Contradiction]:
    """Find the rules that never apply, or work against others, in the order of their codes."""
    found = [
        *(Contradiction(code, fields) for code, fields, holds in _PLAIN if holds(rules)),
        *_find_unused(rules),
        *_compare_exchanges(rules),
        *_compare_hands(rules),
        *_compare_twos(rules),
        *_compare_bids(rules),
    ]
    return sorted(found, key=lambda finding: _ORDER.index(finding.code))


_ORDER: tuple[ContradictionCode, ...] = get_args(ContradictionCode)


def _waits(rules: HouseRules, hand: Hand) -> bool:
    """Whether a zeroing with this hand may wait for a Chicago: by choice, if the deal goes on."""
    return zeroing_of(rules, hand) == "choice" and not four_ends_deal(rules, hand)


def _asks_to_wait(rules: HouseRules) -> bool:
    return bool(hands_that_zero(rules)) and rules.zeroing_and_chicago != "zeroing_first"


def _bars_scorer(rules: HouseRules) -> bool:
    return bool(hands_that_zero(rules)) and not rules.zeroing_after_scoring


def _may_choose_four(rules: HouseRules) -> bool:
    return zeroing_of(rules, Hand.FOUR_OF_A_KIND) == "choice"


_PLAIN: tuple[tuple[ContradictionCode, tuple[str, ...], Holds], ...] = (
    (
        "no_hand_scores",
        ("scored_exchanges", "hand_after_play"),
        lambda rules: not (steps_before_play(rules) or rules.hand_after_play),
    ),
    (
        "same_type_before_suits",
        ("flush_suits", "ties"),
        lambda rules: rules.flush_suits and rules.ties == "same_type",
    ),
    (
        "deal_ends_first",
        ("zeroing_and_chicago", "after_zeroing"),
        lambda rules: _asks_to_wait(rules) and rules.after_zeroing == "deal_ends",
    ),
    (
        "no_zeroing_waits",
        ("zeroing_and_chicago", "zeroing", "four_of_a_kind_ends_deal"),
        lambda rules: (
            _asks_to_wait(rules)
            and rules.after_zeroing == "deal_goes_on"
            and not any(_waits(rules, hand) for hand in listed_hands(rules))
        ),
    ),
    (
        "four_has_no_choice",
        ("zeroing_after_scoring", "zeroing"),
        lambda rules: _bars_scorer(rules) and not _may_choose_four(rules),
    ),
    (
        "four_ends_deal_first",
        ("zeroing_after_scoring", "four_of_a_kind_ends_deal"),
        lambda rules: (
            _bars_scorer(rules) and _may_choose_four(rules) and rules.four_of_a_kind_ends_deal
        ),
    ),
    (
        "chicagos_only_counted",
        ("zeroing_takes_chicagos", "win_needs_chicago", "chicago_once"),
        lambda rules: (
            bool(hands_that_zero(rules))
            and rules.zeroing_takes_chicagos
            and not rules.chicago_once
            and rules.win_needs_chicago == "no"
        ),
    ),
    (
        "made_only_counted",
        ("lost_chicago_takes_won", "win_needs_chicago"),
        lambda rules: rules.lost_chicago_takes_won and rules.win_needs_chicago != "won",
    ),
    (
        "once_and_won",
        ("chicago_once", "win_needs_chicago"),
        lambda rules: rules.chicago_once and rules.win_needs_chicago == "won",
    ),
    (
        "requirement_of_nobody",
        ("win_needs_chicago", "win_needs_chicago_players"),
        lambda rules: (
            rules.win_needs_chicago != "no" and rules.win_needs_chicago_players == frozenset()
        ),
    ),
    (
        "at_once_and_trick",
        ("win_when", "finish"),
        lambda rules: rules.win_when == "at_once" and rules.finish != "at_target",
    ),
    (
        "nothing_before_play",
        ("win_when", "scored_exchanges", "exchanges"),
        lambda rules: (
            rules.win_when == "at_once"
            and rules.finish == "at_target"
            and not steps_before_play(rules)
        ),
    ),
    (
        "nobody_below_zero",
        ("negative_pays_double", "negative_scores"),
        lambda rules: rules.negative_pays_double and not rules.negative_scores,
    ),
)

# Rules that do nothing unless another one is played, with the values at which nobody minds.
_UNUSED: tuple[tuple[ContradictionCode, str, Holds, Mapping[str, object]], ...] = (
    (
        "no_stop",
        "exchange_stop",
        lambda rules: rules.exchange_stop is None,
        {
            "exchange_stop_when": "deal_end",
            "exchange_stop_style": "no_exchange",
            "illegal_exchange": "refused",
        },
    ),
    (
        "nobody_zeroes",
        "zeroing",
        lambda rules: not hands_that_zero(rules),
        {
            "zeroing_victims": "others",
            "after_zeroing": "deal_ends",
            "zeroing_after_scoring": True,
            "zeroing_and_chicago": "zeroing_first",
            "zeroing_takes_chicagos": False,
        },
    ),
    (
        "no_requirement",
        "win_needs_chicago",
        lambda rules: rules.win_needs_chicago == "no",
        {"win_needs_chicago_players": None, "win_needs_chicago_unmet": "zeroed"},
    ),
)


def _find_unused(rules: HouseRules) -> Findings:
    for code, needed, lacks, usual in _UNUSED:
        unused = [field for field, value in usual.items() if getattr(rules, field) != value]
        if lacks(rules) and unused:
            yield Contradiction(code, (needed, *unused))


def _compare_exchanges(rules: HouseRules) -> Findings:
    beyond = sorted(n for n in rules.scored_exchanges or () if n > rules.exchanges)
    if beyond:
        values: dict[str, object] = {"numbers": tuple(beyond), "exchanges": rules.exchanges}
        yield Contradiction("scored_beyond", ("scored_exchanges", "exchanges"), values)
    if rules.exchange_stop is not None and rules.exchange_stop >= rules.target:
        values = {"limit": rules.exchange_stop, "target": rules.target}
        yield Contradiction("stop_above_target", ("exchange_stop", "target"), values)


def _compare_hands(rules: HouseRules) -> Findings:
    plain = [hand for hand in listed_hands(rules) if not is_special(rules, hand)]
    for lower, higher in pairwise(plain):
        if points_of(rules, higher) < points_of(rules, lower):
            values = {"hand": higher, "other": lower, "points": points_of(rules, higher)}
            yield Contradiction("points_fall", ("hand_points",), values)
    for hand in hands_that_win(rules):
        points = points_of(rules, hand)
        if points < rules.target and not covers(rules.raising_hands, hand):
            fields = ("winning_hands", "hand_points", "target")
            values = {"hand": hand, "points": points, "target": rules.target}
            yield Contradiction("winning_hand_falls_short", fields, values)


def _compare_twos(rules: HouseRules) -> Findings:
    """A two never makes a trick or a Chicago give less than without."""
    blind = rules.blind_chicago
    pairs = [
        (("last_trick_with_two", "last_trick"), rules.last_trick_with_two, rules.last_trick),
        (("chicago_with_two", "chicago_points"), rules.chicago_with_two, rules.chicago_points),
        (("blind_chicago",), blind.with_two if blind else None, blind.points if blind else 0),
    ]
    for fields, points, plain in pairs:
        if points is not None and points < plain:
            values = {"points": points, "plain": plain}
            yield Contradiction("two_worth_less", fields, values)


def _compare_bids(rules: HouseRules) -> Findings:
    minimum, maximum, blind = rules.chicago_minimum, rules.chicago_maximum, rules.blind_chicago
    if maximum is not None and maximum <= (minimum or 0) and (minimum or not rules.negative_scores):
        both = ("chicago_maximum", "chicago_minimum")
        yield Contradiction("nobody_may_bid", both, {"maximum": maximum})
    own = ("chicago_minimum", "negative_scores", "chicago_penalty")
    yield from _compare_bid(rules, own, minimum, rules.chicago_penalty)
    if blind is not None:
        fields = ("blind_chicago", "negative_scores")
        yield from _compare_bid(rules, fields, blind.minimum, blind.penalty)


def _compare_bid(
    rules: HouseRules, fields: tuple[str, ...], minimum: int | None, penalty: int
) -> Findings:
    if minimum is not None and minimum >= rules.target:
        values = {"minimum": minimum, "target": rules.target}
        yield Contradiction("minimum_above_target", (fields[0], "target"), values)
    if not rules.negative_scores and (minimum or 0) < penalty:
        yield Contradiction("penalty_cut_short", fields, {"points": penalty})
