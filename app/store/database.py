"""The database file: the process's one connection, and transactions that publish their changes."""

import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import sqlite_utils
from cachetools import LRUCache
from sqlite_utils.utils import sqlite3

from app.store import files
from app.store.files import (
    WRITE_AHEAD_LOG,
    DatabaseBusy,
    DatabaseUnavailable,
    beside,
    check_schema,
    is_busy,
    translated_errors,
)
from app.store.schema import migrations

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


class Connection(sqlite_utils.Database):
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


# So long a change waits for another process, such as a backup.
WAIT_SECONDS = 1.0


class Database:
    """The process's connection to one database file.

    All requests share it, so nothing may let another one go on (sleep, or wait for the network)
    within a transaction or a snapshot. Whatever keeps the database from being used is raised as
    DatabaseUnavailable, and nothing is changed.
    """

    def __init__(self, path: str | Path) -> None:
        """Open a database, make it if there is none, and bring it up to date.

        Raises DatabaseUnavailable, as DatabaseRefused where it is newer or is no database of ours.
        """
        self.path = Path(path)
        self.changes = ChangeFeed()
        self._log = beside(self.path, WRITE_AHEAD_LOG)
        self._identities: dict[Path, tuple[int, int] | None] = {}
        self._connection: Connection | None = None
        try:
            self._prepare()
        except BaseException:
            self.close()
            raise

    def _prepare(self) -> None:
        files.prepare(self.path)
        self._identities[self.path] = _identify(self.path)
        with translated_errors():
            # Before anything is changed in it, as the way it is written to is.
            raw = connect(self.path, WAIT_SECONDS)
            with closing(sqlite_utils.Database(raw, execute_plugins=False)) as opened:
                check_schema(opened, self.path)
            if migrations.pending(self.connection):
                with self.transaction() as connection:
                    migrations.apply(connection)

    @property
    def connection(self) -> Connection:
        """The connection, opened anew after an error. Raises DatabaseUnavailable."""
        if self._connection is None:
            self._require_same_files()
            with translated_errors():
                opened = Connection(self.path, WAIT_SECONDS)
            try:
                # What was written when a sync failed, or was killed before it, is read from there.
                with files.translated_file_errors(self._log):
                    files.synchronize(self._log)
            except DatabaseUnavailable:
                opened.close()
                raise
            self._connection = opened
            self._identities[self._log] = _identify(self._log)
        return self._connection

    def close(self) -> None:
        """Close the connection until one is asked for: one that has failed may go on failing."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None
        # With the last connection SQLite removes the log; the next one begins another.
        self._identities.pop(self._log, None)

    def _require_same_files(self) -> None:
        """Refuse to go on with a file that has been removed or replaced.

        Its content would be gone with the connection. Raises DatabaseUnavailable.
        """
        for path, identity in self._identities.items():
            if identity is None or _identify(path) != identity:
                message = f"{path} has been removed or replaced; stop the server and restore it"
                raise DatabaseUnavailable(message)

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Write: all of it is on disk when this ends, or nothing is.

        Within another transaction this is a savepoint of that. The changes of tables are
        published once it is all on disk. Raises DatabaseUnavailable, as DatabaseBusy where
        another process writes for longer than WAIT_SECONDS.
        """
        connection = self.connection
        if connection.conn.in_transaction:
            with connection.savepoint():
                yield connection
            return
        try:
            with translated_errors():
                retry_while_busy(partial(connection.execute, "BEGIN IMMEDIATE"), WAIT_SECONDS)
                connection.versions = {}
                try:
                    yield connection
                    self._require_same_files()
                    connection.commit()
                except BaseException:
                    connection.forget_changed()
                    connection.rollback()
                    raise
        except DatabaseBusy:
            raise
        except DatabaseUnavailable:
            # The connection may be of no use now.
            self.close()
            raise
        for table_id, seq in list(connection.versions.items()):
            self.changes.publish(table_id, seq)

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """Read at one moment of the database, while another process may write.

        Raises DatabaseUnavailable.
        """
        connection = self.connection
        if connection.conn.in_transaction:
            yield connection
            return
        with translated_errors():
            connection.conn.execute("BEGIN")
            try:
                yield connection
            finally:
                connection.rollback()

    def vacuum(self) -> bool:
        """Write the whole file anew, without deleted content, and empty the log.

        Everybody waits for it. False where somebody else still reads older content. Raises
        DatabaseUnavailable.
        """
        # While the log cannot be emptied it would only grow by another copy of the database.
        if not self.truncate_log():
            return False
        with translated_errors():
            # A copy of the database is no temporary table: it may be too large for the memory.
            self.connection.execute("PRAGMA temp_store=FILE")
            try:
                self.connection.execute("VACUUM")
            finally:
                self.connection.execute("PRAGMA temp_store=MEMORY")
                # Of one that failed the log is as large as the database.
                is_empty = self.truncate_log()
        return is_empty

    def truncate_log(self) -> bool:
        """Move the write-ahead log into the database and empty it.

        False where somebody else still reads older content. Raises DatabaseUnavailable.
        """
        with translated_errors():
            sql = "PRAGMA wal_checkpoint(TRUNCATE)"
            busy, frames, moved = self.connection.execute(sql).fetchone()
        return not busy and frames == moved

    def check_writable(self) -> None:
        """Read and write in a transaction that changes nothing. Raises DatabaseUnavailable."""
        with self.transaction() as connection:
            version = connection.find_number("PRAGMA user_version")
            # SQLite writes the page that this number is on, also when it stays as it was.
            connection.execute(f"PRAGMA user_version={version}")


def _identify(path: Path) -> tuple[int, int] | None:
    """The identity of a file, which another one of its name does not have; None for none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


class Subscription:
    """One subscriber to one table, told of its newest version alone."""

    def __init__(self) -> None:
        self._changed = threading.Event()
        self._newest = 0

    def notify(self, seq: int) -> None:
        """Wake who waits: the table is at version `seq`, 0 where it is deleted."""
        self._newest = seq
        self._changed.set()

    def wait(self, seconds: float) -> int | None:
        """Wait for a change since the last one; None where there was none in that time."""
        if not self._changed.wait(seconds):
            return None
        self._changed.clear()
        return self._newest


class ChangeFeed:
    """Publishes each change of a table to its subscribers."""

    def __init__(self) -> None:
        self.subscriptions: dict[int, set[Subscription]] = defaultdict(set)

    @contextmanager
    def subscribe(self, table_id: int) -> Iterator[Subscription]:
        """Listen at a table; a change from now on is not missed."""
        subscription = Subscription()
        self.subscriptions[table_id].add(subscription)
        try:
            yield subscription
        finally:
            self.subscriptions[table_id].remove(subscription)
            if not self.subscriptions[table_id]:
                del self.subscriptions[table_id]

    def publish(self, table_id: int, seq: int) -> None:
        """Tell the subscribers that a table is now at version `seq`, 0 where it is deleted."""
        for subscription in self.subscriptions.get(table_id, ()):
            subscription.notify(seq)
