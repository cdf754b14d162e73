"""How the statistics of games follow what is recorded of them.

A game's statistics, and what is kept of its month, are worked out from its log when it ends, is
mended, comes in, or is taken up again by undoing its end; within the same transaction, so that they
are never of another moment.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby

import msgspec

from app import store
from app.rules.events import Event
from app.rules.game import replay
from app.rules.hands import Hand
from app.rules.state import GameState
from app.rules.statistics import PairStatistics, SeatStatistics, pair_statistics, seat_statistics
from app.rules.totals import Best, TableRecord, Totals, find_table_records
from app.services.evening import evening_of
from app.services.game_states import deserialize_events, effective_events
from app.services.month_totals import read_totals, total_months
from app.services.people import group_names
from app.services.serialization import deserialize_setup
from app.store import clock
from app.store.connection import Connection
from app.store.database import Pool
from app.store.games import GameRow
from app.store.imports import ImportedGame
from app.store.statistics import ALWAYS, Columns, Months, PairRow
from app.store.table_copy import TableCopy
from app.store.tables import TableRow
from app.store.zones import ZoneRow

# What a person's figures have of the totals as it is.
_SAME = tuple({*Totals.__struct_fields__} - {"streaks", "bests"})
# Points know no bounds, integers of the database do: sums of millions of these still fit.
MOST = 10**12


def update_game(
    connection: Connection,
    game: GameRow,
    events: Sequence[Event],
    states: Sequence[GameState],
    *,
    is_new: bool = False,
) -> None:
    """Work a game's statistics out anew, within the transaction that changed it.

    `events` are those that count, `states` one more: those before and after each of them. The game
    `is_new` where it had no statistics before.
    """
    count_game(connection, game, events, states, is_new=is_new)
    sum_months(connection, game.table_id, [month_of(game.begun_at)])


def sum_months(
    connection: Connection, table_id: int, months: Collection[str] | None = None
) -> None:
    """Sum the statistics of a table's games up anew, for some months or for all."""
    for first, last in [ALWAYS] if months is None else [(month, month) for month in months]:
        store.statistics.sum_pairs(connection, table_id, (first, last))
    total_months(connection, table_id, months)


def add_games(connection: Connection, table_id: int, games: Sequence[ImportedGame]) -> None:
    """Let months follow games that have been added, numbered one after another."""
    store.statistics.add_pairs(connection, table_id, games[0].number, games[-1].number)
    total_months(connection, table_id, {month_of(game.begun_at) for game in games}, has_more=True)


def write_copy(connection: Connection, table: TableRow, copy: TableCopy) -> None:
    """Let a table be as its copy, and its months with it."""
    store.copies.write(connection, table, copy)
    sum_months(connection, table.id)


class GameStatistics(msgspec.Struct, frozen=True):
    """The statistics of one game, by player and by pair of players."""

    seats: Sequence[SeatStatistics]
    pairs: Sequence[PairStatistics]
    stake_ore: int

    def rows(self, **key: object) -> tuple[list[Columns], list[Columns]]:
        """The rows of players and of pairs, each with the columns of `key` besides."""
        key_of_seat = key | {"stake_ore": self.stake_ore}
        seats = [key_of_seat | _seat_row(seat) for seat in self.seats]
        return seats, [key | row for pair in self.pairs for row in _pair_rows(pair)]


def game_statistics(events: Sequence[Event], states: Sequence[GameState]) -> GameStatistics:
    """Work a game's statistics out, from what `update_game` takes."""
    end = states[-1]
    return GameStatistics(
        seat_statistics(states, events), pair_statistics(end), end.setup.stake_ore
    )


def count_game(
    connection: Connection,
    game: GameRow,
    events: Sequence[Event],
    states: Sequence[GameState],
    *,
    is_new: bool = False,
) -> None:
    """Work a game's statistics out anew, but not what is kept of its month."""
    month = month_of(game.begun_at)
    rows = game_statistics(events, states).rows(table_id=game.table_id, month=month)
    store.statistics.replace(connection, game.id, *rows, is_new=is_new)


def month_of(begun_at: str) -> str:
    """The month, as `2026-10`, of the evening that a game belongs to."""
    return evening_of(begun_at).isoformat()[:7]


def recount_games(connection: Connection, table_id: int, games: Iterable[GameRow]) -> None:
    """Work the statistics of games of a table out anew from their logs."""
    for game in games:
        rows = store.games.find_events(connection, game.id)
        setup = deserialize_setup(game.setup)
        events = list(deserialize_events(game.setup, effective_events(rows)))
        count_game(connection, game, events, replay(setup, events))
    sum_months(connection, table_id)


def recount(pool: Pool) -> int:
    """Work the statistics of all games of all tables out anew, and count the games."""
    with pool.transaction() as connection:
        games = store.games.find_everywhere(connection)
        for table_id, group in groupby(games, lambda game: game.table_id):
            recount_games(connection, table_id, group)
        store.zones.save(connection, ZoneRow(clock.zone().key))
    return len(games)


def recount_months(connection: Connection) -> None:
    """Let each game's statistics be of its evening, as the clock tells it now."""
    rows = store.statistics.find_game_months(connection)
    for row in rows:
        if (month := month_of(row.begun_at)) != row.month:
            store.statistics.move_game(connection, row.game_id, month)
    for table_id in {row.table_id for row in rows}:
        sum_months(connection, table_id)


def _seat_row(seat: SeatStatistics) -> Columns:
    row = msgspec.structs.asdict(seat)
    hands = row.pop("hands")
    row |= {str(hand): times for hand, times in hands.items()}
    return row | {key: clamp(row[key]) for key in ("ore", "score", "biggest_swing")}


def _pair_rows(pair: PairStatistics) -> list[Columns]:
    """A row for each of the two, against the other."""
    ore = clamp(pair.ore)
    ahead, behind = pair.a_ahead, pair.b_ahead
    return [
        {"name": pair.a, "other": pair.b, "ahead": ahead, "behind": behind, "ore": ore},
        {"name": pair.b, "other": pair.a, "ahead": behind, "behind": ahead, "ore": -ore},
    ]


def clamp(number: int) -> int:
    """A number of points or öre cut off at what the database sums."""
    return max(-MOST, min(MOST, number))


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


class HeadToHead(msgspec.Struct, frozen=True):
    """What one person did against another: `ore` is what the other paid (− what was paid)."""

    other: str
    games: int
    ahead: int
    behind: int
    ore: int


class Statistics(msgspec.Struct, frozen=True):
    """A table's people over a time, most games first, their meetings, and the table's records."""

    people: tuple[PersonStatistics, ...]
    meetings: Mapping[str, tuple[HeadToHead, ...]]
    records: tuple[TableRecord, ...] = ()

    @property
    def has_money(self) -> bool:
        """Whether any game of that time was for money."""
        return any(person.staked for person in self.people)


def read_statistics(pool: Pool, table_id: int, months: Months = ALWAYS) -> Statistics:
    """The figures of a table's people between two months, as `2026-10`, both included."""
    with pool.snapshot() as connection:
        totals = read_totals(connection, table_id, months)
        pairs = store.statistics.find_pairs(connection, table_id, months)
        rows = store.people.find_all(connection, table_id)
    people = sorted(
        (person_statistics(name, each) for name, each in totals.items()),
        key=lambda person: (-person.games, -person.won, person.name),
    )
    canonical = group_names([[name for pair in pairs for name in (pair.name, pair.other)]], rows)
    meetings = _meetings(pairs, canonical.canonical, [person.name for person in people])
    return Statistics(tuple(people), meetings, tuple(find_table_records(totals)))


def find_months(pool: Pool, table_id: int) -> Months | None:
    """The first and the last month that have statistics."""
    return store.statistics.find_months(pool.connection, table_id)


def person_statistics(name: str, totals: Totals) -> PersonStatistics:
    """One person's figures, as their totals have them."""
    bests = totals.bests
    return PersonStatistics(
        name=name,
        biggest_swing=bests.get("biggest_swing", Best(0)).value,
        longest_stop=bests.get("longest_stop", Best(0)).value,
        streak=totals.streaks.longest.value,
        wins_now=totals.streaks.closing,
        **{field: getattr(totals, field) for field in _SAME},
    )


def _meetings(
    pairs: Iterable[PairRow], canonical: Mapping[str, str], order: Sequence[str]
) -> dict[str, tuple[HeadToHead, ...]]:
    """What each person did against each other: first whom they were ahead of most of the time."""
    sums: dict[tuple[str, str], Counter[str]] = {}
    for pair in pairs:
        meeting = sums.setdefault((canonical[pair.name], canonical[pair.other]), Counter())
        meeting.update(games=pair.games, ahead=pair.ahead, behind=pair.behind, ore=pair.ore)
    met = {
        name: [HeadToHead(other, **sums[name, other]) for other in order if (name, other) in sums]
        for name in order
    }
    return {
        name: tuple(sorted(theirs, key=lambda other: (other.behind - other.ahead) / other.games))
        for name, theirs in met.items()
    }
