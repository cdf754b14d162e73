"""Taking things out of the database for good; everything else there only ever grows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Literal

import msgspec

from app.store import idempotency
from app.store.connection import Connection

Stage = Literal["rows", "file", "log"]

_REMARKS = ("id", "name", "at", "note")


class ErasureRow(msgspec.Struct, frozen=True):
    """An erasure that is not over: what is left to do, and the words that are to be in no file.

    `stage` is where those still stand: in rows, in unallocated space of the database file, or in
    the write-ahead log. `task` and `words` are JSON.
    """

    id: int
    table_id: int
    stage: Stage
    task: str
    words: str


@contextmanager
def suspend_guards(connection: Connection) -> Iterator[None]:
    """Let what was recorded be changed, within this transaction; what was worked out is dropped."""
    connection.cache.clear()
    connection.execute("INSERT INTO suspended_guards VALUES (1)")
    yield
    connection.execute("DELETE FROM suspended_guards")


def add(connection: Connection, table_id: int, task: str, words: str) -> ErasureRow:
    """Add an erasure of which nothing is done."""
    sql = "INSERT INTO erasures (table_id, stage, task, words) VALUES (?, 'rows', ?, ?)"
    key = connection.execute(sql, [table_id, task, words]).lastrowid
    return ErasureRow(int(key or 0), table_id, "rows", task, words)


def find_first(connection: Connection) -> ErasureRow | None:
    """The oldest erasure that is not over."""
    sql = "SELECT id, table_id, stage, task, words FROM erasures ORDER BY id LIMIT 1"
    row = connection.execute(sql).fetchone()
    return ErasureRow(*row) if row else None


def is_pending(connection: Connection, table_id: int) -> bool:
    """Whether anything of a table is still to be erased."""
    sql = "SELECT EXISTS (SELECT 1 FROM erasures WHERE table_id = ?)"
    return bool(connection.execute(sql, [table_id]).fetchone()[0])


def save_task(connection: Connection, row: ErasureRow, task: str) -> None:
    """Record what is left to do."""
    connection.execute("UPDATE erasures SET task = ? WHERE id = ?", [task, row.id])


def leave_rows(connection: Connection, row: ErasureRow) -> None:
    """Record that the words are in no row any more."""
    sql = "UPDATE erasures SET stage = 'file', task = '0' WHERE id = ?"
    connection.execute(sql, [row.id])


def leave_file(connection: Connection, row: ErasureRow) -> None:
    """Record that they are nowhere in the file; from now on they are not known here either."""
    sql = "UPDATE erasures SET stage = 'log', words = '' WHERE id = ?"
    connection.execute(sql, [row.id])


def remove(connection: Connection, row: ErasureRow) -> None:
    """Record that an erasure is over."""
    connection.execute("DELETE FROM erasures WHERE id = ?", [row.id])


def rename_in_game(connection: Connection, game_id: int, setup: str, name: str, new: str) -> None:
    """Let a game have been played under these names, in its setup and in its statistics."""
    connection.execute("UPDATE games SET setup = ? WHERE id = ?", [setup, game_id])
    sql = "UPDATE game_statistics SET name = ? WHERE game_id = ? AND name = ?"
    connection.execute(sql, [new, game_id, name])


def rename(connection: Connection, table_id: int, name: str, new: str) -> None:
    """Put a new name in place of one wherever the table holds names by themselves."""
    connection.execute(
        "UPDATE people SET name = ?, swish = NULL WHERE table_id = ? AND name = ?",
        [new, table_id, name],
    )
    connection.execute(
        "UPDATE tables SET name = replace(name, ?, ?) WHERE id = ?", [name, new, table_id]
    )
    idempotency.drop_refusals(connection, table_id)


def replace_uid(connection: Connection, game_id: int, uid: str) -> None:
    """Let a game be known by another id."""
    connection.execute("UPDATE games SET uid = ? WHERE id = ?", [uid, game_id])


def drop_remarks(connection: Connection, game_id: int, name: str) -> None:
    """Drop the remarks from every event of which one speaks of a name: what is scored stays."""
    quoted = msgspec.json.encode(name).decode()[1:-1]
    sql = "SELECT id, body FROM events WHERE game_id = ? AND instr(body, ?)"
    for event_id, body in connection.execute(sql, [game_id, quoted]).fetchall():
        raw = msgspec.json.decode(body, type=dict[str, object])
        remarks = msgspec.json.encode([raw.get(key) for key in _REMARKS]).decode()
        if quoted in remarks:
            scored = {key: raw[key] for key in raw if key not in _REMARKS}
            text = msgspec.json.encode(scored).decode()
            connection.execute("UPDATE events SET body = ? WHERE id = ?", [text, event_id])


def detach_table(connection: Connection, table_id: int) -> None:
    """Let no link and no pen open a table any more; it has no name either.

    That link is no other table's, ever: who had it would read there.
    """
    sql = "INSERT INTO gone_links SELECT link_hash FROM tables WHERE id = ?"
    connection.execute(sql, [table_id])
    sql = "UPDATE tables SET link_hash = 'deleted ' || id, name = '' WHERE id = ?"
    connection.execute(sql, [table_id])
    connection.execute("DELETE FROM pens WHERE table_id = ?", [table_id])
    connection.versions[table_id] = 0


def delete_game(connection: Connection, game_id: int) -> None:
    """Delete a game with its log and its statistics."""
    connection.execute("DELETE FROM games WHERE id = ?", [game_id])


def delete_table(connection: Connection, table_id: int) -> None:
    """Delete a table and all that hangs on it."""
    connection.cache.drop(table_id)
    connection.execute("DELETE FROM payments WHERE table_id = ?", [table_id])
    connection.execute("DELETE FROM tables WHERE id = ?", [table_id])


def delete_payments(connection: Connection, table_id: int, moment: str) -> None:
    """Delete the payments made before a moment."""
    connection.execute(
        "DELETE FROM payments WHERE table_id = ? AND paid_at < ?", [table_id, moment]
    )
    idempotency.drop_refusals(connection, table_id)


def delete_people(connection: Connection, table_id: int, names: Sequence[str]) -> None:
    """Delete the people who are none of these, unless a payment or another name is theirs."""
    sql = """DELETE FROM people WHERE table_id = ?1
        AND name NOT IN (SELECT value FROM json_each(?2))
        AND id NOT IN (SELECT payer FROM payments WHERE table_id = ?1)
        AND id NOT IN (SELECT payee FROM payments WHERE table_id = ?1)
        AND id NOT IN (
            SELECT same_as FROM people WHERE table_id = ?1 AND same_as IS NOT NULL
        )"""
    connection.execute(sql, [table_id, msgspec.json.encode(names).decode()])
