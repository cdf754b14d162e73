"""The files of the database: for their owner's eyes only, the same ones as when opened; errors."""

import fcntl
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Literal

import click
from sqlite_utils import Database, Migrations
from sqlite_utils.utils import sqlite3

from app.store.schema import migrations


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


OWNER_ONLY = 0o600
FOLDER_OF_OWNER = 0o700
_OTHERS = 0o077
# The files that SQLite keeps beside a database, and this server's lock.
WRITE_AHEAD_LOG = "-wal"
COMPANIONS = (WRITE_AHEAD_LOG, "-shm", "-journal")
LOCK = ".lock"
_PACKAGE = Path(__file__).resolve().parents[1]
# The folder of the database where none is named: in a checkout beside the package, else where a
# program's data goes. No other folder is made.
INSTANCE = (
    Path(click.get_app_dir("chicago"))
    if (_PACKAGE / "templates").is_dir()
    else _PACKAGE.parent / "instance"
)


def database_path() -> Path:
    """The file of the database: CHICAGO_DB, or `chicago.db` in INSTANCE.

    Of a symbolic link it is the file: SQLite's own files are beside that.
    """
    return real(os.environ.get("CHICAGO_DB") or INSTANCE / "chicago.db")


def real(path: str | Path) -> Path:
    """The file that a path leads to; nothing is raised where it leads nowhere."""
    return Path(os.path.realpath(path))


@contextmanager
def translated_file_errors(path: Path) -> Iterator[None]:
    """Raise DatabaseRefused, about this file, for every error of files."""
    try:
        yield
    except BlockingIOError:
        raise DatabaseRefused("in_use", path) from None
    except OSError as error:
        raise DatabaseRefused("unusable", path, error.strerror or str(error)) from error


def beside(path: Path, suffix: str) -> Path:
    """The file that belongs to a database and has its name and a suffix."""
    return path.with_name(path.name + suffix)


def all_files(path: Path) -> list[Path]:
    """A database, and the files that may be beside it."""
    return [path, *(beside(path, suffix) for suffix in (*COMPANIONS, LOCK))]


def prepare(path: Path) -> None:
    """Make the file where there is none yet; let only their owner read the files.

    Raises DatabaseRefused.
    """
    with translated_file_errors(path), suppress(FileExistsError):
        require_folder(path)
        # Never opened when it is there: closing it would drop the locks of this process.
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_ONLY))
    for file in all_files(path):
        # Where it is there, and is ours.
        with suppress(OSError):
            mode = file.stat().st_mode
            if file.is_file() and mode & _OTHERS:
                file.chmod(mode & ~_OTHERS)


def require_folder(path: Path) -> None:
    """Refuse a file without a folder: made anew, it would hide that a disk is not mounted.

    Only INSTANCE is made, for its owner alone. Raises DatabaseRefused and OSError.
    """
    if path.parent == INSTANCE:
        INSTANCE.mkdir(mode=FOLDER_OF_OWNER, parents=True, exist_ok=True)
    if not path.parent.is_dir():
        raise DatabaseRefused("no_folder", path.parent)


def synchronize(path: Path) -> None:
    """Wait until a file, or a folder's content, is on disk (fsync)."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


# Older ones can, rarely, damage a write-ahead log that several connections write to.
SAFE_SQLITE = (3, 51, 3)
# The name of the migrations of databases from before tables were kept as logs.
BEFORE = "chicago"


def is_sqlite_safe() -> bool:
    """Whether this SQLite is safe with several connections."""
    return bool(sqlite3.sqlite_version_info >= SAFE_SQLITE)


def sqlite_version() -> str:
    """The version of the SQLite at hand."""
    return str(sqlite3.sqlite_version)


def check_schema(database: Database, path: Path) -> None:
    """Refuse another program's database, and one of a newer version or from before the log.

    Raises DatabaseRefused.
    """
    applied = {migration.name for migration in migrations.applied(database)}
    # Litestream, which may have been there first, keeps small tables of its own.
    tables = [name for name in database.table_names() if not name.startswith("_litestream")]
    if tables and not applied:
        raise DatabaseRefused("older" if Migrations(BEFORE).applied(database) else "foreign", path)
    # In an empty database every migration that this version has is pending.
    with closing(Database(memory=True)) as empty:
        known = {migration.name for migration in migrations.pending(empty)}
    if applied - known:
        raise DatabaseRefused("newer", path)


class ServerLock:
    """An advisory lock on the database and on a file beside it, held by the one server of it.

    The one holds whatever the name of the database, and the other when another takes its place.
    Both are gone with the process, however that ends, and shared with the processes forked by it.
    """

    def __init__(self, path: Path) -> None:
        """Take the lock, on an empty file where there is none.

        Raises DatabaseRefused when it is held or cannot be taken.
        """
        prepare(path)
        with translated_file_errors(path), ExitStack() as opened:
            if not path.is_file():
                raise DatabaseRefused("not_a_file", path)
            # Beside its other name SQLite would keep another log.
            if path.stat().st_nlink > 1:
                raise DatabaseRefused("linked", path)
            # Elsewhere than on Linux the first would keep out SQLite's own locks (fcntl).
            for file in (path, beside(path, LOCK))[sys.platform != "linux" :]:
                flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW
                descriptor = os.open(file, flags, OWNER_ONLY)
                opened.callback(os.close, descriptor)
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._opened = opened.pop_all()

    def close(self) -> None:
        """Give the lock back; SQLite's own locks of this process on the database go with it."""
        self._opened.close()
