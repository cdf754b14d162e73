"""House rules that do not go together: nothing is forbidden, but a table should know.

Each finding is a code with values, and names the rules it concerns; the words are put on at the
edge. No published rule set has any.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise

import msgspec

from app.rules.codes import ContradictionCode
from app.rules.hands import Hand
from app.rules.house import HouseRules, covers, four_ends_deal, listed_hands, points_of, zeroing_of


class Contradiction(msgspec.Struct, frozen=True):
    """A contradiction: the rules it concerns, and the numbers its sentence needs."""

    code: ContradictionCode
    fields: tuple[str, ...]
    values: Mapping[str, object] = {}


Findings = Iterator[Contradiction]


def contradictions(rules: HouseRules) -> list[Contradiction]:
    """Find the rules that never apply, or work against others."""
    return [finding for check in _CHECKS for finding in check(rules)]


def _exchanges(rules: HouseRules) -> Findings:
    beyond = sorted(n for n in rules.scored_exchanges or () if n > rules.exchanges)
    if beyond:
        values = {"numbers": tuple(beyond), "exchanges": rules.exchanges}
        yield Contradiction("scored_beyond", ("scored_exchanges", "exchanges"), values)
    if not _scoring_exchanges(rules) and not rules.hand_after_play:
        yield Contradiction("no_hand_scores", ("scored_exchanges", "hand_after_play"))


def _scoring_exchanges(rules: HouseRules) -> set[int]:
    """After which exchanges a hand really scores."""
    if rules.scored_exchanges is None:
        return set(range(1, rules.exchanges))
    return {n for n in rules.scored_exchanges if n <= rules.exchanges}


def _stop(rules: HouseRules) -> Findings:
    if rules.exchange_stop is None:
        usual = {"exchange_stop_when": "deal_end", "exchange_stop_style": "no_exchange"}
        unused = _unusual_fields(rules, usual | {"illegal_exchange": "refused"})
        if unused:
            yield Contradiction("no_stop", ("exchange_stop", *unused))
    elif rules.exchange_stop >= rules.target:
        values = {"limit": rules.exchange_stop, "target": rules.target}
        yield Contradiction("stop_above_target", ("exchange_stop", "target"), values)


def _hands(rules: HouseRules) -> Findings:
    hands = listed_hands(rules)
    plain = [hand for hand in hands if not _decides(rules, hand)]
    for lower, higher in pairwise(plain):
        if points_of(rules, higher) < points_of(rules, lower):
            values = {"hand": higher, "other": lower, "points": points_of(rules, higher)}
            yield Contradiction("points_fall", ("hand_points",), values)
    for hand in hands:
        if _falls_short(rules, hand):
            values = {"hand": hand, "points": points_of(rules, hand), "target": rules.target}
            yield Contradiction(
                "winning_hand_falls_short", ("winning_hands", "hand_points", "target"), values
            )
    if rules.flush_suits and rules.ties == "same_type":
        yield Contradiction("same_type_before_suits", ("flush_suits", "ties"))


def _decides(rules: HouseRules, hand: Hand) -> bool:
    """Whether holding this hand matters for more than its points."""
    special = covers(rules.winning_hands, hand) or covers(rules.raising_hands, hand)
    return special or zeroing_of(rules, hand) is not None


def _falls_short(rules: HouseRules, hand: Hand) -> bool:
    """Whether a winning hand does not win for a holder at 0."""
    wins, raises = covers(rules.winning_hands, hand), covers(rules.raising_hands, hand)
    return wins and not raises and points_of(rules, hand) < rules.target


def _zeroing(rules: HouseRules) -> Findings:
    usual = {
        "zeroing_victims": "others",
        "after_zeroing": "deal_ends",
        "zeroing_after_scoring": True,
        "zeroing_and_chicago": "zeroing_first",
        "zeroing_takes_chicagos": False,
    }
    zeroing = [hand for hand in listed_hands(rules) if zeroing_of(rules, hand)]
    unused = _unusual_fields(rules, usual)
    if not zeroing and unused:
        yield Contradiction("nobody_zeroes", ("zeroing", *unused))
    if zeroing:
        yield from _zeroing_that_never_waits(rules, zeroing)
        yield from _zeroing_after_scoring(rules)
        yield from _zeroing_of_chicagos(rules)


def _zeroing_that_never_waits(rules: HouseRules, zeroing: list[Hand]) -> Findings:
    """`zeroing_and_chicago` asks for a zeroing by choice after which the deal goes on."""
    if rules.zeroing_and_chicago == "zeroing_first":
        return
    if rules.after_zeroing == "deal_ends":
        yield Contradiction("deal_ends_first", ("zeroing_and_chicago", "after_zeroing"))
    elif not any(
        zeroing_of(rules, hand) == "choice" and not four_ends_deal(rules, hand) for hand in zeroing
    ):
        yield Contradiction(
            "no_zeroing_waits", ("zeroing_and_chicago", "zeroing", "four_of_a_kind_ends_deal")
        )


def _zeroing_after_scoring(rules: HouseRules) -> Findings:
    """`zeroing_after_scoring` asks for a four of a kind that may score first and zero later."""
    if rules.zeroing_after_scoring:
        return
    if zeroing_of(rules, Hand.FOUR_OF_A_KIND) != "choice":
        yield Contradiction("four_has_no_choice", ("zeroing_after_scoring", "zeroing"))
    elif rules.four_of_a_kind_ends_deal:
        fields = ("zeroing_after_scoring", "four_of_a_kind_ends_deal")
        yield Contradiction("four_ends_deal_first", fields)


def _zeroing_of_chicagos(rules: HouseRules) -> Findings:
    """`zeroing_takes_chicagos` asks for a rule by which it matters to have said or made one."""
    matters = rules.chicago_once or rules.win_needs_chicago != "no"
    if rules.zeroing_takes_chicagos and not matters:
        yield Contradiction(
            "chicagos_only_counted", ("zeroing_takes_chicagos", "win_needs_chicago", "chicago_once")
        )


def _two(rules: HouseRules) -> Findings:
    """A two never makes a trick or a Chicago worth less than without."""
    blind = rules.blind_chicago
    pairs = [
        ("last_trick_with_two", rules.last_trick_with_two, "last_trick", rules.last_trick),
        ("chicago_with_two", rules.chicago_with_two, "chicago_points", rules.chicago_points),
    ]
    if blind is not None:
        pairs.append(("blind_chicago", blind.with_two, "blind_chicago", blind.points))
    for field, points, other, plain in pairs:
        if points is not None and points < plain:
            values = {"points": points, "plain": plain}
            yield Contradiction("two_worth_less", tuple(dict.fromkeys((field, other))), values)


def _chicago(rules: HouseRules) -> Findings:
    minimum, penalty = rules.chicago_minimum, rules.chicago_penalty
    if minimum is not None and minimum >= rules.target:
        values = {"minimum": minimum, "target": rules.target}
        yield Contradiction("minimum_above_target", ("chicago_minimum", "target"), values)
    lowest, maximum = minimum or 0, rules.chicago_maximum
    if maximum is not None and maximum <= lowest and (minimum or not rules.negative_scores):
        both = ("chicago_maximum", "chicago_minimum")
        yield Contradiction("nobody_may_bid", both, {"maximum": maximum})
    if not rules.negative_scores and (minimum or 0) < penalty:
        fields = ("chicago_minimum", "negative_scores", "chicago_penalty")
        yield Contradiction("penalty_cut_short", fields, {"points": penalty})
    yield from _blind_chicago(rules)


def _blind_chicago(rules: HouseRules) -> Findings:
    blind = rules.blind_chicago
    if blind is None:
        return
    if blind.minimum is not None and blind.minimum >= rules.target:
        values = {"minimum": blind.minimum, "target": rules.target}
        yield Contradiction("minimum_above_target", ("blind_chicago", "target"), values)
    if not rules.negative_scores and (blind.minimum or 0) < blind.penalty:
        fields = ("blind_chicago", "negative_scores")
        yield Contradiction("penalty_cut_short", fields, {"points": blind.penalty})


def _requirement(rules: HouseRules) -> Findings:
    needed = "win_needs_chicago"
    if rules.lost_chicago_takes_won and rules.win_needs_chicago != "won":
        yield Contradiction("made_only_counted", ("lost_chicago_takes_won", needed))
    if rules.chicago_once and rules.win_needs_chicago == "won":
        yield Contradiction("once_and_won", ("chicago_once", needed))
    if rules.win_needs_chicago == "no":
        usual = {"win_needs_chicago_players": None, "win_needs_chicago_unmet": "zeroed"}
        unused = _unusual_fields(rules, usual)
        if unused:
            yield Contradiction("no_requirement", (needed, *unused))
    elif rules.win_needs_chicago_players == frozenset():
        yield Contradiction("requirement_of_nobody", (needed, "win_needs_chicago_players"))


def _ending(rules: HouseRules) -> Findings:
    if rules.win_when == "at_once" and rules.finish != "at_target":
        yield Contradiction("at_once_and_trick", ("win_when", "finish"))
    elif rules.win_when == "at_once" and not _scoring_exchanges(rules):
        yield Contradiction("nothing_before_play", ("win_when", "scored_exchanges", "exchanges"))
    if rules.negative_pays_double and not rules.negative_scores:
        yield Contradiction("nobody_below_zero", ("negative_pays_double", "negative_scores"))


def _unusual_fields(rules: HouseRules, usual: Mapping[str, object]) -> tuple[str, ...]:
    """The rules among these that are not as usual."""
    return tuple(field for field, value in usual.items() if getattr(rules, field) != value)


_CHECKS: tuple[Callable[[HouseRules], Findings], ...] = (
    _exchanges,
    _stop,
    _hands,
    _zeroing,
    _two,
    _chicago,
    _requirement,
    _ending,
)
