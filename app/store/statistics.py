"""Rows of statistics: one for each player of each game with a result."""

# ruff: noqa: S608  # every piece of SQL here is put together from our own names alone

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from app.store.connection import Connection
from app.store.migrations.m001_schema import each

Columns = dict[str, object]


class ResultRow(msgspec.Struct, frozen=True):
    """An ended game's result for one player: `score` in points, `ore` won (+) or lost (−).

    `won` is 1 for a winner, else 0.
    """

    game_id: int
    begun_at: str
    name: str
    stake_ore: int
    score: int
    ore: int
    won: int


def replace(connection: Connection, game_id: int, seats: Sequence[Columns]) -> None:
    """Replace the statistics of a game; the rows name the same columns in the same order."""
    connection.execute("DELETE FROM game_statistics WHERE game_id = ?", [game_id])
    for row in seats:
        sql = f"""INSERT INTO game_statistics (game_id, {each("{}", row)})
            VALUES (?, {each("?", row)})"""
        connection.execute(sql, [game_id, *row.values()])


def walk(connection: Connection, table_id: int) -> Iterator[Columns]:
    """All statistics of the players of a table's games, with columns of those games besides."""
    sql = """SELECT number, begun_at, setup -> '$.rules' AS rules, counted.*
        FROM game_statistics AS counted JOIN games ON games.id = game_id
        WHERE counted.table_id = ? ORDER BY game_id, seat"""
    cursor = connection.execute(sql, [table_id])
    names = [column[0] for column in cursor.description]
    for row in cursor:
        yield dict(zip(names, row, strict=True))


def find_results(connection: Connection, table_id: int) -> list[ResultRow]:
    """How a table's games with a result ended, each game's players in seat order."""
    sql = f"""SELECT {each("{}", ResultRow.__struct_fields__)}
        FROM game_statistics AS counted JOIN games ON games.id = game_id
        WHERE counted.table_id = ? ORDER BY game_id, seat"""
    return [ResultRow(*row) for row in connection.execute(sql, [table_id])]
