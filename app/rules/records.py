"""Records: what games were among all that came before them at their table.

They are read off the statistics of the games, so that a record is never of other figures than those
of the years. Games come in the order in which they were played, and those without statistics, being
void or still played, are not among them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile

import msgspec

from app.rules.codes import RecordCode
from app.rules.hands import Hand
from app.rules.statistics import SeatStatistics
from app.rules.totals import OF_EVENING, OF_GAME, Figure

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
        self.seats = [seat for games in together for game in games for seat in game]
        self.number = sum(map(len, together))
        self._of: defaultdict[str, list[SeatStatistics]] = defaultdict(list)
        for seat in self.seats:
            self._of[seat.name].append(seat)

    @property
    def people(self) -> list[str]:
        """Everybody who sat in any of them."""
        return list(self._of)

    def of(self, name: str) -> list[SeatStatistics]:
        """The statistics of a person, game by game."""
        return self._of.get(name, [])


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
    told, past = _Games([now]), _Games(before)
    return [
        record for find in (_OF_EVENING if evening else _OF_GAME) for record in find(told, past)
    ]


def _first_hands(now: _Games, past: _Games) -> Iterator[GameRecord]:
    """A rare hand that somebody had for the first time at this table."""
    for name in now.people:
        for hand in RARE:
            if _count_hand(now.of(name), hand) and not _count_hand(past.of(name), hand):
                yield GameRecord("first_hand", (name,), 1, hand)


def _count_hand(seats: Sequence[SeatStatistics], hand: Hand) -> int:
    return sum(seat.hands[hand] for seat in seats)


def _wins_in_a_row(now: _Games, past: _Games) -> Iterator[GameRecord]:
    """The last so many games that somebody sat in were all won."""
    for name in now.people:
        newest_first = reversed([*past.of(name), *now.of(name)])
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
    """Find out whether something happened more often than ever before, whoever did it."""

    def total(games: Together) -> int:
        return sum(figure(seat) for game in games for seat in game)

    def find(now: _Games, past: _Games) -> Iterator[GameRecord]:
        times = sum(map(figure, now.seats))
        if times >= LEAST_COUNT and times > max(map(total, past.together)):
            yield GameRecord(code, (), times)

    return find


def _wins_at_last(now: _Games, past: _Games) -> Iterator[GameRecord]:
    """A win after many games without one; who never won before has a first win instead."""
    for name in now.people:
        lost = list(takewhile(lambda seat: not seat.won, now.of(name)))
        if len(lost) == len(now.of(name)) or not any(seat.won for seat in past.of(name)):
            continue
        waited = takewhile(lambda seat: not seat.won, reversed([*past.of(name), *lost]))
        games = sum(1 for _ in waited) + 1
        if games > LEAST_AT_LAST:
            yield GameRecord("win_at_last", (name,), games)


def _first(code: RecordCode, figure: Figure) -> Find:
    """Find who did for the first time what they had not done in any game before."""

    def find(now: _Games, past: _Games) -> Iterator[GameRecord]:
        for name in now.people:
            had = past.of(name)
            if had and not any(map(figure, had)) and any(map(figure, now.of(name))):
                yield GameRecord(code, (name,), 1)

    return find


def _jubilees(now: _Games, past: _Games) -> Iterator[GameRecord]:
    """A round number of games that the table has played."""
    for number in range(past.number + 1, past.number + now.number + 1):
        if number in JUBILEES or number % EVERY == 0:
            yield GameRecord("jubilee", (), number)


def _zeroings(seat: SeatStatistics) -> int:
    """The zeroings by a player's hands, and those that the lack of a Chicago brought on them."""
    return seat.zeroings_given + seat.falls


# The most telling first.
_TELLING: tuple[Find, ...] = (
    _first_hands,
    _wins_in_a_row,
    _highest("biggest_swing", OF_GAME["biggest_swing"]),
    _highest("highest_win", OF_GAME["highest_win"]),
)
_OTHERS: tuple[Find, ...] = (
    _wins_at_last,
    _first("first_chicago", lambda seat: seat.chicagos_made),
    _first("first_win", lambda seat: seat.won),
    _jubilees,
)
_OF_GAME = (
    *_TELLING,
    _most("zeroings_of_game", _zeroings),
    _most("chicagos_of_game", OF_EVENING["chicagos_of_evening"]),
    *_OTHERS,
)
_OF_EVENING = (
    *_TELLING,
    _most("zeroings_of_evening", _zeroings),
    _most("chicagos_of_evening", OF_EVENING["chicagos_of_evening"]),
    *_OTHERS,
)
