"""Totals: what the games of one person come to over a time, and the best of each kind in it.

Those of one time and of the next make those of both, so that what is kept of each month tells of
every year. A streak may begin in one and end in the other; an evening lies in one of them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import groupby
from operator import attrgetter
from typing import get_args

import msgspec

from app.rules.codes import BestCode
from app.rules.hands import Hand
from app.rules.statistics import SeatStatistics

Figure = Callable[[SeatStatistics], int]

# The best first.
_RANKS = {hand: rank for rank, hand in reversed([*enumerate(Hand, start=1)])}
# What is best in a game, and over an evening; the picture tells of the same figures.
OF_GAME: Mapping[BestCode, Figure] = {
    "highest_win": attrgetter("ore"),
    "highest_score": attrgetter("score"),
    "biggest_swing": attrgetter("biggest_swing"),
    "longest_stop": attrgetter("longest_stop"),
    "finest_hand": lambda seat: next((_RANKS[hand] for hand in _RANKS if seat.hands[hand]), 0),
}
OF_EVENING: Mapping[BestCode, Figure] = {
    "win_of_evening": attrgetter("ore"),
    "zeroings_of_evening": attrgetter("zeroings_given"),
    "chicagos_of_evening": attrgetter("chicagos_made"),
}
# Less is no record of a table: anybody zeroes once, and has a full house.
_LEAST: Mapping[BestCode, int] = {
    "wins_in_a_row": 2,
    "zeroings_of_evening": 2,
    "chicagos_of_evening": 2,
    "finest_hand": _RANKS[Hand.FOUR_OF_A_KIND],
}


class DatedGame(msgspec.Struct, frozen=True):
    """A game of a table with its statistics by person; `evening` as `2026-10-17`."""

    number: int
    evening: str
    is_staked: bool
    target: int
    seats: Sequence[SeatStatistics]


class Best(msgspec.Struct, frozen=True, array_like=True):
    """The most of something, and when it was first reached: in a `game`, or 0 for all evening.

    The value counts öre, points, deals, wins or times; of `finest_hand` it is the hand's rank from
    1, of `quickest_win` the deals, negative, as fewer are better.
    """

    value: int
    evening: str = ""
    game: int = 0


class Streaks(msgspec.Struct, frozen=True):
    """Games won in a row: the first ones of a time, the most, and the `closing` last ones."""

    games: int
    opening: Best
    longest: Best
    closing: int


class Totals(msgspec.Struct, frozen=True):
    """One person's totals; `staked` games were for money, in so many `evenings`.

    `ore` won or lost, `score` in points over all games; `hands` and `bests` hold what came up.
    """

    games: int
    staked: int
    evenings: int
    won: int
    ore: int
    score: int
    hands: Mapping[Hand, int]
    chicagos_said: int
    chicagos_made: int
    zeroings_given: int
    zeroings_suffered: int
    last_tricks: int
    streaks: Streaks
    bests: Mapping[BestCode, Best]


class TableRecord(msgspec.Struct, frozen=True):
    """The best at a table, and who did it: the first, then those who did as well later."""

    code: BestCode
    best: Best
    holders: tuple[str, ...]


_SUMS = (
    *("chicagos_said", "chicagos_made", "zeroings_given", "zeroings_suffered", "last_tricks"),
    *("won", "ore", "score"),
)
_ADDED = ("games", "staked", "evenings", *_SUMS)

# A game that a person sat in, and what they did there.
_Played = tuple[DatedGame, SeatStatistics]


def total_games(games: Sequence[DatedGame]) -> dict[str, Totals]:
    """Everybody's totals over games in the order in which they were played, whole evenings."""
    played: defaultdict[str, list[_Played]] = defaultdict(list)
    for game in games:
        for seat in game.seats:
            played[seat.name].append((game, seat))
    return {name: _total(theirs) for name, theirs in played.items()}


def _total(played: Sequence[_Played]) -> Totals:
    seats = [seat for _, seat in played]
    staked = [game.evening for game, _ in played if game.is_staked]
    hands = {hand: sum(seat.hands[hand] for seat in seats) for hand in Hand}
    return Totals(
        games=len(seats),
        staked=len(staked),
        evenings=len({*staked}),
        hands={hand: times for hand, times in hands.items() if times},
        streaks=reduce(_join, [_streaks_of(*each) for each in played]),
        bests=dict(_find_bests(played)),
        **{name: sum(getattr(seat, name) for seat in seats) for name in _SUMS},
    )


def _streaks_of(game: DatedGame, seat: SeatStatistics) -> Streaks:
    best = Best(int(seat.won), game.evening, game.number) if seat.won else Best(0)
    return Streaks(1, best, best, best.value)


def _join(one: Streaks, other: Streaks) -> Streaks:
    """The streaks of a time and of the one after it."""
    across = one.longest
    if other.opening.value:
        across = msgspec.structs.replace(other.opening, value=one.closing + other.opening.value)
    return Streaks(
        games=one.games + other.games,
        opening=across if one.closing == one.games else one.opening,
        longest=_first_most([one.longest, across, other.longest]),
        closing=other.closing + (one.closing if other.closing == other.games else 0),
    )


def _first_most(bests: Sequence[Best]) -> Best:
    """The largest; of equal ones the first."""
    return max(bests, key=attrgetter("value"))


def _find_bests(played: Sequence[_Played]) -> Iterator[tuple[BestCode, Best]]:
    """What was best, of all that came up."""
    figures = {code: [figure(seat) for _, seat in played] for code, figure in OF_GAME.items()}
    for code, values in figures.items():
        if (most := max(values)) > 0:
            game, _ = played[values.index(most)]
            yield code, Best(most, game.evening, game.number)
    wins = [
        Best(-max(each.deals for each in game.seats), game.evening, game.number)
        for game, seat in played
        if seat.won and seat.score >= game.target
    ]
    if wins:
        yield "quickest_win", _first_most(wins)
    evenings = [(day, [*group]) for day, group in groupby(played, lambda each: each[0].evening)]
    for code, figure in OF_EVENING.items():
        best = _first_most([Best(sum(figure(s) for _, s in each), day) for day, each in evenings])
        if best.value > 0:
            yield code, best


def add_up(parts: Sequence[Totals]) -> Totals:
    """The totals of one person over times that follow each other, one at least."""
    hands: Counter[Hand] = Counter()
    bests: defaultdict[BestCode, list[Best]] = defaultdict(list)
    for part in parts:
        hands.update(part.hands)
        for code, best in part.bests.items():
            bests[code].append(best)
    return Totals(
        hands={hand: hands[hand] for hand in Hand if hands[hand]},
        streaks=reduce(_join, [part.streaks for part in parts]),
        bests={code: _first_most(each) for code, each in bests.items()},
        **{name: sum(getattr(part, name) for part in parts) for name in _ADDED},
    )


def find_table_records(totals: Mapping[str, Totals]) -> list[TableRecord]:
    """What was best at a table, by everybody's totals over the same time."""
    bests = {
        name: {**each.bests, "wins_in_a_row": each.streaks.longest} for name, each in totals.items()
    }
    codes: tuple[BestCode, ...] = get_args(BestCode)
    found = [
        _find_record(code, {n: b[code] for n, b in bests.items() if code in b}) for code in codes
    ]
    return [record for record in found if record is not None]


def _find_record(code: BestCode, bests: Mapping[str, Best]) -> TableRecord | None:
    most = max((best.value for best in bests.values()), default=0)
    if not most or most < _LEAST.get(code, most):
        return None
    names = [name for name, best in bests.items() if best.value == most]
    names.sort(key=lambda name: (bests[name].evening, bests[name].game, name))
    return TableRecord(code, bests[names[0]], tuple(names))
