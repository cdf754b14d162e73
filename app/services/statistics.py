"""The statistics of games: a row for each player, worked out with the game, added up when read.

A game's rows follow it within the transaction that ends, mends, imports or takes it up again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import lru_cache
from itertools import groupby
from typing import cast

import msgspec

from app import store
from app.rules.events import Event
from app.rules.game import replay
from app.rules.hands import Hand
from app.rules.presets import read_rules
from app.rules.state import GameState
from app.rules.statistics import (
    PairStatistics,
    SeatStatistics,
    pair_statistics,
    seat_statistics,
)
from app.rules.totals import (
    DatedGame,
    PersonStatistics,
    TableRecord,
    add_up,
    find_table_records,
    group_by_person,
)
from app.services.evening import evening_of
from app.services.game_states import deserialize_events, effective_events
from app.services.people import group_names
from app.services.serialization import deserialize_setup
from app.store import clock
from app.store.connection import Connection
from app.store.database import Database
from app.store.games import GameRow
from app.store.statistics import Columns

# The first and the last month of a time, as `2026-10`, both included.
Months = tuple[str, str]
ALWAYS = ("0000-00", "9999-99")
# Points know no bounds, integers of the database do: sums of millions of these still fit.
MOST = 10**12
# Of a time with more games, counted by player, the curve goes from month to month.
MOST_SEATS = 160


def update_game(
    connection: Connection, game: GameRow, events: Sequence[Event], states: Sequence[GameState]
) -> None:
    """Replace a game's statistics, within the transaction that changed it.

    `events` are those that count, `states` one more: those before and after each of them.
    """
    key = {"table_id": game.table_id, "evening": evening_of(game.begun_at).isoformat()}
    rows = [key | row for row in game_statistics(events, states)]
    store.statistics.replace(connection, game.id, rows)


def game_statistics(events: Sequence[Event], states: Sequence[GameState]) -> list[Columns]:
    """A row for each player of a game, none while it is played, from what `update_game` takes."""
    stake = states[-1].setup.stake_ore
    return [{"stake_ore": stake, **_write_seat(seat)} for seat in seat_statistics(states, events)]


def _write_seat(seat: SeatStatistics) -> Columns:
    row = msgspec.structs.asdict(seat)
    hands = row.pop("hands")
    row |= {str(hand): times for hand, times in hands.items()}
    return row | {key: _clamp(row[key]) for key in ("ore", "score", "biggest_swing")}


def _clamp(number: int) -> int:
    """A number of points or öre cut off at what the database sums."""
    return max(-MOST, min(MOST, number))


def recount(db: Database) -> int:
    """Work the statistics of all games of all tables out anew from their logs; count the games."""
    with db.transaction() as connection:
        games = store.games.find_everywhere(connection)
        for game in games:
            rows = effective_events(store.games.find_events(connection, game.id))
            events = list(deserialize_events(game.setup, rows))
            update_game(connection, game, events, replay(deserialize_setup(game.setup), events))
    return len(games)


def read_games(connection: Connection, table_id: int) -> list[DatedGame]:
    """A table's games that have statistics, by person, in the order of play."""
    people = store.people.find_all(connection, table_id)
    whose = group_names([[row.name for row in people]], people).canonical
    rows = store.statistics.walk(connection, table_id)
    games = groupby(rows, lambda row: row["game_id"])
    # Numbers tell in which order games came to the table.
    return sorted(
        (_read_game(list(seats), whose) for _, seats in games),
        key=lambda game: (game.begun_at, game.number),
    )


def _read_game(seats: Sequence[Columns], whose: Mapping[str, str]) -> DatedGame:
    game = seats[0]
    at = clock.local(str(game["begun_at"]))
    return DatedGame(
        number=cast("int", game["number"]),
        begun_at=at.replace(tzinfo=None).isoformat(timespec="microseconds"),
        evening=evening_of(at).isoformat(),
        is_staked=bool(game["stake_ore"]),
        target=_find_target(str(game["rules"])),
        seats=[_read_seat(seat, whose) for seat in seats],
    )


@lru_cache(maxsize=64)
def _find_target(rules: str) -> int:
    """The target of house rules as the database has them: most games have the same."""
    return read_rules(msgspec.json.decode(rules))[1].target


def _read_seat(row: Columns, whose: Mapping[str, str]) -> SeatStatistics:
    name = str(row["name"])
    own = {
        "name": whose.get(name, name),
        "won": bool(row["won"]),
        "hands": {hand: row[hand] for hand in Hand},
    }
    return msgspec.convert(row | own, SeatStatistics)


class HeadToHead(msgspec.Struct, frozen=True):
    """One person's games against another: `ore` is what the other paid (− the other way)."""

    other: str
    games: int
    ahead: int
    behind: int
    ore: int


class Statistics(msgspec.Struct, frozen=True):
    """A table's people over a time, most games first, their meetings, and the table's records.

    `games` are those of that time, `span` the first and the last month of all games.
    """

    people: tuple[PersonStatistics, ...] = ()
    meetings: Mapping[str, tuple[HeadToHead, ...]] = {}
    records: tuple[TableRecord, ...] = ()
    games: tuple[DatedGame, ...] = ()
    span: Months | None = None

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
    people = sorted(
        (add_up(name, theirs) for name, theirs in played.items()),
        key=lambda person: (-person.games, -person.won, person.name),
    )
    return Statistics(
        people=tuple(people),
        meetings=_find_meetings(games, [person.name for person in people]),
        records=tuple(find_table_records(played)),
        games=tuple(games),
        span=(everything[0].evening[:7], everything[-1].evening[:7]) if everything else None,
    )


def _find_meetings(
    games: Iterable[DatedGame], order: Sequence[str]
) -> dict[str, tuple[HeadToHead, ...]]:
    """Each person against each other: first whom they were ahead of most of the time."""
    met: dict[str, dict[str, list[PairStatistics]]] = {name: {} for name in order}
    for game in games:
        for pair in pair_statistics(game.seats):
            met[pair.name].setdefault(pair.other, []).append(pair)
    return {
        name: tuple(
            sorted(
                (_add_pairs(other, theirs[other]) for other in order if other in theirs),
                key=lambda each: (each.behind - each.ahead) / each.games,
            )
        )
        for name, theirs in met.items()
    }


def _add_pairs(other: str, pairs: Sequence[PairStatistics]) -> HeadToHead:
    return HeadToHead(
        other,
        len(pairs),
        ahead=sum(pair.ahead for pair in pairs),
        behind=sum(pair.behind for pair in pairs),
        ore=sum(pair.ore for pair in pairs),
    )


def add_by_evening(figures: Statistics) -> Mapping[date | str, Mapping[str, int]]:
    """Öre won (+) or lost (−) by evening and person, or games won where there is no money.

    Of many games by month, written as `2026-10`.
    """
    few = sum(len(game.seats) for game in figures.games) <= MOST_SEATS
    sums: dict[date | str, Counter[str]] = {}
    for game in figures.games:
        when = date.fromisoformat(game.evening) if few else game.evening[:7]
        amounts = sums.setdefault(when, Counter())
        for seat in game.seats:
            amounts[seat.name] += seat.ore if figures.has_money else seat.won
    return sums
