"""Taking things out of the database for good; everything else there only ever grows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from app.store import idempotency
from app.store.database import Connection

_GUARDS = ("events_immutable", "payments_immutable")


@contextmanager
def suspend_guards(connection: Connection) -> Iterator[None]:
    """Drop the triggers that protect what was recorded; create them again afterwards."""
    sql = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
    triggers = connection.execute(sql).fetchall()
    guards = {name: sql for name, sql in triggers if name in _GUARDS}
    for name in guards:
        connection.execute(f"DROP TRIGGER {name}")
    yield
    for sql in guards.values():
        connection.execute(sql)


def rewrite_setup(connection: Connection, game_id: int, setup: str) -> None:
    """Let a game have been played under these names."""
    connection.execute("UPDATE games SET setup = ? WHERE id = ?", [setup, game_id])


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


def drop_remarks(connection: Connection, table_id: int, name: str) -> None:
    """Drop the remarks from every event that speaks of a name: what is scored stays."""
    sql = """SELECT events.id, body FROM events JOIN games ON games.id = game_id
        WHERE table_id = ? AND instr(body, ?)"""
    quoted = msgspec.json.encode(name).decode()[1:-1]
    for event_id, body in connection.execute(sql, [table_id, quoted]).fetchall():
        raw = msgspec.json.decode(body, type=dict[str, object])
        scored = {key: raw[key] for key in raw if key not in ("id", "name", "at", "note")}
        text = msgspec.json.encode(scored).decode()
        connection.execute("UPDATE events SET body = ? WHERE id = ?", [text, event_id])


def delete_table(connection: Connection, table_id: int) -> None:
    """Delete a table and all that hangs on it."""
    connection.execute("DELETE FROM payments WHERE table_id = ?", [table_id])
    connection.execute("DELETE FROM tables WHERE id = ?", [table_id])


def delete_before(connection: Connection, table_id: int, day: str, newest: int) -> None:
    """Delete the games begun and the payments made before a day, never game `newest`."""
    connection.execute(
        "DELETE FROM games WHERE table_id = ? AND begun_at < ? AND number <> ?",
        [table_id, day, newest],
    )
    connection.execute("DELETE FROM payments WHERE table_id = ? AND paid_at < ?", [table_id, day])
    idempotency.drop_refusals(connection, table_id)


def scrub(connection: Connection) -> None:
    """Overwrite on disk what has been deleted, the write-ahead log included."""
    connection.execute("VACUUM")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
