"""The connection to the database file, its settings and its errors."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from cachetools import LRUCache
from sqlite_utils import Database
from sqlite_utils.utils import sqlite3

# SQLite itself waits so long for another process, and nobody else is served meanwhile.
BUSY_SECONDS = 0.005
# The size of the cache of views.
MAX_BYTES = 64_000_000
# So many tables' ledgers are kept, of one evening each.
MAX_LEDGERS = 64
RETRY_SECONDS = 0.01


def connect(path: Path, timeout: float = BUSY_SECONDS) -> sqlite3.Connection:
    """The driver's connection to a file that is there. Raises its errors."""
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw",
        uri=True,
        timeout=timeout,
        isolation_level=None,
    )


@contextmanager
def translated_errors() -> Iterator[None]:
    """Raise DatabaseUnavailable for every error of SQLite that means it."""
    try:
        yield
    except sqlite3.Error as error:
        if is_busy(error):
            raise DatabaseBusy(str(error)) from error
        if reason := find_reason(error):
            raise DatabaseUnavailable(reason) from error
        raise


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
    that it deletes; `newest` and `ledgers` cache views of some tables, each at a version of it.
    """

    def __init__(self, path: Path, wait: float) -> None:
        """Open a file that is there. Raises the driver's errors."""
        raw = connect(path)
        try:
            # SQLite's own timeout does not hold for this.
            retry_while_busy(lambda: raw.execute("PRAGMA journal_mode=WAL"), wait)
            # Only with a first look at it there is a log.
            raw.execute("SELECT 1 FROM sqlite_master").fetchone()
            # Deleted content is overwritten where it stood, and is in no file besides.
            raw.executescript(
                """PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;
                PRAGMA secure_delete=ON; PRAGMA temp_store=MEMORY"""
            )
        except BaseException:
            raw.close()
            raise
        super().__init__(raw, strict=True, execute_plugins=False)
        self.versions: dict[int, int] = {}
        self.newest: LRUCache[int, object] = LRUCache(MAX_BYTES, sys.getsizeof)
        self.ledgers: LRUCache[int, object] = LRUCache(MAX_LEDGERS)

    def find_number(self, sql: str, *values: object) -> int:
        """The one number that a query is answered with."""
        return int(self.execute(sql, values).fetchone()[0])

    def forget_changed(self) -> None:
        """Drop the cached views of the tables that this transaction has changed."""
        for table_id in self.versions:
            self.newest.pop(table_id, None)
            self.ledgers.pop(table_id, None)

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """A savepoint: a part of a transaction that alone is rolled back if it fails."""
        versions = dict(self.versions)
        try:
            with self.atomic():
                yield
        except BaseException:
            self.forget_changed()
            self.versions = versions
            raise


DriverError = sqlite3.Error
IntegrityError = sqlite3.IntegrityError

RefusedDatabase = Literal[
    "newer",
    "older",
    "foreign",
    "in_use",
    "unusable",
    "damaged",
    "not_copied",
    "own_file",
    "not_a_copy",
    "not_a_file",
    "no_folder",
    "linked",
    "missing",
]

# SQLite's result codes (https://sqlite.org/rescode.html) for errors that are not ours:
# PERM, BUSY, NOMEM, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, PROTOCOL, NOTADB.
_UNAVAILABLE = frozenset({3, 5, 7, 8, 10, 11, 13, 14, 15, 26})
# An extended result code has the plain one in its lowest byte.
_PLAIN = 0xFF


class DatabaseUnavailable(Exception):
    """The database cannot be read or written to just now, and nothing was changed; it says why."""


class DatabaseBusy(DatabaseUnavailable):
    """Others write to the database, and have not come to an end in time."""


class DatabaseRefused(DatabaseUnavailable):
    """A database that is not opened, or a copy that is not made: `code` says why."""

    def __init__(self, code: RefusedDatabase, file: object, why: str = "") -> None:
        super().__init__(f"{file}: {why or code}")
        self.code = code
        self.file = file
        self.why = why


def find_reason(error: BaseException) -> str | None:
    """The reason why the database is unavailable, if an error means that, for the log."""
    known = isinstance(error, DatabaseUnavailable)
    if known or getattr(error, "sqlite_errorcode", 0) & _PLAIN in _UNAVAILABLE:
        return str(error)
    return None


def is_busy(error: sqlite3.Error) -> bool:
    """Whether another process had the database locked."""
    return bool(getattr(error, "sqlite_errorcode", 0) & _PLAIN == sqlite3.SQLITE_BUSY)
