"""What is kept of each month of a table, by person: worked out from the statistics of its games.

Whoever changes those, or who is who, lets this follow within the same transaction.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from itertools import groupby

import msgspec

from app import store
from app.rules.hands import Hand
from app.rules.statistics import SeatStatistics
from app.rules.totals import DatedGame, Totals, add_up, total_games
from app.services.evening import evening_of
from app.services.serialization import deserialize_setup, to_json
from app.store import clock
from app.store.connection import Connection
from app.store.database import Pool
from app.store.statistics import ALWAYS, Columns, Months, TotalsRow


def read_games(
    connection: Connection, table_id: int, months: Collection[str] | None = None
) -> list[DatedGame]:
    """A table's games that have statistics, of some months or of all, in the order of play."""
    rows = store.statistics.find_played(connection, table_id, months)
    games = [_read_game(list(group)) for _, group in groupby(rows, lambda row: row["number"])]
    return [game for _, game in sorted(games, key=_place)]


def _place(begun: tuple[datetime, DatedGame]) -> tuple[str, datetime, int]:
    """Where a game belongs: numbers tell in which order games came to the table."""
    at, game = begun
    return game.evening, at, game.number


def _read_game(rows: Sequence[Columns]) -> tuple[datetime, DatedGame]:
    """When a game began, and what was played."""
    game = rows[0]
    at = clock.local(str(game["begun_at"]))
    return at, DatedGame(
        number=msgspec.convert(game["number"], int),
        evening=evening_of(at).isoformat(),
        is_staked=bool(game["stake_ore"]),
        target=deserialize_setup(str(game["setup"])).rules.target,
        seats=[_read_seat(row) for row in rows],
    )


def _read_seat(row: Columns) -> SeatStatistics:
    hands = {hand: row[hand] for hand in Hand}
    return msgspec.convert({**row, "won": bool(row["won"]), "hands": hands}, SeatStatistics)


def total_months(
    connection: Connection,
    table_id: int,
    months: Collection[str] | None = None,
    *,
    has_more: bool = False,
) -> None:
    """Work what is kept of some months out anew, or of all.

    `has_more` where games have been added to them, and none was changed.
    """
    rows = [
        TotalsRow(month, place, person, to_json(totals))
        for month, group in groupby(read_games(connection, table_id, months), _month_of)
        for place, (person, totals) in enumerate(total_games(list(group)).items(), start=1)
    ]
    if not has_more:
        store.statistics.drop_totals(connection, table_id, months)
    store.statistics.save_totals(connection, table_id, rows)


def _month_of(game: DatedGame) -> str:
    return game.evening[:7]


def fill_months(pool: Pool) -> None:
    """Work out what is kept of the months of every table that lacks one of them yet."""
    for table_id in store.statistics.find_without_totals(pool.connection):
        with pool.transaction() as connection:
            total_months(connection, table_id)


def read_totals(
    connection: Connection, table_id: int, months: Months = ALWAYS
) -> Mapping[str, Totals]:
    """Everybody's totals between two months, as `2026-10`, both included."""
    parts: dict[str, list[Totals]] = {}
    for row in store.statistics.find_totals(connection, table_id, months):
        parts.setdefault(row.person, []).append(msgspec.json.decode(row.body, type=Totals))
    return {name: add_up(theirs) for name, theirs in parts.items()}
