"""Totals and records: a person's figures over a time, and the best among games at a table.

They are read off the statistics of the games, so that a record is never of other figures than those
of the years. Games come in the order in which they were played, and those without statistics, being
void or still played, are not among them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, takewhile
from operator import attrgetter
from typing import get_args

import msgspec

from app.rules.codes import BestCode, RecordCode
from app.rules.hands import Hand
from app.rules.statistics import SeatStatistics

Figure = Callable[[SeatStatistics], int]

# The best first.
_RANKS = {hand: rank for rank, hand in reversed([*enumerate(Hand, start=1)])}
# The figures compared over games, and over evenings; the picture tells of the same ones.
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
    for code, figure in OF_GAME.items():
        bests[code] = [Best(figure(seat), game.evening, game.number) for game, seat in played]
    for code, figure in OF_EVENING.items():
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


# The hands of which somebody's first is remembered.
RARE = (
    Hand.STRAIGHT_FLUSH,
    Hand.ROYAL_FLUSH,
    Hand.ROYAL_FLUSH_HEARTS,
)
LEAST_IN_A_ROW = 3
LEAST_AT_LAST = 10
# One zeroing, or one Chicago, is no record.
LEAST_COUNT = 2
# After so many games the highest so far is worth telling; before, every second game has one.
LEAST_BEFORE = 5
JUBILEES, EVERY = (10, 25, 50), 100

# The players of one game, by person; and the games of an evening, or a single one.
PlayedGame = Sequence[SeatStatistics]
Together = Sequence[PlayedGame]


class GameRecord(msgspec.Struct, frozen=True):
    """One record: whose it is, with which hand, and its `value`.

    The value counts points of `biggest_swing`, öre of `highest_win`, wins, games of `win_at_last`
    and `jubilee`, else how often.
    """

    code: RecordCode
    players: tuple[str, ...] = ()
    value: int = 0
    hand: Hand | None = None


class _Games:
    """Games in their order, those played together side by side; `of` has each person's."""

    def __init__(self, together: Sequence[Together]) -> None:
        self.together = together
        self.number = sum(map(len, together))
        self.seats = [seat for games in together for game in games for seat in game]
        self.of = defaultdict[str, list[SeatStatistics]](list)
        for seat in self.seats:
            self.of[seat.name].append(seat)


Find = Callable[[_Games, _Games], Iterator[GameRecord]]


def find_records(
    now: Together, before: Sequence[Together], *, evening: bool = False
) -> list[GameRecord]:
    """The records of games played together, the most telling first.

    `before` are the games that came before, those played together side by side: one by one, or
    where an `evening` is told of, by evenings. What is the first of all has no records.
    """
    if not now or not before:
        return []
    current, past = _Games([now]), _Games(before)
    return [
        record for find in (_OF_EVENING if evening else _OF_GAME) for record in find(current, past)
    ]


def _first_hands(now: _Games, past: _Games) -> Iterator[GameRecord]:
    """A rare hand that somebody had for the first time at this table."""
    for name in [*now.of]:
        for hand in RARE:
            if _count_hand(now.of[name], hand) and not _count_hand(past.of[name], hand):
                yield GameRecord("first_hand", (name,), 1, hand)


def _count_hand(seats: Sequence[SeatStatistics], hand: Hand) -> int:
    return sum(seat.hands[hand] for seat in seats)


def _wins_in_a_row(now: _Games, past: _Games) -> Iterator[GameRecord]:
    """The last so many games that somebody sat in were all won."""
    for name in [*now.of]:
        newest_first = reversed([*past.of[name], *now.of[name]])
        wins = sum(1 for _ in takewhile(lambda seat: seat.won, newest_first))
        if wins >= LEAST_IN_A_ROW:
            yield GameRecord("wins_in_a_row", (name,), wins)


def _highest(code: RecordCode, figure: Figure) -> Find:
    """Find a figure higher than ever before, and whose it is; the first of its kind is none."""

    def find(now: _Games, past: _Games) -> Iterator[GameRecord]:
        most = max(map(figure, now.seats))
        if past.number >= LEAST_BEFORE and most > max(map(figure, past.seats)) > 0:
            best = [seat.name for seat in now.seats if figure(seat) == most]
            yield GameRecord(code, tuple(dict.fromkeys(best)), most)

    return find


def _most(code: RecordCode, figure: Figure) -> Find:
    """Find out whether something happened more often than ever before, by all together."""

    def total(games: Together) -> int:
        return sum(figure(seat) for game in games for seat in game)

    def find(now: _Games, past: _Games) -> Iterator[GameRecord]:
        times = sum(map(figure, now.seats))
        if times >= LEAST_COUNT and times > max(map(total, past.together)):
            yield GameRecord(code, (), times)

    return find


def _wins_at_last(now: _Games, past: _Games) -> Iterator[GameRecord]:
    """A win after many games without one; who never won before has a first win instead."""
    for name in [*now.of]:
        lost = list(takewhile(lambda seat: not seat.won, now.of[name]))
        if len(lost) == len(now.of[name]) or not any(seat.won for seat in past.of[name]):
            continue
        waited = takewhile(lambda seat: not seat.won, reversed([*past.of[name], *lost]))
        games = sum(1 for _ in waited) + 1
        if games > LEAST_AT_LAST:
            yield GameRecord("win_at_last", (name,), games)


def _first(code: RecordCode, figure: Figure) -> Find:
    """Find the people who did something for the first time."""

    def find(now: _Games, past: _Games) -> Iterator[GameRecord]:
        for name in [*now.of]:
            had = past.of[name]
            if had and not any(map(figure, had)) and any(map(figure, now.of[name])):
                yield GameRecord(code, (name,), 1)

    return find


def _jubilees(now: _Games, past: _Games) -> Iterator[GameRecord]:
    """A round number of games that the table has played."""
    for number in range(past.number + 1, past.number + now.number + 1):
        if number in JUBILEES or number % EVERY == 0:
            yield GameRecord("jubilee", (), number)


def _finders(zeroings: RecordCode, chicagos: RecordCode) -> tuple[Find, ...]:
    """The most telling first."""
    return (
        _first_hands,
        _wins_in_a_row,
        _highest("biggest_swing", OF_GAME["biggest_swing"]),
        _highest("highest_win", OF_GAME["highest_win"]),
        _most(zeroings, lambda seat: seat.zeroings_given + seat.falls),
        _most(chicagos, OF_EVENING["chicagos_of_evening"]),
        _wins_at_last,
        _first("first_chicago", lambda seat: seat.chicagos_made),
        _first("first_win", lambda seat: seat.won),
        _jubilees,
    )


_OF_GAME = _finders("zeroings_of_game", "chicagos_of_game")
_OF_EVENING = _finders("zeroings_of_evening", "chicagos_of_evening")
