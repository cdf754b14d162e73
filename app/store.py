"""Tables, games and events in SQLite; what a method of a write has returned from is on disk.

Secrets and links come here hashed and are never stored in the clear.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from sqlite_utils import Database
from sqlite_utils.utils import sqlite3

from app.migrations import migrations

BUSY_SECONDS = 10.0


class TableRow(msgspec.Struct, frozen=True):
    """A table: `seq` grows by one with every change."""

    id: int
    name: str
    seq: int
    created_at: str


class GameRow(msgspec.Struct, frozen=True):
    """One game of a table, `number` from 1; `setup` is a game file's JSON without its events."""

    id: int
    number: int
    setup: str
    begun_at: str


class EventRow(msgspec.Struct, frozen=True):
    """One recorded event as JSON; `taken_back` is None while it counts."""

    id: int
    seq: int
    body: str
    recorded_at: str
    taken_back: str | None


def now() -> str:
    """The time of a change, UTC."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _log_ahead(conn: sqlite3.Connection) -> None:
    """Turn the write-ahead log on; SQLite itself does not wait while another process does so."""
    patience = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            conn.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError:
            if time.monotonic() > patience:
                raise
            time.sleep(0.01)


class Store:
    """The database file, with one connection for each thread that uses it."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._local = threading.local()
        self._open: list[Database] = []
        self._migrate()

    @property
    def db(self) -> Database:
        """This thread's connection."""
        if not hasattr(self._local, "db"):
            self._local.db = self._connect()
            self._open.append(self._local.db)
        db: Database = self._local.db
        return db

    def _connect(self) -> Database:
        conn = sqlite3.connect(
            self.path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        _log_ahead(conn)
        conn.execute("PRAGMA synchronous=FULL")
        conn.execute("PRAGMA foreign_keys=ON")
        return Database(conn, strict=True, execute_plugins=False)

    def _migrate(self) -> None:
        if migrations.pending(self.db):
            with self.writing():
                migrations.apply(self.db)

    def close(self) -> None:
        """Close every connection."""
        for db in self._open:
            db.close()
        self._open.clear()
        self._local = threading.local()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One write at a time: all of it is on disk when this ends, or nothing is."""
        self.db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.db.commit()
        except BaseException:
            self.db.rollback()
            raise

    def add_table(self, link_hash: str, name: str) -> int:
        """Add a table and return its key."""
        row = {"link_hash": link_hash, "name": name, "created_at": now()}
        return int(str(self.db.table("tables").insert(row).last_pk))

    def table(self, link_hash: str) -> TableRow | None:
        """The table behind a link."""
        sql = "SELECT id, name, seq, created_at FROM tables WHERE link_hash = ?"
        row = self.db.execute(sql, [link_hash]).fetchone()
        return TableRow(*row) if row else None

    def give_pen(self, table_id: int, secret_hash: str) -> None:
        """Let whoever knows the secret write at a table."""
        row = {"table_id": table_id, "secret_hash": secret_hash, "given_at": now()}
        self.db.table("pens").insert(row, ignore=True)

    def holds_pen(self, table_id: int, secret_hash: str) -> bool:
        """Whether a secret lets its holder write at a table."""
        sql = "SELECT 1 FROM pens WHERE table_id = ? AND secret_hash = ? AND revoked_at IS NULL"
        return self.db.execute(sql, [table_id, secret_hash]).fetchone() is not None

    def add_change(self, table_id: int, what: str, request_hash: str) -> int:
        """Count one more change of a table and return its number, the new `seq`."""
        sql = "UPDATE tables SET seq = seq + 1 WHERE id = ? RETURNING seq"
        seq = int(self.db.execute(sql, [table_id]).fetchone()[0])
        row = {"table_id": table_id, "seq": seq, "what": what, "request_hash": request_hash}
        self.db.table("changes").insert({**row, "made_at": now()})
        return seq

    def request_behind(self, table_id: int, seq: int) -> str | None:
        """The hash of the request that made change `seq`."""
        sql = "SELECT request_hash FROM changes WHERE table_id = ? AND seq = ?"
        row = self.db.execute(sql, [table_id, seq]).fetchone()
        return row[0] if row else None

    def add_game(self, table_id: int, number: int, setup: str) -> None:
        """Add a table's next game."""
        row = {"table_id": table_id, "number": number, "setup": setup, "begun_at": now()}
        self.db.table("games").insert(row)

    def game(self, table_id: int, number: int) -> GameRow | None:
        """One game of a table."""
        sql = "SELECT id, number, setup, begun_at FROM games WHERE table_id = ? AND number = ?"
        row = self.db.execute(sql, [table_id, number]).fetchone()
        return GameRow(*row) if row else None

    def newest_game(self, table_id: int) -> GameRow:
        """The game a table is at."""
        sql = "SELECT id, number, setup, begun_at FROM games WHERE table_id = ?"
        newest = self.db.execute(sql + " ORDER BY number DESC LIMIT 1", [table_id]).fetchone()
        return GameRow(*newest)

    def events(self, game_id: int) -> list[EventRow]:
        """Every event ever recorded in a game, in order, those taken back included."""
        sql = "SELECT id, seq, body, recorded_at, taken_back FROM events WHERE game_id = ?"
        rows = self.db.execute(sql + " ORDER BY id", [game_id]).fetchall()
        return [EventRow(*row) for row in rows]

    def add_event(self, game_id: int, seq: int, body: str) -> None:
        """Append an event; what was undone before it can no longer be redone."""
        self._drop_undone(game_id)
        self._append(game_id, seq, body)

    def _drop_undone(self, game_id: int) -> None:
        sql = "UPDATE events SET taken_back = 'dropped' WHERE game_id = ? AND taken_back = 'undone'"
        self.db.execute(sql, [game_id])

    def _append(self, game_id: int, seq: int, body: str) -> None:
        row = {"game_id": game_id, "seq": seq, "body": body, "recorded_at": now()}
        self.db.table("events").insert(row)

    def replace_events(self, game_id: int, seq: int, first: int, bodies: list[str]) -> None:
        """Let other events count from the `first` one on (from 0); the old ones stay, marked."""
        counting = [row.id for row in self.events(game_id) if row.taken_back is None]
        sql = "UPDATE events SET taken_back = 'replaced', taken_back_seq = ? WHERE id = ?"
        for event_id in counting[first:]:
            self.db.execute(sql, [seq, event_id])
        self._drop_undone(game_id)
        for body in bodies:
            self._append(game_id, seq, body)

    def undo(self, event_id: int, seq: int) -> None:
        """Mark an event as undone."""
        sql = "UPDATE events SET taken_back = 'undone', taken_back_seq = ? WHERE id = ?"
        self.db.execute(sql, [seq, event_id])

    def redo(self, event_id: int) -> None:
        """Let an undone event count again."""
        sql = "UPDATE events SET taken_back = NULL, taken_back_seq = NULL WHERE id = ?"
        self.db.execute(sql, [event_id])
