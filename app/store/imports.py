"""Rows of games that come in whole: a portion of them in a handful of statements.

However many rows there are, Python hands them over at once: between statements another thread may
take its turn, and others wait for the write lock meanwhile.
"""

# ruff: noqa: S608  # every piece of SQL here is put together from our own names alone

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from app.rules.currency import USUAL, Currency
from app.store import tables
from app.store.clock import now
from app.store.connection import Connection
from app.store.migrations.m001_schema import each
from app.store.statistics import Columns
from app.store.table_copy import SEAT_COLUMNS
from app.store.tables import TableRow

# A table that is being imported has this instead of the hash of its link, so nobody opens it yet.
UNFINISHED = "unfinished"

_ADD_EVENTS = """INSERT INTO events (game_id, seq, body, recorded_at)
    SELECT games.id, ?, json_extract(event.value, '$[0]'),
        COALESCE(json_extract(event.value, '$[1]'), ?)
    FROM json_each(?) AS game CROSS JOIN games CROSS JOIN json_each(game.value, '$[1]') AS event
    WHERE games.table_id = ? AND games.number = json_extract(game.value, '$[0]')
    ORDER BY game.key, event.key"""
# Rows of statistics, given as JSON objects, of the games they name.
_ADD_SEATS = f"""INSERT INTO game_statistics (game_id, table_id, {each("{}", SEAT_COLUMNS)})
    SELECT games.id, games.table_id, {each("json_extract(row.value, '$.{0}')", SEAT_COLUMNS)}
    FROM json_each(?) AS row CROSS JOIN games
    WHERE games.table_id = ? AND games.number = json_extract(row.value, '$.number')"""


class ImportedGame(msgspec.Struct, frozen=True):
    """A game to be added, with its statistics; `events` is JSON: of each its body and its time.

    The rows of statistics name their columns and, as `number`, the game they belong to.
    """

    number: int
    uid: str
    setup: str
    begun_at: str
    events: bytes
    seats: Sequence[Columns]


def add_games(
    connection: Connection, table_id: int, seq: int, games: Sequence[ImportedGame]
) -> None:
    """Add games, numbered one after another, their events and their statistics, to a table."""
    rows = [(table_id, game.number, game.uid, game.setup, game.begun_at) for game in games]
    places = each("{}", ["(?, ?, ?, ?, ?)"] * len(rows))
    connection.execute(
        f"INSERT INTO games (table_id, number, uid, setup, begun_at) VALUES {places}",
        [value for row in rows for value in row],
    )
    events = [(game.number, msgspec.Raw(game.events)) for game in games]
    connection.execute(_ADD_EVENTS, [seq, now(), _to_json(events), table_id])
    seats = [row for game in games for row in game.seats]
    connection.execute(_ADD_SEATS, [_to_json(seats), table_id])


def _to_json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def add_unfinished_table(
    connection: Connection, token: str, name: str, currency: Currency = USUAL
) -> TableRow:
    """Add a table that no link opens before `finish_table`."""
    return tables.add(connection, f"{UNFINISHED} {token}", name, currency)


def finish_table(connection: Connection, table_id: int, link_hash: str) -> None:
    """Let a link open a table that has been imported."""
    sql = "UPDATE tables SET link_hash = ? WHERE id = ?"
    connection.execute(sql, [link_hash, table_id])


def find_unfinished_tables(connection: Connection) -> list[int]:
    """The keys of the tables that no link opens yet."""
    sql = "SELECT id FROM tables WHERE link_hash GLOB ?"
    return [key for (key,) in connection.execute(sql, [f"{UNFINISHED} *"]).fetchall()]


def delete_newest_game(connection: Connection, table_id: int) -> bool:
    """Delete the newest game of a table; whether there was one."""
    sql = """DELETE FROM games WHERE id =
        (SELECT id FROM games WHERE table_id = ? ORDER BY number DESC LIMIT 1)"""
    return bool(connection.execute(sql, [table_id]).rowcount)
