"""The statistics of a table's people over a time, and the moments of an evening.

Both are of games that are over.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any

import msgspec
from msgspec.structs import replace

from app.rules.hands import Hand
from app.rules.records import (
    DatedGame,
    PersonStatistics,
    TableRecord,
    add_up,
    find_table_records,
    group_by_person,
)
from app.rules.statistics import (
    MOMENTS,
    Moment,
    SeatStatistics,
    find_moments,
    pair_statistics,
    pick_largest,
)
from app.services import figures, people
from app.services.fold import fold
from app.store import clock, log
from app.store.clock import evening_of
from app.store.connection import Connection
from app.store.database import Database
from app.store.schema import VOID

Row = dict[str, Any]
# The first and the last month of a time, as `2026-10`, both included.
Months = tuple[str, str]
ALWAYS = ("0000-00", "9999-99")


def read_games(connection: Connection, table_id: int) -> list[DatedGame]:
    """A table's games that have figures, by person, in the order of play."""
    _, persons = people.resolve(connection, table_id)
    sql = "SELECT * FROM seats WHERE table_id = ? AND broken_off < ? ORDER BY game, seat"
    rows = connection.query(sql, [table_id, VOID])
    games = (_read_game([*group], persons) for _, group in groupby(rows, itemgetter("game")))
    # Numbers tell in which order games came to the table.
    return sorted(games, key=attrgetter("begun_at", "number"))


def _read_game(seats: Sequence[Row], persons: Mapping[int, str]) -> DatedGame:
    for seat in seats:
        seat["name"], seat["hands"] = persons[seat["person"]], {hand: seat[hand] for hand in Hand}
    game = seats[0]
    at = clock.local(game["begun_at"])
    return DatedGame(
        number=game["game"],
        begun_at=at.isoformat(timespec="microseconds"),
        evening=evening_of(at).isoformat(),
        is_staked=bool(game["stake_ore"]),
        target=game["target"],
        # The database has 0 and 1 for no and yes.
        seats=msgspec.convert(seats, list[SeatStatistics], strict=False),
    )


# So many people are shown against each other, of more those who played most.
MOST_MET = 12


class HeadToHead(msgspec.Struct):
    """One person's games against another: `ore` is what the other paid (− the other way)."""

    other: str
    games: int = 0
    ahead: int = 0
    behind: int = 0
    ore: int = 0


class Statistics(msgspec.Struct, frozen=True):
    """A table's people over a time, most games first, their meetings, and the table's records.

    `meetings` are of the first MOST_MET people. `games` are those of that time, `span` the first
    and the last month of all games.
    """

    people: list[PersonStatistics]
    meetings: Mapping[str, list[HeadToHead]]
    records: list[TableRecord]
    games: list[DatedGame]
    span: Months | None

    @property
    def has_money(self) -> bool:
        """Whether any game of that time was for money."""
        return any(person.staked for person in self.people)


def read_statistics(db: Database, table_id: int, months: Months = ALWAYS) -> Statistics:
    """The figures of a table's people over a time."""
    with db.snapshot() as connection:
        everything = read_games(connection, table_id)
    games = [game for game in everything if months[0] <= game.evening[:7] <= months[1]]
    played = group_by_person(games)
    people = [add_up(name, theirs) for name, theirs in played.items()]
    people.sort(key=lambda person: (-person.games, -person.won, person.name))
    return Statistics(
        people=people,
        meetings=_find_meetings(games, [person.name for person in people[:MOST_MET]]),
        records=find_table_records(played),
        games=games,
        span=(everything[0].evening[:7], everything[-1].evening[:7]) if everything else None,
    )


def _find_meetings(games: Iterable[DatedGame], order: Sequence[str]) -> dict[str, list[HeadToHead]]:
    """Each person against each other: first whom they were ahead of most of the time."""
    met: dict[str, dict[str, HeadToHead]] = {name: {} for name in order}
    for game in games:
        for pair in pair_statistics(game.seats):
            if pair.name not in met or pair.other not in met:
                continue
            meeting = met[pair.name].setdefault(pair.other, HeadToHead(pair.other))
            meeting.games += 1
            meeting.ahead += pair.ahead
            meeting.behind += pair.behind
            meeting.ore += pair.ore
    return {
        name: sorted(
            (others[other] for other in order if other in others),
            key=lambda each: (each.behind - each.ahead) / each.games,
        )
        for name, others in met.items()
    }


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
