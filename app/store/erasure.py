"""Taking things out of the database for good; everything else there only ever grows."""

from __future__ import annotations

import msgspec

from app.store.database import Pool

_KEPT = ("events_are_kept", "changes_are_kept", "payments_are_kept")


def without_guards(pool: Pool) -> dict[str, str]:
    """Lift the guards that keep what was recorded, and return them to be put back."""
    sql = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
    guards = {name: made for name, made in pool.db.execute(sql).fetchall() if name in _KEPT}
    for name in guards:
        pool.db.execute(f"DROP TRIGGER {name}")
    return guards


def put_back(pool: Pool, guards: dict[str, str]) -> None:
    """Put the guards back."""
    for made in guards.values():
        pool.db.execute(made)


def rewrite_setup(pool: Pool, game_id: int, setup: str) -> None:
    """Let a game have been played under these names."""
    pool.db.execute("UPDATE games SET setup = ? WHERE id = ?", [setup, game_id])


def rename(pool: Pool, table_id: int, name: str, new: str) -> None:
    """Put a new name in place of one wherever the table keeps names by themselves."""
    pool.db.execute(
        "UPDATE people SET name = ?, swish = NULL WHERE table_id = ? AND name = ?",
        [new, table_id, name],
    )
    pool.db.execute(
        "UPDATE tables SET name = replace(name, ?, ?) WHERE id = ?", [name, new, table_id]
    )
    pool.db.execute("DELETE FROM answers WHERE table_id = ?", [table_id])


def drop_remarks(pool: Pool, table_id: int, name: str) -> None:
    """Take the remarks from every event that speaks of a name: what is scored stays."""
    sql = """SELECT events.id, body FROM events JOIN games ON games.id = game_id
        WHERE table_id = ? AND instr(body, ?)"""
    written = msgspec.json.encode(name).decode()[1:-1]
    for event_id, body in pool.db.execute(sql, [table_id, written]).fetchall():
        raw = msgspec.json.decode(body, type=dict[str, object])
        kept = {key: raw[key] for key in raw if key not in ("id", "name", "at", "note")}
        text = msgspec.json.encode(kept).decode()
        pool.db.execute("UPDATE events SET body = ? WHERE id = ?", [text, event_id])


def delete_table(pool: Pool, table_id: int) -> None:
    """Delete a table and all that hangs on it."""
    pool.db.execute("DELETE FROM payments WHERE table_id = ?", [table_id])
    pool.db.execute("DELETE FROM tables WHERE id = ?", [table_id])


def delete_before(pool: Pool, table_id: int, day: str, newest: int) -> None:
    """Delete the games begun and the payments made before a day, never game `newest`."""
    pool.db.execute(
        "DELETE FROM games WHERE table_id = ? AND begun_at < ? AND number <> ?",
        [table_id, day, newest],
    )
    pool.db.execute("DELETE FROM payments WHERE table_id = ? AND paid_at < ?", [table_id, day])
    pool.db.execute("DELETE FROM answers WHERE table_id = ?", [table_id])


def scrub(pool: Pool) -> None:
    """Overwrite on disk what has been deleted, the log of changes included."""
    pool.db.execute("VACUUM")
    pool.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def payments_before(pool: Pool, table_id: int, day: str) -> int:
    """How many payments were recorded before a day."""
    sql = "SELECT count(*) FROM payments WHERE table_id = ? AND paid_at < ?"
    return int(pool.db.execute(sql, [table_id, day]).fetchone()[0])
