"""One connection to the database file, and what becomes of what is written by it."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlite_utils import Database
from sqlite_utils.utils import sqlite3

from app.store.availability import Deadline, is_busy
from app.store.table_cache import CacheView, TableCache

# So long a change waits to be its turn and for other processes, all in all.
WAIT_SECONDS = 1.0


def connect(path: Path, timeout: float = WAIT_SECONDS) -> sqlite3.Connection:
    """The driver's connection to a file that is there. Raises its errors."""
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw",
        uri=True,
        timeout=timeout,
        isolation_level=None,
        check_same_thread=False,
    )


class Connection(Database):
    """One connection to the database file; every commit waits until it is on disk.

    `versions` holds the new version of each table that the transaction at hand changes, 0 for one
    that it deletes; `cache` is what that, or the snapshot at hand, knows to be worked out already.
    """

    def __init__(self, path: Path, deadline: Deadline) -> None:
        """Open a file that is there. Raises the driver's errors."""
        raw = connect(path, timeout=deadline.remaining)
        try:
            _use_write_ahead_log(raw, deadline)
            raw.execute("PRAGMA synchronous=FULL")
            raw.execute("PRAGMA foreign_keys=ON")
            # What is deleted is overwritten where it stood, and is in no file besides.
            raw.execute("PRAGMA secure_delete=ON").fetchall()
            raw.execute("PRAGMA temp_store=MEMORY")
        except BaseException:
            raw.close()
            raise
        super().__init__(raw, strict=True, execute_plugins=False)
        self.versions: dict[int, int] = {}
        self.cache = CacheView(TableCache())
        self._busy_timeout = 0
        self._wait_at_most(WAIT_SECONDS)

    def _wait_at_most(self, seconds: float) -> None:
        """Set how long a statement waits for another process, to a hundredth of a second."""
        milliseconds = math.ceil(seconds * 100) * 10
        if milliseconds != self._busy_timeout:
            self.execute(f"PRAGMA busy_timeout={milliseconds}")
            self._busy_timeout = milliseconds

    @contextmanager
    def waiting(self, seconds: float) -> Iterator[None]:
        """Let statements wait so long for another process, and afterwards as long as usual."""
        self._wait_at_most(seconds)
        try:
            yield
        finally:
            self._wait_at_most(WAIT_SECONDS)

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction or a snapshot is open."""
        return bool(self.conn.in_transaction)

    @contextmanager
    def caching(self, cache: TableCache) -> Iterator[None]:
        """Look into a cache; once this is over nothing of it is held."""
        self.cache = CacheView(cache)
        try:
            yield
        finally:
            self.cache = CacheView(TableCache())

    @contextmanager
    def write(self, deadline: Deadline) -> Iterator[None]:
        """A transaction: all of it is on disk when this ends, or nothing is.

        Until the deadline it waits for what another process writes.
        """
        self.versions.clear()
        self._wait_at_most(deadline.remaining)
        self.conn.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.commit()
        except BaseException:
            self.rollback()
            raise

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """A part of a transaction: what is done within, and only that, is undone if it fails."""
        versions, cache = dict(self.versions), self.cache.copy()
        self.execute("SAVEPOINT part")
        try:
            yield
        except BaseException:
            # Of some errors, as that the disk is full, SQLite itself ends the whole transaction.
            if self.in_transaction:
                self.execute("ROLLBACK TO part")
                self.execute("RELEASE part")
            self.versions, self.cache = versions, cache
            raise
        self.execute("RELEASE part")


def _use_write_ahead_log(conn: sqlite3.Connection, deadline: Deadline) -> None:
    """Turn the write-ahead log on; SQLite itself does not wait while another process does so."""
    while True:
        try:
            conn.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if not (is_busy(error) and deadline.remaining):
                raise
            time.sleep(0.01)
