"""The database file: a pool of connections, and transactions that publish their changes."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from sqlite_utils import Database
from sqlite_utils.utils import sqlite3

from app.store.background import Background
from app.store.changes import ChangeFeed
from app.store.migrations import migrations

BUSY_SECONDS = 10.0
# The database is locked, full, or out of order.
DatabaseError: type[Exception] = sqlite3.Error


def now() -> str:
    """The time of a change, UTC."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Connection(Database):
    """One connection to the database file; every commit waits until it is on disk.

    `versions` holds the new version of each table that the transaction at hand changes, 0 for one
    that it deletes.
    """

    def __init__(self, path: Path) -> None:
        raw = sqlite3.connect(
            path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        _use_write_ahead_log(raw)
        raw.execute("PRAGMA synchronous=FULL")
        raw.execute("PRAGMA foreign_keys=ON")
        # What is deleted is overwritten where it stood, and is in no file besides.
        raw.execute("PRAGMA secure_delete=ON").fetchall()
        raw.execute("PRAGMA temp_store=MEMORY")
        super().__init__(raw, strict=True, execute_plugins=False)
        self.versions: dict[int, int] = {}

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction or a snapshot is open."""
        return bool(self.conn.in_transaction)

    @contextmanager
    def write(self) -> Iterator[None]:
        """A transaction: all of it is on disk when this ends, or nothing is."""
        self.versions.clear()
        self.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.commit()
        except BaseException:
            self.rollback()
            raise

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """A part of a transaction: what is done within, and only that, is undone if it fails."""
        before = dict(self.versions)
        self.execute("SAVEPOINT part")
        try:
            yield
        except BaseException:
            self.execute("ROLLBACK TO part")
            self.versions = before
            raise
        finally:
            self.execute("RELEASE part")


def _use_write_ahead_log(conn: sqlite3.Connection) -> None:
    """Turn the write-ahead log on; SQLite itself does not wait while another process does so."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            conn.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)


class Pool:
    """The connections to one database file; each thread has one while it needs it."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.changes = ChangeFeed()
        self.background = Background()
        # Held by whoever erases: one at a time.
        self.erasing = threading.Lock()
        self._local = threading.local()
        # SQLite lets writers wait by sleeping; whoever waits here is woken at once, in turn.
        self._turn = threading.Lock()
        self._idle: list[Connection] = []
        self._open: list[Connection] = []
        self._migrate()

    @property
    def connection(self) -> Connection:
        """This thread's connection, checked out of the pool until it is released."""
        if not hasattr(self._local, "connection"):
            self._local.connection = self._check_out()
        connection: Connection = self._local.connection
        return connection

    def _check_out(self) -> Connection:
        try:
            return self._idle.pop()
        except IndexError:
            connection = Connection(self.path)
            self._open.append(connection)
            return connection

    def release(self) -> None:
        """Return this thread's connection to the pool."""
        if hasattr(self._local, "connection"):
            self._idle.append(self._local.connection)
            del self._local.connection

    def close(self) -> None:
        """Close every connection."""
        self.background.close()
        for connection in self._open:
            connection.close()
        self._open.clear()
        self._idle.clear()
        self._local = threading.local()

    def _migrate(self) -> None:
        if migrations.pending(self.connection):
            # Earlier versions left what was deleted in the file.
            if self.connection.table_names():
                self.connection.execute("VACUUM")
            with self.transaction() as connection:
                migrations.apply(connection)

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Write, one at a time: all of it is on disk when this ends, or nothing is.

        Within another transaction this is a savepoint of that. The changes of tables are
        published once it is all on disk.
        """
        connection = self.connection
        if connection.in_transaction:
            with connection.savepoint():
                yield connection
            return
        with self._turn, connection.write():
            yield connection
        for table_id, seq in connection.versions.items():
            self.changes.publish(table_id, seq)

    def rewrite(self) -> None:
        """Write the whole file anew, without what is not used of it; everybody waits for it."""
        with self._turn:
            self.connection.execute("VACUUM")

    def checkpoint(self) -> None:
        """Move what can be moved of the write-ahead log into the database, while others write."""
        self.connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def truncate_log(self) -> bool:
        """Move the write-ahead log into the database and empty it, in turn with others' writes.

        False, and at once, when somebody still reads what was before.
        """
        self.checkpoint()
        connection = self.connection
        patience = connection.execute("PRAGMA busy_timeout").fetchone()[0]
        with self._turn:
            connection.execute("PRAGMA busy_timeout=0").fetchall()
            try:
                sql = "PRAGMA wal_checkpoint(TRUNCATE)"
                busy, frames, moved = connection.execute(sql).fetchone()
            finally:
                connection.execute(f"PRAGMA busy_timeout={patience}").fetchall()
        return not busy and frames == moved

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """Read several things as they were at one moment, whoever writes meanwhile."""
        connection = self.connection
        if connection.in_transaction:
            yield connection
            return
        connection.execute("BEGIN")
        try:
            yield connection
        finally:
            connection.rollback()
