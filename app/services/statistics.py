"""How the statistics of games follow what is recorded of them.

A game's statistics are worked out from its log when it ends, is mended, comes in, or is taken up
again by undoing its end; within the same transaction, so that they are never of another moment.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from app.rules.events import Event
from app.rules.game import replay
from app.rules.hands import Hand
from app.rules.state import GameState
from app.rules.statistics import PairStatistics, SeatStatistics, pair_statistics, seat_statistics
from app.services.evening import evening_of
from app.services.people import group_names
from app.services.serialization import deserialize_setup
from app.services.tables import deserialize_events, effective_events
from app.store import games as game_rows
from app.store import people, statistics
from app.store.database import Connection, Pool
from app.store.games import GameRow
from app.store.statistics import ALWAYS, HANDS, MOSTS, SUMS, Columns

# Points know no bounds, integers of the database do: sums of millions of these still fit.
MOST = 10**12


def update_game(
    connection: Connection, game: GameRow, events: Sequence[Event], states: Sequence[GameState]
) -> None:
    """Work a game's statistics out anew, within the transaction that changed it.

    `events` are those that count, `states` one more: those before and after each of them.
    """
    day = evening_of(game.begun_at).isoformat()
    common: Columns = {"table_id": game.table_id, "month": day[:7]}
    dated = {**common, "day": day, "stake_ore": states[-1].setup.stake_ore}
    seats = [dated | _seat_row(seat) for seat in seat_statistics(states, events)]
    pairs = [common | _pair_row(pair) for pair in pair_statistics(states[-1])]
    statistics.replace(connection, game.id, seats, pairs)


def recount_game(connection: Connection, game: GameRow) -> None:
    """Work a game's statistics out anew from its log."""
    rows = game_rows.find_events(connection, game.id)
    setup = deserialize_setup(game.setup)
    events = list(deserialize_events(setup, effective_events(rows)))
    update_game(connection, game, events, replay(setup, events))


def recount(pool: Pool) -> int:
    """Work the statistics of all games of all tables out anew, and count the games."""
    with pool.transaction() as connection:
        every = game_rows.find_everywhere(connection)
        for game in every:
            recount_game(connection, game)
    return len(every)


def _seat_row(seat: SeatStatistics) -> Columns:
    row = msgspec.structs.asdict(seat)
    hands = row.pop("hands")
    row |= {str(hand): times for hand, times in hands.items()}
    return row | {key: clamp(row[key]) for key in ("ore", "score", "biggest_swing")}


def _pair_row(pair: PairStatistics) -> Columns:
    """A pair in the order of its names, so that the same two are one whoever sat first."""
    row = msgspec.structs.asdict(pair) | {"ore": clamp(pair.ore)}
    if pair.a < pair.b:
        return row
    turned = {"a": pair.b, "b": pair.a, "a_ahead": pair.b_ahead, "b_ahead": pair.a_ahead}
    return row | turned | {"ore": -clamp(pair.ore)}


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


def read_statistics(pool: Pool, table_id: int, months: tuple[str, str] = ALWAYS) -> Statistics:
    """The figures of a table's people between two months, as `2026-10`, both included."""
    with pool.snapshot() as connection:
        sums = statistics.sum_people(connection, table_id, months)
        pairs = statistics.sum_pairs(connection, table_id, months)
        rows = people.find_all(connection, table_id)
    canonical = group_names([[name for name, _ in sums]], rows).canonical
    persons = _persons(sums, canonical)
    order = [person.name for person in persons]
    return Statistics(tuple(persons), _meetings(pairs, canonical, order))


def covered_months(pool: Pool, table_id: int) -> tuple[str, str] | None:
    """The first and the last month that have statistics."""
    return statistics.find_months(pool.connection, table_id)


def _persons(
    found: Iterable[tuple[str, list[int]]], canonical: Mapping[str, str]
) -> list[PersonStatistics]:
    sums: dict[str, list[int]] = {}
    for name, values in found:
        person = canonical[name]
        sums[person] = _join(sums[person], values) if person in sums else values
    persons = [_person(name, values) for name, values in sums.items()]
    return sorted(persons, key=lambda person: (-person.games, -person.won, person.name))


def _join(one: list[int], other: list[int]) -> list[int]:
    """The figures of two names of one person."""
    added = [a + b for a, b in zip(one[: len(SUMS)], other, strict=False)]
    most = [max(a, b) for a, b in zip(one[len(SUMS) :], other[len(SUMS) :], strict=True)]
    return added + most


def _person(name: str, values: list[int]) -> PersonStatistics:
    named = dict(zip((*SUMS, *MOSTS), values, strict=True))
    hands = {Hand(hand): times for hand in HANDS if (times := named.pop(hand))}
    return PersonStatistics(name=name, hands=hands, **named)


def _meetings(
    met: Iterable[tuple[str, str, list[int]]], canonical: Mapping[str, str], order: list[str]
) -> dict[str, tuple[HeadToHead, ...]]:
    sums: dict[tuple[str, str], list[int]] = {}
    for a, b, (games, a_ahead, b_ahead, ore) in met:
        one, other = canonical[a], canonical[b]
        for key, values in (
            ((one, other), (games, a_ahead, b_ahead, ore)),
            ((other, one), (games, b_ahead, a_ahead, -ore)),
        ):
            before = sums.get(key, [0, 0, 0, 0])
            sums[key] = [x + y for x, y in zip(before, values, strict=True)]
    return {
        name: tuple(HeadToHead(b, *sums[name, b]) for b in order if (name, b) in sums)
        for name in order
    }
