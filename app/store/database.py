"""The database file: a pool of connections, and transactions that publish their changes."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from io import FileIO
from pathlib import Path

from sqlite_utils import Database
from sqlite_utils.utils import sqlite3

from app.store import files
from app.store.availability import (
    DatabaseBusy,
    DatabaseUnavailable,
    Deadline,
    is_busy,
    translate_errors,
)
from app.store.background import AtOnce, Background
from app.store.changes import ChangeFeed
from app.store.fair_lock import FairLock
from app.store.files import WRITE_AHEAD_LOG, Identity, beside
from app.store.migrations import migrations
from app.store.startup import check_schema

# So long a change waits to be its turn and for other processes, all in all.
WAIT_SECONDS = 1.0
# And so long it takes, at the start of a new version, that another process brings it up to date.
MIGRATION_SECONDS = 30.0


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
    that it deletes.
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
    def write(self, deadline: Deadline) -> Iterator[None]:
        """A transaction: all of it is on disk when this ends, or nothing is.

        Until the deadline it waits for what another process writes.
        """
        self.versions.clear()
        self._wait_at_most(deadline.remaining)
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
            # Of some errors, as that the disk is full, SQLite itself ends the whole transaction.
            if self.in_transaction:
                self.execute("ROLLBACK TO part")
                self.execute("RELEASE part")
            self.versions = before
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


class Pool:
    """The connections to one database file; each thread has one while it needs it.

    Whatever keeps the database from being used is raised as DatabaseUnavailable, and what was to
    be changed is not.
    """

    def __init__(self, path: str | Path, background: Background | AtOnce | None = None) -> None:
        """Open a database, make it if there is none, and bring it up to date.

        What goes on in the `background` has a thread of its own, unless told otherwise.
        Raises DatabaseUnavailable, as DatabaseRefused where it is newer or is no database of ours.
        """
        self.path = Path(path)
        self._log = beside(self.path, WRITE_AHEAD_LOG)
        self.changes = ChangeFeed()
        self.background = background or Background()
        # Held by whoever erases: one at a time.
        self.erasing = threading.Lock()
        self._local = threading.local()
        # SQLite lets writers wait by sleeping; whoever waits here is woken at once, in turn.
        self._turn = FairLock()
        self._idle: list[Connection] = []
        self._open: list[Connection] = []
        self._identities: dict[Path, Identity] = {}
        self._file: FileIO | None = None
        try:
            self._prepare()
        except BaseException:
            self.close()
            raise

    @property
    def connection(self) -> Connection:
        """This thread's connection, checked out of the pool until it is released."""
        return self._connect(Deadline(WAIT_SECONDS))

    def _connect(self, deadline: Deadline) -> Connection:
        if not hasattr(self._local, "connection"):
            self._local.connection = self._check_out(deadline)
        connection: Connection = self._local.connection
        return connection

    def _check_out(self, deadline: Deadline) -> Connection:
        try:
            return self._idle.pop()
        except IndexError:
            with translate_errors():
                connection = Connection(self.path, deadline)
            self._open.append(connection)
            self._require_same_file(self.path)
            return connection

    def release(self) -> None:
        """Return this thread's connection to the pool, unless it is in the middle of something."""
        if hasattr(self._local, "connection") and not self._local.connection.in_transaction:
            self._idle.append(self._local.connection)
            del self._local.connection

    def _discard(self) -> None:
        """Close this thread's connection: one that has failed may go on failing for ever."""
        connection: Connection = self._local.connection
        del self._local.connection
        connection.close()
        self._open.remove(connection)
        if not self._open:
            # With the last connection the log goes too; the next one begins another.
            self._identities.pop(self._log, None)

    def close(self) -> None:
        """Close every connection."""
        self.background.close()
        for connection in self._open:
            connection.close()
        self._open.clear()
        self._idle.clear()
        self._local = threading.local()
        if self._file is not None:
            self._file.close()
            self._file = None

    def open_file(self) -> FileIO:
        """The database file, to be read as it is on the disk; it is closed with the pool.

        Whoever closed it while a connection is open would drop the locks that SQLite holds for this
        process, and another program could then take the write-ahead log away.
        """
        if self._file is None:
            self._file = FileIO(self.path)
        return self._file

    def _prepare(self) -> None:
        try:
            files.prepare(self.path)
        except OSError as error:
            raise DatabaseUnavailable(error.strerror or str(error)) from error
        with translate_errors():
            # Before anything is changed in it, as the way it is written to is.
            with closing(Database(connect(self.path), execute_plugins=False)) as database:
                check_schema(database, self.path)
                outdated = bool(migrations.pending(database))
            self._connect(Deadline(MIGRATION_SECONDS if outdated else WAIT_SECONDS))
            if outdated:
                self._drop_deleted()
                with self.transaction(MIGRATION_SECONDS) as connection:
                    migrations.apply(connection)

    def _drop_deleted(self) -> None:
        """Write the whole file anew: earlier versions left in it what was deleted."""
        if self.connection.table_names():
            self.rewrite(MIGRATION_SECONDS)

    def _require_same_file(self, *paths: Path) -> None:
        """Refuse to go on with a file that has been removed or replaced.

        What is written to it would be gone with the last connection. Raises DatabaseUnavailable.
        """
        for path in paths:
            found = files.identify(path)
            if found is None or found != self._identities.setdefault(path, found):
                message = f"{path} has been removed or replaced; stop the server and restore it"
                raise DatabaseUnavailable(message)

    @contextmanager
    def transaction(self, wait: float | None = None) -> Iterator[Connection]:
        """Write, one at a time: all of it is on disk when this ends, or nothing is.

        Within another transaction this is a savepoint of that. The changes of tables are
        published once it is all on disk. Raises DatabaseUnavailable, after `wait` seconds of
        waiting at most; left out, WAIT_SECONDS.
        """
        deadline = Deadline(WAIT_SECONDS if wait is None else wait)
        connection = self._connect(deadline)
        if connection.in_transaction:
            with connection.savepoint():
                yield connection
            return
        try:
            with translate_errors(), self._take_turn(deadline), connection.write(deadline):
                yield connection
                self._require_same_file(self.path, self._log)
        except DatabaseBusy:
            raise
        except DatabaseUnavailable:
            self._discard()
            raise
        for table_id, seq in connection.versions.items():
            self.changes.publish(table_id, seq)

    def rewrite(self, wait: float | None = None) -> None:
        """Write the whole file anew, without what is not used of it; everybody waits for it.

        Raises DatabaseUnavailable, when it is not our turn after `wait` seconds as well.
        """
        deadline = Deadline(WAIT_SECONDS if wait is None else wait)
        connection = self._connect(deadline)
        with translate_errors(), self._take_turn(deadline), connection.waiting(deadline.remaining):
            connection.execute("VACUUM")

    def checkpoint(self) -> None:
        """Move what can be moved of the write-ahead log into the database, while others write.

        Raises DatabaseUnavailable.
        """
        with translate_errors():
            self.connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def truncate_log(self) -> bool:
        """Move the write-ahead log into the database and empty it, in turn with others' writes.

        False, and at once, when somebody still reads what was before. Raises DatabaseUnavailable.
        """
        self.checkpoint()
        connection = self.connection
        with translate_errors(), self._take_turn(Deadline(WAIT_SECONDS)), connection.waiting(0):
            sql = "PRAGMA wal_checkpoint(TRUNCATE)"
            busy, frames, moved = connection.execute(sql).fetchone()
        return not busy and frames == moved

    @contextmanager
    def _take_turn(self, deadline: Deadline) -> Iterator[None]:
        """Write alone. Raises DatabaseUnavailable when it is not our turn by the deadline."""
        if not self._turn.acquire(timeout=deadline.remaining):
            raise DatabaseBusy("other changes took too long")
        try:
            yield
        finally:
            self._turn.release()

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """Read several things as they were at one moment, whoever writes meanwhile.

        Raises DatabaseUnavailable.
        """
        connection = self.connection
        if connection.in_transaction:
            yield connection
            return
        with translate_errors():
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                connection.rollback()

    def check_writable(self) -> None:
        """Read and write in a transaction that changes nothing. Raises DatabaseUnavailable."""
        with self.transaction() as connection:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            # SQLite writes the page that this number is on, also when it stays as it was.
            connection.execute(f"PRAGMA user_version={version}")
