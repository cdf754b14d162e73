"""Rows for the list of a table's games, the newest first."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import msgspec

from app.store.connection import Connection
from app.store.games import GameRow


class ListedRow(msgspec.Struct, frozen=True):
    """One game for a list: `players` and `winners` are names, a line each.

    There are no winners of a game without statistics: one that is being played, or void.
    """

    id: int
    number: int
    begun_at: str
    players: str
    winners: str


_NAMES = "SELECT group_concat(name, char(10)) FROM game_statistics WHERE game_id = games.id"
# Of a game without statistics the names stand in its setup.
_SEATED = """SELECT group_concat(value, char(10)) FROM (
        SELECT value FROM json_each(setup, '$.players')
        UNION ALL SELECT value FROM json_each(setup, '$.joined'))"""
# Names are looked up last, so that those of games beyond the limit are not.
# A game in which nothing is recorded is none yet.
_WALK = f"""SELECT id, number, begun_at,
        COALESCE(({_NAMES}), ({_SEATED})),
        COALESCE(({_NAMES} AND won), '')
    FROM (SELECT * FROM games WHERE undone_seq IS NULL AND table_id = ?
            AND EXISTS (SELECT 1 FROM events WHERE game_id = games.id AND until_seq IS NULL)
        ORDER BY julianday(begun_at) DESC, number DESC LIMIT ? OFFSET ?) AS games"""  # noqa: S608  # our own SQL


def walk(
    connection: Connection, table_id: int, limit: int = -1, offset: int = 0
) -> Iterator[ListedRow]:
    """The games of a table, those begun last first, read as they are asked for."""
    for row in connection.execute(_WALK, [table_id, limit, offset]):
        yield ListedRow(*row)


def find_rows(connection: Connection, ids: Collection[int]) -> dict[int, GameRow]:
    """Games by their keys."""
    sql = f"""SELECT id, table_id, number, uid, setup, begun_at, started_seq FROM games
        WHERE id IN ({", ".join("?" * len(ids))})"""  # noqa: S608  # our own SQL
    return {row[0]: GameRow(*row) for row in connection.execute(sql, [*ids]).fetchall()}


def find_winners(connection: Connection, game_id: int) -> tuple[str, ...]:
    """Who won a game, nobody while it is played, in seat order."""
    sql = "SELECT name FROM game_statistics WHERE game_id = ? AND won ORDER BY seat"
    return tuple(name for (name,) in connection.execute(sql, [game_id]).fetchall())


def find_neighbours(
    connection: Connection, table_id: int, number: int
) -> tuple[int | None, int | None]:
    """The numbers of the games before and after one of a table's, None where there is none."""
    sql = """SELECT
        (SELECT MAX(number) FROM games
            WHERE undone_seq IS NULL AND table_id = ?1 AND number < ?2),
        (SELECT MIN(number) FROM games
            WHERE undone_seq IS NULL AND table_id = ?1 AND number > ?2)"""
    before, after = connection.execute(sql, [table_id, number]).fetchone()
    return before, after
