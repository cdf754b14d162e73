"""Backup and restore: a whole copy of the database while people play, and the way back."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlite_utils import Database
from sqlite_utils.utils import sqlite3

from app.store.connection import DatabaseRefused, connect, translated_errors
from app.store.files import (
    COMPANIONS,
    LOCK,
    OWNER_ONLY,
    ServerLock,
    beside,
    check_schema,
    require_folder,
    synchronize,
)
from app.store.schema import migrations

# How every SQLite database begins.
_MAGIC = b"SQLite format 3\0"


def back_up(database: Path, file: Path) -> None:
    """Copy the database, as it is at this moment, to a file, which is replaced whole or not at all.

    Raises DatabaseUnavailable, and then nothing has been written.
    """
    database, file = database.resolve(), file.resolve()
    _require_other_file(database, file)
    if any(beside(file, companion).exists() for companion in COMPANIONS):
        raise DatabaseRefused("open_file", file)
    with _copy(database, file) as copy:
        copy.replace(file)
        synchronize(file.parent)


def put_back(database: Path, file: Path) -> None:
    """Put a backup in the place of the database, which nobody may be serving.

    Raises DatabaseUnavailable, and then the database is as it was.
    """
    database, file = database.resolve(), file.resolve()
    _require_other_file(database, file)
    with closing(ServerLock(database)), _copy(file, database) as copy:
        if database.exists():
            _remove_log(database)
        copy.replace(database)
        synchronize(database.parent)


def _require_other_file(database: Path, file: Path) -> None:
    """Refuse a name that is the database's own."""
    own = [database, *(beside(database, suffix) for suffix in (*COMPANIONS, LOCK))]
    if file in own or (file.exists() and database.exists() and file.samefile(database)):
        raise DatabaseRefused("own_file", file)


@contextmanager
def _copy(source: Path, target: Path) -> Iterator[Path]:
    """A checked copy of a database, on disk, in the folder of the file it is to become.

    Raises DatabaseRefused, also for errors of files while it is there.
    """
    try:
        if not source.exists():
            raise DatabaseRefused("missing", source)
        for path in (source, target):
            if path.exists() and not path.is_file():
                raise DatabaseRefused("not_a_file", path)
        with source.open("rb") as opened:
            if opened.read(len(_MAGIC)) != _MAGIC:
                raise DatabaseRefused("foreign", source)
        require_folder(target)
        # Only its owner may look into this folder.
        with TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as folder:
            copy = Path(folder, target.name)
            copy.touch(OWNER_ONLY)
            _copy_pages(source, copy)
            synchronize(copy)
            yield copy
    except OSError as error:
        raise DatabaseRefused("unusable", target, error.strerror or str(error)) from error


def _copy_pages(source: Path, copy: Path) -> None:
    """Copy the pages of one moment by SQLite's online backup, and check the copy.

    Raises DatabaseRefused for a copy that is damaged, not ours or too new.
    """
    try:
        with closing(connect(source)) as reading, closing(connect(copy)) as writing:
            reading.backup(writing)
            # So that it stands by itself.
            writing.execute("PRAGMA journal_mode=DELETE")
        with closing(Database(connect(copy), execute_plugins=False)) as database:
            (finding,) = database.execute("PRAGMA integrity_check(1)").fetchone()
            if finding != "ok":
                raise DatabaseRefused("damaged", source, finding.splitlines()[0])
            check_schema(database, source)
            if not migrations.applied(database):
                raise DatabaseRefused("foreign", source)
    except sqlite3.DatabaseError as error:
        raise DatabaseRefused("not_copied", source, str(error)) from error


def _remove_log(database: Path) -> None:
    """Let SQLite take the log into the database: left there it would be played into the next one.

    Raises DatabaseUnavailable where another program has the database open. Of one that is damaged,
    which may be why another is put in its place, the log goes as it is.
    """
    with translated_errors(), closing(connect(database)) as connection:
        try:
            connection.execute("PRAGMA journal_mode=DELETE")
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:
            for companion in COMPANIONS:
                beside(database, companion).unlink(missing_ok=True)
