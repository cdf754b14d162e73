"""The statistics of a table's people over a time, and the highlights of a game or an evening.

All of them are added up from the figures of games that are over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date
from itertools import groupby, takewhile
from operator import attrgetter, itemgetter
from typing import Any

import msgspec

from app.rules.hands import Hand
from app.rules.records import (
    DatedGame,
    GameRecord,
    PersonStatistics,
    TableRecord,
    add_up,
    find_records,
    find_table_records,
    group_by_person,
)
from app.rules.settlement import Currency
from app.rules.statistics import SeatStatistics, pair_statistics
from app.services import people
from app.services.lists import PhoneTable
from app.services.people import pseudonym_of, resolve
from app.services.tables import NotFound, find_access
from app.store import clock
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


class HeadToHead(msgspec.Struct):
    """One person's games against another: `ore` is what the other paid (− the other way)."""

    other: str
    games: int = 0
    ahead: int = 0
    behind: int = 0
    ore: int = 0


class Statistics(msgspec.Struct, frozen=True):
    """A table's people over a time, most games first, their meetings, and the table's records.

    `games` are those of that time, `span` the first and the last month of all games.
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
        meetings=_find_meetings(games, [person.name for person in people]),
        records=find_table_records(played),
        games=games,
        span=(everything[0].evening[:7], everything[-1].evening[:7]) if everything else None,
    )


def _find_meetings(games: Iterable[DatedGame], order: Sequence[str]) -> dict[str, list[HeadToHead]]:
    """Each person against each other: first whom they were ahead of most of the time."""
    met: dict[str, dict[str, HeadToHead]] = {name: {} for name in order}
    for game in games:
        for pair in pair_statistics(game.seats):
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


class Highlights(msgspec.Struct, frozen=True):
    """Figures and records of games that were played together, by person; nothing of void ones.

    `evening` is when. `wins`, `zeroings` (each once however many it struck) and `falls` (at the
    target for want of a Chicago) name only those who have any. `swing` is the game of whoever's
    score moved most in one deal, the first of equal ones; None where no score did.
    """

    evening: date
    games: int
    wins: Mapping[str, int]
    swing: SeatStatistics | None
    zeroings: Mapping[str, int]
    falls: Mapping[str, int]
    chicagos_said: int
    chicagos_made: int
    records: Sequence[GameRecord]


def read_highlights(
    db: Database, table_id: int, evening: date, number: int | None = None
) -> Highlights:
    """The highlights of the games of one evening together, or of its game `number` alone."""
    with db.snapshot() as connection:
        games = read_games(connection, table_id)
    wanted, kind = (number, "number") if number else (evening.isoformat(), "evening")
    together = {
        each: [game.seats for game in group] for each, group in groupby(games, attrgetter(kind))
    }
    now = together.get(wanted, [])
    before = [together[each] for each in takewhile(lambda each: each != wanted, together)]
    seats = [seat for game in now for seat in game]
    moved = attrgetter("biggest_swing")
    return Highlights(
        evening=evening,
        games=len(now),
        wins=_add_up(seats, "won"),
        swing=max(filter(moved, seats), key=moved, default=None),
        zeroings=_add_up(seats, "zeroings_given"),
        falls=_add_up(seats, "falls"),
        chicagos_said=sum(seat.chicagos_said for seat in seats),
        chicagos_made=sum(seat.chicagos_made for seat in seats),
        records=find_records(now, before, evening=kind == "evening"),
    )


def _add_up(seats: Iterable[SeatStatistics], figure: str) -> dict[str, int]:
    """A figure by person, the most first; who has none is left out."""
    sums: Counter[str] = Counter()
    for seat in seats:
        sums[seat.name] += getattr(seat, figure)
    return dict((+sums).most_common())


_MOST = ("biggest_swing", "longest_stop", "streak")


class OwnTable(msgspec.Struct, frozen=True):
    """A table with its people by their codes; `me` are the figures of who this phone is there."""

    title: str
    currency: Currency
    people: dict[str, str]
    me: PersonStatistics | None


def read_own_tables(
    db: Database, tables: Sequence[PhoneTable], chosen: Collection[str]
) -> list[OwnTable]:
    """The tables where games have ended, and who a phone that has chosen these codes is there."""
    found = []
    for table in tables:
        # It may have been deleted since the phone's tables were listed.
        with suppress(NotFound), db.snapshot() as connection:
            found.append(_read_table(connection, table, chosen))
        # A table may have thousands of games: others are served in between.
        clock.give_way()
    return [table for table in found if table.people]


def _read_table(connection: Connection, table: PhoneTable, chosen: Collection[str]) -> OwnTable:
    access = find_access(connection, table.link, None)
    played = group_by_person(read_games(connection, access.id))
    names, persons = resolve(connection, access.id)
    mine = {
        persons[number] for number in names if pseudonym_of(table.link, names[number]) in chosen
    }
    me = next((add_up(name, played[name]) for name in played if name in mine), None)
    people = {pseudonym_of(table.link, name): name for name in sorted(played)}
    title = table.name or ", ".join(table.state.players)
    return OwnTable(title, access.currency, people, me)


def add_up_figures(people: Sequence[PersonStatistics]) -> PersonStatistics:
    """One person's figures at one or more tables as one: sums, and of each maximum the largest.

    The sum of öre means something only where the tables have one currency.
    """
    hands: Counter[Hand] = Counter()
    for each in people:
        hands.update(each.hands)
    columns = {
        field: (max if field in _MOST else sum)(getattr(each, field) for each in people)
        for field in PersonStatistics.__struct_fields__
        if field not in ("name", "hands", "wins_now")
    }
    return PersonStatistics(name="", hands=hands, wins_now=0, **columns)
