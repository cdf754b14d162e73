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

from app.store.changes import ChangeFeed
from app.store.migrations import migrations

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
    uid: str
    setup: str
    begun_at: str


class EventRow(msgspec.Struct, frozen=True):
    """One recorded event as JSON; `taken_back` is None while it counts."""

    id: int
    seq: int
    body: str
    recorded_at: str
    taken_back: str | None


class StoredReply(msgspec.Struct, frozen=True):
    """An answer kept for a request that carried a key; `request_hash` tells it from others."""

    request_hash: str
    status: int
    body: str


class RuleSetRow(msgspec.Struct, frozen=True):
    """House rules kept under a name by one phone; `rules` is JSON as a game file writes it."""

    id: int
    name: str
    rules: str


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


class Pool:
    """The database file, with a connection lent to each thread while it needs one."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.changes = ChangeFeed()
        self._lent = threading.local()
        # SQLite lets writers wait by sleeping; whoever waits here is woken at once, in turn.
        self._turn = threading.Lock()
        self._idle: list[Database] = []
        self._open: list[Database] = []
        self._migrate()

    @property
    def db(self) -> Database:
        """The connection this thread has been lent, until it gives it back."""
        if not hasattr(self._lent, "db"):
            try:
                self._lent.db = self._idle.pop()
            except IndexError:
                self._lent.db = self._connect()
                self._open.append(self._lent.db)
        db: Database = self._lent.db
        return db

    def give_back(self) -> None:
        """Let another thread use this thread's connection."""
        if hasattr(self._lent, "db"):
            self._idle.append(self._lent.db)
            del self._lent.db

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
        self._idle.clear()
        self._lent = threading.local()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One write at a time: all of it is on disk when this ends, or nothing is.

        Within another write it is a part of that, which can fail by itself. Those who watch a
        changed table are told once it is on disk.
        """
        if self.db.conn.in_transaction:
            with self._part():
                yield
            return
        with self._turn:
            self._lent.changed = {}
            self.db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self.db.commit()
            except BaseException:
                self.db.rollback()
                raise
        for table_id, seq in self._lent.changed.items():
            self.changes.publish(table_id, seq)

    @contextmanager
    def _part(self) -> Iterator[None]:
        """Take back what is done within, and only that, when it fails."""
        before = dict(self._lent.changed)
        self.db.execute("SAVEPOINT part")
        try:
            yield
        except BaseException:
            self.db.execute("ROLLBACK TO part")
            self._lent.changed = before
            raise
        finally:
            self.db.execute("RELEASE part")

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Read several things as they were at one moment, whoever writes meanwhile."""
        if self.db.conn.in_transaction:
            yield
            return
        self.db.execute("BEGIN")
        try:
            yield
        finally:
            self.db.rollback()

    def add_table(self, link_hash: str, name: str) -> int:
        """Add a table and return its key."""
        row = {"link_hash": link_hash, "name": name, "created_at": now()}
        return int(str(self.db.table("tables").insert(row).last_pk))

    def table(self, link_hash: str) -> TableRow | None:
        """The table behind a link."""
        sql = "SELECT id, name, seq, created_at FROM tables WHERE link_hash = ?"
        row = self.db.execute(sql, [link_hash]).fetchone()
        return TableRow(*row) if row else None

    def access(self, link_hash: str, pen_hash: str) -> tuple[int, str, int, bool] | None:
        """The key, name and version of the table behind a link, and whether a pen writes there."""
        sql = """SELECT id, name, seq, EXISTS (SELECT 1 FROM pens
                WHERE table_id = tables.id AND secret_hash = ? AND revoked_at IS NULL)
            FROM tables WHERE link_hash = ?"""
        row = self.db.execute(sql, [pen_hash, link_hash]).fetchone()
        return (int(row[0]), str(row[1]), int(row[2]), bool(row[3])) if row else None

    def seq(self, table_id: int) -> int:
        """A table's version."""
        row = self.db.execute("SELECT seq FROM tables WHERE id = ?", [table_id]).fetchone()
        return int(row[0]) if row else 0

    def give_pen(self, table_id: int, secret_hash: str) -> None:
        """Let whoever knows the secret write at a table."""
        sql = """INSERT INTO pens (table_id, secret_hash, given_at) VALUES (?, ?, ?)
            ON CONFLICT DO UPDATE SET given_at = excluded.given_at, revoked_at = NULL"""
        self.db.execute(sql, [table_id, secret_hash, now()])

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
        self._lent.changed[table_id] = seq
        return seq

    def request_behind(self, table_id: int, seq: int) -> str | None:
        """The hash of the request that made change `seq`."""
        sql = "SELECT request_hash FROM changes WHERE table_id = ? AND seq = ?"
        row = self.db.execute(sql, [table_id, seq]).fetchone()
        return row[0] if row else None

    def add_game(
        self, table_id: int, number: int, uid: str, setup: str, begun_at: str | None = None
    ) -> int:
        """Add a table's next game and return its key; `uid` tells it from all others anywhere."""
        row = {"table_id": table_id, "number": number, "uid": uid, "setup": setup}
        added = self.db.table("games").insert({**row, "begun_at": begun_at or now()})
        return int(str(added.last_pk))

    def game(self, table_id: int, number: int) -> GameRow | None:
        """One game of a table."""
        sql = "SELECT id, number, uid, setup, begun_at FROM games WHERE table_id = ? AND number = ?"
        row = self.db.execute(sql, [table_id, number]).fetchone()
        return GameRow(*row) if row else None

    def newest_game(self, table_id: int) -> GameRow:
        """The game a table is at."""
        sql = "SELECT id, number, uid, setup, begun_at FROM games WHERE table_id = ?"
        newest = self.db.execute(sql + " ORDER BY number DESC LIMIT 1", [table_id]).fetchone()
        return GameRow(*newest)

    def events(self, game_id: int) -> list[EventRow]:
        """Every event ever recorded in a game, in order, those taken back included."""
        sql = "SELECT id, seq, body, recorded_at, taken_back FROM events WHERE game_id = ?"
        rows = self.db.execute(sql + " ORDER BY id", [game_id]).fetchall()
        return [EventRow(*row) for row in rows]

    def add_event(self, game_id: int, seq: int, body: str, at: str | None = None) -> None:
        """Append an event; what was undone before it can no longer be redone."""
        self._drop_undone(game_id)
        self._append(game_id, seq, body, at)

    def _drop_undone(self, game_id: int) -> None:
        sql = "UPDATE events SET taken_back = 'dropped' WHERE game_id = ? AND taken_back = 'undone'"
        self.db.execute(sql, [game_id])

    def _append(self, game_id: int, seq: int, body: str, at: str | None = None) -> None:
        row = {"game_id": game_id, "seq": seq, "body": body, "recorded_at": at or now()}
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

    def games(self, table_id: int) -> list[GameRow]:
        """All games of a table, oldest first."""
        sql = (
            "SELECT id, number, uid, setup, begun_at FROM games WHERE table_id = ? ORDER BY number"
        )
        return [GameRow(*row) for row in self.db.execute(sql, [table_id]).fetchall()]

    def answer(self, scope: str, key: str) -> StoredReply | None:
        """The answer that was given to a request with this key."""
        sql = "SELECT request_hash, status, body FROM answers WHERE scope = ? AND key = ?"
        row = self.db.execute(sql, [scope, key]).fetchone()
        return StoredReply(*row) if row else None

    def keep_answer(self, table_id: int, scope: str, key: str, answer: StoredReply) -> None:
        """Keep an answer, to be given again when the same request comes again."""
        row = {"table_id": table_id, "scope": scope, "key": key, "made_at": now()}
        self.db.table("answers").insert(row | msgspec.structs.asdict(answer))

    def revoke_pens(self, table_id: int, but: str) -> None:
        """Take back every pen and every link that gives one, but for one secret's."""
        sql = "UPDATE {} SET revoked_at = ? WHERE table_id = ? AND secret_hash <> ?"
        for kind in ("pens", "pen_links"):
            self.db.execute(sql.format(kind) + " AND revoked_at IS NULL", [now(), table_id, but])

    def add_pen_link(self, table_id: int, secret_hash: str) -> None:
        """Add a link that gives a pen to whoever opens it."""
        row = {"table_id": table_id, "secret_hash": secret_hash, "made_at": now()}
        self.db.table("pen_links").insert(row)

    def opens_pen_link(self, table_id: int, secret_hash: str) -> bool:
        """Whether a link's secret still gives a pen."""
        sql = "SELECT 1 FROM pen_links WHERE table_id = ? AND secret_hash = ?"
        found = self.db.execute(sql + " AND revoked_at IS NULL", [table_id, secret_hash])
        return found.fetchone() is not None

    def keep_rule_set(self, owner_hash: str, name: str, rules: str) -> None:
        """Keep rules under a name, in place of what that name stood for."""
        sql = """INSERT INTO rule_sets (owner_hash, name, rules, kept_at) VALUES (?, ?, ?, ?)
        ON CONFLICT (owner_hash, name) DO UPDATE SET rules = excluded.rules"""
        self.db.execute(sql, [owner_hash, name, rules, now()])

    def rule_sets(self, owner_hash: str) -> list[RuleSetRow]:
        """The rules that somebody has kept, by name."""
        sql = "SELECT id, name, rules FROM rule_sets WHERE owner_hash = ? ORDER BY name, id"
        return [RuleSetRow(*row) for row in self.db.execute(sql, [owner_hash]).fetchall()]

    def forget_rule_set(self, owner_hash: str, set_id: int) -> None:
        """Forget rules that somebody has kept."""
        sql = "DELETE FROM rule_sets WHERE owner_hash = ? AND id = ?"
        self.db.execute(sql, [owner_hash, set_id])
