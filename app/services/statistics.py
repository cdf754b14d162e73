"""How the statistics of games follow what is recorded of them.

A game's statistics, and the sums of its month, are worked out from its log when it ends, is mended,
comes in, or is taken up again by undoing its end; within the same transaction, so that they are
never of another moment.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

import msgspec

from app import store
from app.rules.events import Event
from app.rules.game import replay
from app.rules.hands import Hand
from app.rules.state import GameState
from app.rules.statistics import PairStatistics, SeatStatistics, pair_statistics, seat_statistics
from app.services.evening import evening_of
from app.services.people import group_names
from app.services.serialization import deserialize_setup
from app.services.tables import deserialize_events, effective_events
from app.store.database import Connection, Pool
from app.store.games import GameRow
from app.store.migrations.m001_schema import MAXIMA
from app.store.statistics import ALWAYS, Columns, Months, PairRow, Sums

# Points know no bounds, integers of the database do: sums of millions of these still fit.
MOST = 10**12


def update_game(
    connection: Connection, game: GameRow, events: Sequence[Event], states: Sequence[GameState]
) -> None:
    """Work a game's statistics out anew, within the transaction that changed it.

    `events` are those that count, `states` one more: those before and after each of them.
    """
    count_game(connection, game, events, states)
    month = month_of(game.begun_at)
    store.statistics.sum_months(connection, game.table_id, (month, month))


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
    connection: Connection, game: GameRow, events: Sequence[Event], states: Sequence[GameState]
) -> None:
    """Work a game's statistics out anew, but not the sums by month."""
    month = month_of(game.begun_at)
    rows = game_statistics(events, states).rows(table_id=game.table_id, month=month)
    store.statistics.replace(connection, game.id, *rows)


def month_of(begun_at: str) -> str:
    """The month, as `2026-10`, of the evening that a game belongs to."""
    return evening_of(begun_at).isoformat()[:7]


def recount_games(connection: Connection, table_id: int, games: Iterable[GameRow]) -> None:
    """Work the statistics of games of a table out anew from their logs."""
    for game in games:
        rows = store.games.find_events(connection, game.id)
        setup = deserialize_setup(game.setup)
        events = list(deserialize_events(setup, effective_events(rows)))
        count_game(connection, game, events, replay(setup, events))
    store.statistics.sum_months(connection, table_id)


def recount(pool: Pool) -> int:
    """Work the statistics of all games of all tables out anew, and count the games."""
    with pool.transaction() as connection:
        games = store.games.find_everywhere(connection)
        for table_id, group in groupby(games, lambda game: game.table_id):
            recount_games(connection, table_id, group)
    return len(games)


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

    `biggest_swing` in points, `longest_stop` in deals; `hands` holds only those that came up.
    """

    name: str
    games: int
    staked: int
    won: int
    ore: int
    hands: Mapping[Hand, int]
    chicagos_said: int
    chicagos_made: int
    zeroings_given: int
    zeroings_suffered: int
    last_tricks: int
    biggest_swing: int
    longest_stop: int


class HeadToHead(msgspec.Struct, frozen=True):
    """What one person did against another: `ore` is what the other paid (− what was paid)."""

    other: str
    games: int
    ahead: int
    behind: int
    ore: int


class Statistics(msgspec.Struct, frozen=True):
    """A table's people over a time, most games first, and each one's meetings in that order."""

    people: tuple[PersonStatistics, ...]
    meetings: Mapping[str, tuple[HeadToHead, ...]]

    @property
    def has_money(self) -> bool:
        """Whether any game of that time was for money."""
        return any(person.staked for person in self.people)


def read_statistics(pool: Pool, table_id: int, months: Months = ALWAYS) -> Statistics:
    """The figures of a table's people between two months, as `2026-10`, both included."""
    with pool.snapshot() as connection:
        sums = store.statistics.sum_people(connection, table_id, months)
        pairs = store.statistics.sum_pairs(connection, table_id, months)
        rows = store.people.find_all(connection, table_id)
    canonical = group_names([list(sums)], rows).canonical
    people = _people(sums, canonical)
    return Statistics(people, _meetings(pairs, canonical, [person.name for person in people]))


def find_months(pool: Pool, table_id: int) -> Months | None:
    """The first and the last month that have statistics."""
    return store.statistics.find_months(pool.connection, table_id)


def _people(sums: Mapping[str, Sums], canonical: Mapping[str, str]) -> tuple[PersonStatistics, ...]:
    """Everybody's figures, those of several names of one person together."""
    totals: dict[str, Sums] = {}
    for name, row in sums.items():
        person = canonical[name]
        totals[person] = _join(totals[person], row) if person in totals else row
    people = [_person(name, row) for name, row in totals.items()]
    return tuple(sorted(people, key=lambda person: (-person.games, -person.won, person.name)))


def _join(one: Sums, other: Sums) -> Sums:
    """The figures of two names of one person."""
    return {
        column: max(value, other[column]) if column in MAXIMA else value + other[column]
        for column, value in one.items()
    }


def _person(name: str, row: Sums) -> PersonStatistics:
    hands = {hand: times for hand in Hand if (times := row.pop(hand))}
    return PersonStatistics(name=name, hands=hands, **row)


def _meetings(
    pairs: Iterable[PairRow], canonical: Mapping[str, str], order: Sequence[str]
) -> dict[str, tuple[HeadToHead, ...]]:
    """What each person did against each other, both in the same order."""
    sums: dict[tuple[str, str], Counter[str]] = {}
    for pair in pairs:
        meeting = sums.setdefault((canonical[pair.name], canonical[pair.other]), Counter())
        meeting.update(games=pair.games, ahead=pair.ahead, behind=pair.behind, ore=pair.ore)
    return {
        name: tuple(
            HeadToHead(other, **sums[name, other]) for other in order if (name, other) in sums
        )
        for name in order
    }
