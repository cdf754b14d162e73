"""Taking things out of the database for good; everything else there only ever grows."""

from __future__ import annotations

import msgspec

from app.store import Store

_KEPT = ("events_are_kept", "changes_are_kept", "payments_are_kept")


def without_guards(store: Store) -> dict[str, str]:
    """Lift the guards that keep what was recorded, and return them to be put back."""
    sql = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
    guards = {name: made for name, made in store.db.execute(sql).fetchall() if name in _KEPT}
    for name in guards:
        store.db.execute(f"DROP TRIGGER {name}")
    return guards


def put_back(store: Store, guards: dict[str, str]) -> None:
    """Put the guards back."""
    for made in guards.values():
        store.db.execute(made)


def rewrite_setup(store: Store, game_id: int, setup: str) -> None:
    """Let a game have been played under these names."""
    store.db.execute("UPDATE games SET setup = ? WHERE id = ?", [setup, game_id])


def rename(store: Store, table_id: int, name: str, new: str) -> None:
    """Put a new name in place of one wherever the table keeps names by themselves."""
    store.db.execute(
        "UPDATE people SET name = ?, swish = NULL WHERE table_id = ? AND name = ?",
        [new, table_id, name],
    )
    store.db.execute(
        "UPDATE tables SET name = replace(name, ?, ?) WHERE id = ?", [name, new, table_id]
    )
    store.db.execute("DELETE FROM answers WHERE table_id = ?", [table_id])


def drop_remarks(store: Store, table_id: int, name: str) -> None:
    """Take the remarks from every event that speaks of a name: what is scored stays."""
    sql = """SELECT events.id, body FROM events JOIN games ON games.id = game_id
        WHERE table_id = ? AND instr(body, ?)"""
    written = msgspec.json.encode(name).decode()[1:-1]
    for event_id, body in store.db.execute(sql, [table_id, written]).fetchall():
        raw = msgspec.json.decode(body, type=dict[str, object])
        kept = {key: raw[key] for key in raw if key not in ("id", "name", "at", "note")}
        text = msgspec.json.encode(kept).decode()
        store.db.execute("UPDATE events SET body = ? WHERE id = ?", [text, event_id])


def delete_table(store: Store, table_id: int) -> None:
    """Delete a table and all that hangs on it."""
    store.db.execute("DELETE FROM payments WHERE table_id = ?", [table_id])
    store.db.execute("DELETE FROM tables WHERE id = ?", [table_id])


def delete_before(store: Store, table_id: int, day: str, newest: int) -> None:
    """Delete the games begun and the payments made before a day, never game `newest`."""
    store.db.execute(
        "DELETE FROM games WHERE table_id = ? AND begun_at < ? AND number <> ?",
        [table_id, day, newest],
    )
    store.db.execute("DELETE FROM payments WHERE table_id = ? AND paid_at < ?", [table_id, day])
    store.db.execute("DELETE FROM answers WHERE table_id = ?", [table_id])


def scrub(store: Store) -> None:
    """Overwrite on disk what has been deleted, the log of changes included."""
    store.db.execute("VACUUM")
    store.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def payments_before(store: Store, table_id: int, day: str) -> int:
    """How many payments were recorded before a day."""
    sql = "SELECT count(*) FROM payments WHERE table_id = ? AND paid_at < ?"
    return int(store.db.execute(sql, [table_id, day]).fetchone()[0])
