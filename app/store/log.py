"""The log of a table: one row a change, which is one version of the table.

A row never changes but for `undone`, the version at which it was undone. Undo and redo are rows
too, so that the rows up to a version tell which counted then. Erasing rewrites or deletes rows.
"""

# ruff: noqa: S608  # every piece of SQL here is put together from our own names alone

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec
from msgspec.structs import astuple

from app.store.database import Connection
from app.store.schema import STARTS

# `game` is 0 for a change of no one game. `import` is a game that was played elsewhere; at a
# version of `pens` or `forget` nothing was recorded; at one of `pens` rights or notes changed.
ChangeKind = Literal[
    "open",
    "import",
    "start",
    "record",
    "edit",
    "undo",
    "redo",
    "pay",
    "unpay",
    "people",
    "rename",
    "pens",
    "forget",
    "erase",
]
_COLUMNS = "seq, kind, game, body, at, undone, entries"
# At these versions nothing was recorded.
PASSED_OVER = "kind IN ('undo', 'redo', 'pens', 'forget', 'erase')"
_NEW = "kind NOT IN ('undo', 'redo', 'pens', 'forget')"
# `+seq` sorts the few rows of one game, where SQLite would go through all of the table's.
_OF_GAME = """table_id = ?1 AND game IN (0, ?2)
    AND kind NOT IN ('pay', 'unpay', 'pens', 'forget', 'erase')"""
_NEWEST = f"""SELECT seq FROM changes WHERE table_id = ?1 AND undone IS NULL
    AND NOT {PASSED_OVER} ORDER BY seq DESC LIMIT 1"""


class ChangeRow(msgspec.Struct, frozen=True):
    """A change, as JSON; with it the table counts for `entry_count` entries."""

    seq: int
    kind: ChangeKind
    game: int
    body: str
    at: str
    undone: int | None = None
    entry_count: int = 0


_APPEND = f"""INSERT INTO changes (table_id, {_COLUMNS}, pen_id, key, request)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""


class Key(msgspec.Struct, frozen=True):
    """Hashes: by which a repeated change is known, and of all that it asks."""

    key: bytes
    request: bytes


def append(
    connection: Connection,
    table_id: int,
    row: ChangeRow,
    pen_id: int | None,
    key: Key | None = None,
) -> None:
    """Append a change to a table's log."""
    keys = astuple(key) if key else (None, None)
    connection.execute(_APPEND, [table_id, *astuple(row), pen_id, *keys])
    connection.versions[table_id] = row.seq


def drop_mark(connection: Connection, table_id: int, seq: int) -> int:
    """Drop the version of a table at which only pens or names went; how many were such: 0 or 1."""
    sql = "DELETE FROM changes WHERE table_id = ? AND seq = ? AND kind IN ('pens', 'forget')"
    return int(connection.execute(sql, [table_id, seq]).rowcount)


def mark(connection: Connection, table_id: int, seq: int, undone: int | None) -> None:
    """Let a change count no more, being undone at a version; or again, with None."""
    sql = "UPDATE changes SET undone = ? WHERE table_id = ? AND seq = ?"
    connection.execute(sql, [undone, table_id, seq])


def refresh_undone(connection: Connection, table_id: int, seqs: Iterable[int]) -> None:
    """Let changes count, or not, as the undo and redo of them in the log tell."""
    sql = """UPDATE changes SET undone = (SELECT CASE kind WHEN 'undo' THEN seq END
            FROM changes AS later WHERE later.table_id = ?1 AND later.game = changes.game
            AND kind IN ('undo', 'redo') AND body = CAST(?2 AS TEXT) ORDER BY +seq DESC LIMIT 1)
        WHERE table_id = ?1 AND seq = ?2"""
    connection.conn.executemany(sql, [(table_id, seq) for seq in seqs])


def find_key(connection: Connection, table_id: int, key: Key) -> tuple[int, bytes] | None:
    """The version at which a change with this key was accepted, and its request."""
    sql = "SELECT seq, request FROM changes WHERE table_id = ? AND key = ?"
    found: tuple[int, bytes] | None = connection.execute(sql, [table_id, key.key]).fetchone()
    return found


def find_newest(connection: Connection, table_id: int) -> int:
    """The newest version of a table at which more than rights or notes changed."""
    sql = """SELECT seq FROM changes WHERE table_id = ? AND kind <> 'pens'
        ORDER BY seq DESC LIMIT 1"""
    return connection.find_number(sql, table_id)


def find_done(connection: Connection, table_id: int) -> ChangeRow | None:
    """The change that undo takes back next; nothing from before an opening or an import."""
    rows = _select(connection, f"table_id = ?1 AND seq = ({_NEWEST})", table_id)
    return next((row for row in rows if row.kind not in ("open", "import")), None)


def find_undone(connection: Connection, table_id: int) -> ChangeRow | None:
    """The change that redo brings next: none once something new was recorded."""
    # A change to redo came after all that count.
    where = f"""table_id = ?1 AND seq > ({_NEWEST}) AND undone >
        (SELECT seq FROM changes WHERE table_id = ?1 AND {_NEW} ORDER BY seq DESC LIMIT 1)
        ORDER BY undone DESC LIMIT 1"""
    return next(iter(_select(connection, where, table_id)), None)


def read_game(
    connection: Connection, table_id: int, number: int, until: int | None = None
) -> list[ChangeRow]:
    """The changes of one game that count, or that counted at version `until`, in order.

    Those at which the table's people or settings changed, too, but no payments.
    """
    if until is not None:
        rows = read_all_of_game(connection, table_id, number)
        return counting([row for row in rows if row.seq <= until])
    where = f"{_OF_GAME} AND undone IS NULL ORDER BY +seq"
    return _select(connection, where, table_id, number)


def read_all_of_game(connection: Connection, table_id: int, number: int) -> list[ChangeRow]:
    """The changes of one game, and of the table's people and settings, counting or not."""
    return _select(connection, f"{_OF_GAME} ORDER BY +seq", table_id, number)


def read_settings(connection: Connection, table_id: int) -> list[ChangeRow]:
    """The changes that count of no one game: payments, people, names and rules."""
    where = "table_id = ? AND game = 0 AND undone IS NULL ORDER BY +seq"
    return _select(connection, where, table_id)


def read_opening(connection: Connection, table_id: int) -> list[ChangeRow]:
    """The first row of a table's oldest game."""
    where = f"table_id = ? AND {STARTS} AND undone IS NULL ORDER BY game LIMIT 1"
    return _select(connection, where, table_id)


def counting(rows: Sequence[ChangeRow]) -> list[ChangeRow]:
    """Those of some rows that count by the last of them; undo and redo themselves left out."""
    undone: set[int] = set()
    for row in rows:
        if row.kind == "undo":
            undone.add(int(row.body))
        elif row.kind == "redo":
            undone.discard(int(row.body))
    return [row for row in rows if row.seq not in undone and row.kind not in ("undo", "redo")]


def _select(connection: Connection, where: str, *values: object) -> list[ChangeRow]:
    sql = f"SELECT {_COLUMNS} FROM changes WHERE {where}"
    return [ChangeRow(*row) for row in connection.execute(sql, values).fetchall()]


def find_newest_game(connection: Connection, table_id: int) -> int:
    """The number of a table's newest game."""
    sql = f"""SELECT game FROM changes WHERE table_id = ? AND undone IS NULL AND {STARTS}
        ORDER BY game DESC LIMIT 1"""
    return connection.find_number(sql, table_id)


def find_starts(connection: Connection, table_id: int) -> list[tuple[int, str, str]]:
    """The number of each game of a table, when it was begun, and its id, by number."""
    sql = f"""SELECT game, at, body ->> '$.id' FROM changes
        WHERE table_id = ? AND undone IS NULL AND {STARTS} ORDER BY game"""
    return list(connection.execute(sql, [table_id]).fetchall())


def find_games_until(connection: Connection, table_id: int, seq: int) -> list[int]:
    """The numbers of the games that were begun by a version, the newest first."""
    sql = """SELECT DISTINCT game FROM changes WHERE table_id = ? AND seq <= ? AND game > 0
        ORDER BY game DESC"""
    return [number for (number,) in connection.execute(sql, [table_id, seq]).fetchall()]
