"""The database file: a pool of connections, and transactions that publish their changes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from io import FileIO
from pathlib import Path

from sqlite_utils import Database

from app.store import files
from app.store.availability import (
    DatabaseBusy,
    DatabaseUnavailable,
    Deadline,
    TranslatedErrors,
)
from app.store.background import AtOnce, Background
from app.store.changes import ChangeFeed
from app.store.connection import WAIT_SECONDS, Connection, connect
from app.store.fair_lock import FairLock
from app.store.files import WRITE_AHEAD_LOG, Identity, beside
from app.store.migrations import migrations
from app.store.startup import check_schema
from app.store.table_cache import TableCache

# And so long it takes, at the start of a new version, that another process brings it up to date.
MIGRATION_SECONDS = 30.0


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
        # Called when an erasure is over, so that nothing of it stays in anybody's memory.
        self.on_erased: Callable[[], None] = lambda: None
        self._local = threading.local()
        # SQLite lets writers wait by sleeping; whoever waits here is woken at once, in turn.
        self._turn = FairLock()
        self._idle: list[Connection] = []
        self._open: list[Connection] = []
        self._identities: dict[Path, Identity] = {}
        # What was worked out of tables; what is erased begins another.
        self.cache = TableCache()
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
            # Before it is opened: left open it would pile up, and closed it would end the log.
            self._require_same_file(self.path)
            with TranslatedErrors():
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
        with TranslatedErrors():
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
            with TranslatedErrors(), self._take_turn(deadline), connection.caching(self.cache):
                with connection.write(deadline):
                    yield connection
                    self._require_same_file(self.path, self._log)
                # Before anybody else writes.
                self.cache = connection.cache.publish()
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
        with TranslatedErrors(), self._take_turn(deadline), connection.waiting(deadline.remaining):
            connection.execute("VACUUM")

    def checkpoint(self) -> None:
        """Move what can be moved of the write-ahead log into the database, while others write.

        Raises DatabaseUnavailable.
        """
        with TranslatedErrors():
            self.connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def truncate_log(self) -> bool:
        """Move the write-ahead log into the database and empty it, in turn with others' writes.

        False, and at once, when somebody still reads what was before. Raises DatabaseUnavailable.
        """
        self.checkpoint()
        connection = self.connection
        with TranslatedErrors(), self._take_turn(Deadline(WAIT_SECONDS)), connection.waiting(0):
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
        with TranslatedErrors(), connection.caching(self.cache):
            connection.conn.execute("BEGIN")
            try:
                yield connection
            finally:
                connection.rollback()
            connection.cache.publish()

    def check_writable(self) -> None:
        """Read and write in a transaction that changes nothing. Raises DatabaseUnavailable."""
        with self.transaction() as connection:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            # SQLite writes the page that this number is on, also when it stays as it was.
            connection.execute(f"PRAGMA user_version={version}")
