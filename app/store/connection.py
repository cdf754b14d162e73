"""The connection to the database file, and what becomes of what is written by it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlite_utils import Database
from sqlite_utils.utils import sqlite3

from app.store.availability import is_busy
from app.store.table_cache import TableCache

# SQLite itself waits so long for another process, and nobody else is served meanwhile.
BUSY_SECONDS = 0.005
RETRY_SECONDS = 0.01


def connect(path: Path, timeout: float = BUSY_SECONDS) -> sqlite3.Connection:
    """The driver's connection to a file that is there. Raises its errors."""
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw",
        uri=True,
        timeout=timeout,
        isolation_level=None,
    )


def retry_while_busy(act: Callable[[], object], seconds: float) -> None:
    """Do something that another process's lock keeps from being done, and wait for that so long.

    Others are served meanwhile. Raises the driver's errors.
    """
    deadline = time.monotonic() + seconds
    while True:
        try:
            act()
            return
        except sqlite3.OperationalError as error:
            if not is_busy(error) or time.monotonic() >= deadline:
                raise
        time.sleep(RETRY_SECONDS)


class Connection(Database):
    """The connection to the database file; every commit waits until it is on disk.

    `versions` holds the new version of each table that the transaction at hand changes, 0 for one
    that it deletes; `cache` is what is known to be worked out already.
    """

    def __init__(self, path: Path, wait: float) -> None:
        """Open a file that is there. Raises the driver's errors."""
        raw = connect(path)
        try:
            # SQLite's own timeout does not hold for this.
            retry_while_busy(lambda: raw.execute("PRAGMA journal_mode=WAL"), wait)
            # Only with a first look at it there is a log.
            raw.execute("SELECT 1 FROM sqlite_master").fetchone()
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
        self.cache = TableCache()

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction or a snapshot is open."""
        return bool(self.conn.in_transaction)

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """A part of a transaction: what is done within, and only that, is undone if it fails."""
        versions, pending = dict(self.versions), dict(self.cache.pending)
        try:
            with self.atomic():
                yield
        except BaseException:
            self.versions, self.cache.pending = versions, pending
            raise
