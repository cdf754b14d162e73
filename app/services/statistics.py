"""The statistics of a table's people over a time, and the moments of an evening.

Both are of games that are over, and are added up by SQL from the figures of each seat.
"""

# ruff: noqa: S608  # every piece of SQL here is put together from our own names alone

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations, groupby
from operator import itemgetter
from typing import Any, get_args

import msgspec
from msgspec.structs import replace

from app.rules.codes import BestCode
from app.rules.hands import Hand
from app.rules.records import Best, PersonStatistics, TableRecord
from app.rules.settlement import share_out
from app.rules.statistics import MOMENTS, Moment, find_moments, pick_largest
from app.services import figures, people
from app.services.fold import fold
from app.store import log
from app.store.connection import Connection
from app.store.database import Database
from app.store.schema import MAXIMA, SUMS, VOID

# The first and the last month of a time, as `2026-10`, both included.
Months = tuple[str, str]
ALWAYS = ("0000-00", "9999-99")
# So many people are shown against each other, of more those who played most.
MOST_MET = 12
# Less is no record of a table: anybody zeroes once, and has a full house.
_LEAST: Mapping[BestCode, int] = {
    "wins_in_a_row": 2,
    "zeroings_of_evening": 2,
    "chicagos_of_evening": 2,
    "finest_hand": [*Hand].index(Hand.FOUR_OF_A_KIND) + 1,
}
_RANKS = " ".join(f"WHEN {hand} > 0 THEN {n}" for n, hand in reversed([*enumerate(Hand, start=1)]))
# The figures compared over games, a row each; a win is quick by the deals of its game.
_OF_GAME: Mapping[BestCode, str] = {
    "highest_win": "ore",
    "highest_score": "score",
    "biggest_swing": "biggest_swing",
    "longest_stop": "longest_stop",
    "finest_hand": f"CASE {_RANKS} ELSE 0 END",
    "quickest_win": """IIF(won AND score >= target, -(SELECT MAX(deals) FROM seats AS other
        WHERE other.table_id = played.table_id AND other.game = played.game), NULL)""",
}
# A table's seats of a time with the number of the person: as whom others are merged.
_PLAYED = f"""WITH played AS (SELECT seats.*, whose.person AS whose FROM seats JOIN (
        SELECT number, COALESCE(same_as, called, number) AS person FROM people WHERE table_id = ?1
    ) AS whose ON whose.number = seats.person
    WHERE table_id = ?1 AND broken_off < {VOID} AND substr(evening, 1, 7) BETWEEN ?2 AND ?3)"""
_TOTALS = f"""{_PLAYED} SELECT whose, COUNT(*) AS games, SUM(stake_ore > 0) AS staked,
        COUNT(DISTINCT IIF(stake_ore > 0, evening, NULL)) AS evenings, SUM(score) AS score,
        {", ".join(f"SUM({each}) AS {each}" for each in SUMS)},
        {", ".join(f"MAX({each}) AS {each}" for each in MAXIMA)}
    FROM played GROUP BY whose"""
_IN_ORDER = f"""{_PLAYED} SELECT game, evening, whose, won, score, ore FROM played
    ORDER BY begun_at, game, seat"""
_BY_EVENING = f"""{_PLAYED} SELECT evening, whose, SUM(ore), SUM(won), SUM(zeroings_given),
    SUM(chicagos_made) FROM played GROUP BY evening, whose ORDER BY evening"""
# The game in which each person first did as well as anybody.
_BEST = f"""{_PLAYED},
    valued AS (SELECT whose, evening, game, begun_at, {{figure}} AS value FROM played)
    SELECT whose, value, evening, game FROM valued WHERE value = (SELECT MAX(value) FROM valued)
    ORDER BY begun_at, game"""

# A person's number, and how a seat's game ended: won, score, öre.
Seat = tuple[int, bool, int, int]
# By person's number, when they first did it best.
Bests = dict[int, Best]


class HeadToHead(msgspec.Struct):
    """One person's games against another: `ore` is what the other paid (− the other way)."""

    other: str
    games: int = 0
    ahead: int = 0
    behind: int = 0
    ore: int = 0


class Statistics(msgspec.Struct, frozen=True):
    """A table's people over a time, most games first, their meetings, and the table's records.

    `meetings` are of the first MOST_MET people. `evenings` are the öre and the games won of each
    person on each of that time, `span` is the first and the last month of all games.
    """

    people: list[PersonStatistics]
    meetings: Mapping[str, list[HeadToHead]]
    records: list[TableRecord]
    evenings: Mapping[str, Mapping[str, tuple[int, int]]]
    span: Months | None

    @property
    def has_money(self) -> bool:
        """Whether any game of that time was for money."""
        return any(person.staked for person in self.people)


class _Games:
    """What needs the games one by one: wins in a row, and who met whom."""

    def __init__(self, most_met: Collection[int]) -> None:
        self.most_met = most_met
        self.streak: dict[int, int] = defaultdict(int)
        self.now: dict[int, int] = defaultdict(int)
        self.longest: Bests = {}
        self.met: dict[tuple[int, int], list[int]] = {}

    def add(self, number: int, evening: str, seats: Sequence[Seat]) -> None:
        """Add the next game in the order of play."""
        for whose, won, _, _ in seats:
            self.now[whose] = self.now[whose] + 1 if won else 0
            if self.now[whose] > self.streak[whose]:
                self.streak[whose] = self.now[whose]
                self.longest[whose] = Best(self.now[whose], evening, number)
        losers = {seat[0]: -seat[3] for seat in seats if not seat[1]}
        paid = share_out(losers, [seat[0] for seat in seats if seat[1]])
        met = [(seat[1:3], seat[0]) for seat in seats if seat[0] in self.most_met]
        for (rank, one), (other_rank, other) in combinations(met, 2):
            between = paid.get((other, one), 0) - paid.get((one, other), 0)
            self._meet(one, other, rank > other_rank, rank < other_rank, between)
            self._meet(other, one, rank < other_rank, rank > other_rank, -between)

    def _meet(self, one: int, other: int, ahead: bool, behind: bool, ore: int) -> None:
        sums = self.met.setdefault((one, other), [0, 0, 0, 0])
        sums[0] += 1
        sums[1] += ahead
        sums[2] += behind
        sums[3] += ore


def read_statistics(db: Database, table_id: int, months: Months = ALWAYS) -> Statistics:
    """The figures of a table's people over a time."""
    with db.snapshot() as connection:
        asked = (table_id, *months)
        _, names = people.resolve(connection, table_id)
        totals = [*connection.query(_TOTALS, asked)]
        totals.sort(key=lambda row: (-row["games"], -row["won"], names[row["whose"]]))
        most_met = [row["whose"] for row in totals[:MOST_MET]]
        games = _Games(most_met)
        rows = connection.execute(_IN_ORDER, asked).fetchall()
        for (number, day), seats in groupby(rows, itemgetter(0, 1)):
            games.add(number, day, [seat[2:] for seat in seats])
        evenings = connection.execute(_BY_EVENING, asked).fetchall()
        bests = _find_bests(connection, asked, evenings) | {"wins_in_a_row": games.longest}
        return Statistics(
            people=[_read_person(row, names, games) for row in totals],
            meetings={names[one]: _list_meetings(one, most_met, names, games) for one in most_met},
            records=[*_find_records(bests, names)],
            evenings=_group_evenings(evenings, names),
            span=_read_span(connection, table_id),
        )


def _read_person(row: dict[str, Any], names: Mapping[int, str], games: _Games) -> PersonStatistics:
    hands = {hand: row.pop(hand) for hand in Hand}
    whose = row.pop("whose")
    return PersonStatistics(
        name=names[whose],
        hands={hand: times for hand, times in hands.items() if times},
        streak=games.streak[whose],
        wins_now=games.now[whose],
        **row,
    )


def _list_meetings(
    one: int, most_met: Sequence[int], names: Mapping[int, str], games: _Games
) -> list[HeadToHead]:
    """Each of the others: first whom they were ahead of most of the time."""
    met = [(names[other], games.met.get((one, other))) for other in most_met]
    meetings = [HeadToHead(name, *sums) for name, sums in met if sums]
    return sorted(meetings, key=lambda each: (each.behind - each.ahead) / each.games)


def _group_evenings(
    rows: Iterable[tuple[Any, ...]], names: Mapping[int, str]
) -> dict[str, dict[str, tuple[int, int]]]:
    return {
        day: {names[whose]: (ore, won) for _, whose, ore, won, *_ in group}
        for day, group in groupby(rows, itemgetter(0))
    }


def _read_span(connection: Connection, table_id: int) -> Months | None:
    sql = f"""SELECT MIN(evening), MAX(evening) FROM seats
        WHERE table_id = ? AND broken_off < {VOID}"""
    first, last = connection.execute(sql, [table_id]).fetchone()
    return (first[:7], last[:7]) if first else None


def _find_bests(
    connection: Connection, asked: tuple[Any, ...], evenings: Sequence[tuple[Any, ...]]
) -> dict[BestCode, Bests]:
    """Those who did best in a game or an evening, each at the first time."""
    found: dict[BestCode, Bests] = {}
    for code, figure in _OF_GAME.items():
        rows = connection.execute(_BEST.format(figure=figure), asked).fetchall()
        found[code] = {}
        for whose, value, evening, game in rows:
            found[code].setdefault(whose, Best(value, evening, game))
    codes: tuple[BestCode, ...] = ("win_of_evening", "zeroings_of_evening", "chicagos_of_evening")
    for column, code in zip((2, 4, 5), codes, strict=True):
        found[code] = {}
        for row in evenings:
            best = found[code].get(row[1])
            if best is None or best.value < row[column]:
                found[code][row[1]] = Best(row[column], row[0])
    return found


def _find_records(
    bests: Mapping[BestCode, Bests], names: Mapping[int, str]
) -> Iterable[TableRecord]:
    """The records of a table, those who did as well later behind the first."""
    codes: tuple[BestCode, ...] = get_args(BestCode)
    for code in codes:
        most = max((best.value for best in bests[code].values()), default=0)
        if (most < _LEAST.get(code, 1) and code != "quickest_win") or not most:
            continue
        holders = [
            (best.evening, best.game, names[whose], best)
            for whose, best in bests[code].items()
            if best.value == most
        ]
        holders.sort(key=itemgetter(0, 1, 2))
        yield TableRecord(code, holders[0][3], tuple(name for _, _, name, _ in holders))


def read_moments(db: Database, table_id: int, numbers: Collection[int]) -> list[Moment]:
    """The largest swings of some of a table's games, by person."""
    sql = "SELECT game FROM seats WHERE table_id = ? GROUP BY game ORDER BY MAX(biggest_swing) DESC"
    with db.snapshot() as connection:
        games = [game for (game,) in connection.execute(sql, [table_id]) if game in numbers]
        found = []
        # No other game has a larger one.
        for number in games[:MOMENTS]:
            played = figures.play(fold(log.read_game(connection, table_id, number)).games[number])
            found += find_moments(number, played.states())
        _, persons = people.resolve(connection, table_id)
    return [
        replace(moment, players=tuple(persons[int(seat)] for seat in moment.players))
        for moment in pick_largest(found)
    ]
