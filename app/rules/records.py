"""Totals and records: a person's figures over a time, and the best among games at a table.

They are read off the statistics of the games, so that a record is never of other figures than those
of the years. Games come in the order in which they were played, and those without statistics, being
void or still played, are not among them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
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
# The figures compared over games, and over evenings.
_OF_GAME: Mapping[BestCode, Figure] = {
    "highest_win": attrgetter("ore"),
    "highest_score": attrgetter("score"),
    "biggest_swing": attrgetter("biggest_swing"),
    "longest_stop": attrgetter("longest_stop"),
    "finest_hand": lambda seat: next((_RANKS[hand] for hand in _RANKS if seat.hands[hand]), 0),
}
_OF_EVENING: Mapping[BestCode, Figure] = {
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
_SUMS = (
    *("chicagos_said", "chicagos_made", "zeroings_given", "zeroings_suffered", "last_tricks"),
    *("won", "ore", "score"),
)


class DatedGame(msgspec.Struct, frozen=True):
    """A game of a table with its statistics by person; `evening` as `2026-10-17`.

    `begun_at` is written so that it sorts, by the clock of the table.
    """

    number: int
    begun_at: str
    evening: str
    is_staked: bool
    target: int
    seats: Sequence[SeatStatistics]


# The games that one person sat in, in the order of play, and their statistics.
Played = Sequence[tuple[DatedGame, SeatStatistics]]


class PersonStatistics(msgspec.Struct, frozen=True):
    """One person's figures over a time; `staked` of the `games` were for money, `ore` won or lost.

    Those were on so many `evenings`. `score` in points over all games, `biggest_swing` in points,
    `longest_stop` in deals; `streak` is the most games won in a row, `wins_now` those at the end.
    `hands` holds only those that came up.
    """

    name: str
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
    biggest_swing: int
    longest_stop: int
    streak: int
    wins_now: int


class Best(msgspec.Struct, frozen=True):
    """The most of something, and when it was first reached: in a `game`, or 0 for all evening.

    The value counts öre, points, deals, wins or times; of `finest_hand` it is the hand's rank from
    1, of `quickest_win` the deals, negative, as fewer are better.
    """

    value: int
    evening: str = ""
    game: int = 0


class TableRecord(msgspec.Struct, frozen=True):
    """The best at a table, and who did it: the first, then those who did as well later."""

    code: BestCode
    best: Best
    holders: tuple[str, ...]


def group_by_person(games: Iterable[DatedGame]) -> dict[str, Played]:
    """Everybody's games, of games in the order in which they were played."""
    played: defaultdict[str, list[tuple[DatedGame, SeatStatistics]]] = defaultdict(list)
    for game in games:
        for seat in game.seats:
            played[seat.name].append((game, seat))
    return dict(played)


def add_up(name: str, played: Played) -> PersonStatistics:
    """One person's figures over the games they sat in."""
    seats = [seat for _, seat in played]
    staked = [game.evening for game, _ in played if game.is_staked]
    hands = {hand: sum(seat.hands[hand] for seat in seats) for hand in Hand}
    wins = _count_wins_in_a_row(seats)
    return PersonStatistics(
        name=name,
        games=len(seats),
        staked=len(staked),
        evenings=len({*staked}),
        hands={hand: times for hand, times in hands.items() if times},
        biggest_swing=max(seat.biggest_swing for seat in seats),
        longest_stop=max(seat.longest_stop for seat in seats),
        streak=max(wins),
        wins_now=wins[-1],
        **{field: sum(getattr(seat, field) for seat in seats) for field in _SUMS},
    )


def _count_wins_in_a_row(seats: Iterable[SeatStatistics]) -> list[int]:
    """After each game, how many in a row had been won by then."""
    wins = [0]
    for seat in seats:
        wins.append(wins[-1] + 1 if seat.won else 0)
    return wins[1:]


def find_table_records(played: Mapping[str, Played]) -> list[TableRecord]:
    """The records of a table, by everybody's games."""
    bests = {name: _find_bests(theirs) for name, theirs in played.items()}
    codes: tuple[BestCode, ...] = get_args(BestCode)
    found = [
        _find_record(code, {n: b[code] for n, b in bests.items() if code in b}) for code in codes
    ]
    return [record for record in found if record is not None]


def _find_bests(played: Played) -> dict[BestCode, Best]:
    """One person's best of each kind that came up; of equal ones the first."""
    wins = _count_wins_in_a_row(seat for _, seat in played)
    evenings = [(day, [*group]) for day, group in groupby(played, lambda each: each[0].evening)]
    bests: dict[BestCode, list[Best]] = {
        "wins_in_a_row": [
            Best(count, game.evening, game.number)
            for count, (game, _) in zip(wins, played, strict=True)
        ],
        "quickest_win": [
            Best(-max(each.deals for each in game.seats), game.evening, game.number)
            for game, seat in played
            if seat.won and seat.score >= game.target
        ],
    }
    for code, figure in _OF_GAME.items():
        bests[code] = [Best(figure(seat), game.evening, game.number) for game, seat in played]
    for code, figure in _OF_EVENING.items():
        bests[code] = [Best(sum(figure(seat) for _, seat in each), day) for day, each in evenings]
    most = {code: max(each, key=attrgetter("value")) for code, each in bests.items() if each}
    return {code: best for code, best in most.items() if best.value > 0 or code == "quickest_win"}


def _find_record(code: BestCode, bests: Mapping[str, Best]) -> TableRecord | None:
    most = max((best.value for best in bests.values()), default=0)
    if not most or most < _LEAST.get(code, most):
        return None
    names = [name for name, best in bests.items() if best.value == most]
    names.sort(key=lambda name: (bests[name].evening, bests[name].game, name))
    return TableRecord(code, bests[names[0]], tuple(names))
