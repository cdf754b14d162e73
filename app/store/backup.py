"""Backup and restore: a whole copy of the database while people play, and the way back."""

import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from glob import escape
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlite_utils import Database
from sqlite_utils.utils import sqlite3

from app.store.database import connect
from app.store.files import (
    COMPANIONS,
    OWNER_ONLY,
    DatabaseRefused,
    ServerLock,
    all_files,
    beside,
    check_schema,
    real,
    require_folder,
    synchronize,
    translated_errors,
    translated_file_errors,
)
from app.store.schema import migrations

# How every SQLite database begins.
_MAGIC = b"SQLite format 3\0"


def back_up(database: Path, file: Path) -> None:
    """Copy the database, as it is at this moment, to a file, which is replaced whole or not at all.

    Only a copy is replaced. Raises DatabaseUnavailable, and then nothing has been written.
    """
    file = real(file)
    _require_other_file(database, file)
    with _copy(database, file) as copy:
        _require_replaceable(file)
        copy.replace(file)
        synchronize(file.parent)


def put_back(database: Path, file: Path) -> None:
    """Put a backup in the place of the database, which nobody may be serving.

    Raises DatabaseUnavailable, and then the database is as it was.
    """
    file = real(file)
    _require_other_file(database, file)
    with _copy(file, database) as copy, closing(ServerLock(database)):
        _remove_log(database)
        copy.replace(database)
        synchronize(database.parent)


def _require_other_file(database: Path, file: Path) -> None:
    """Refuse a name that is the database's own."""
    with translated_file_errors(file):
        same = file.exists() and database.exists() and file.samefile(database)
        if same or file in all_files(database):
            raise DatabaseRefused("own_file", file)


def _require_replaceable(file: Path) -> None:
    """Refuse to write over anything but a copy. Raises DatabaseRefused."""
    if any(each.exists() for each in all_files(file)[1:]):
        raise DatabaseRefused("not_a_copy", file)
    if file.exists() and file.stat().st_size:
        try:
            with closing(Database(connect(file), execute_plugins=False)) as known:
                _require_ours(known, file)
                # One that is served has a log.
                if known.execute("PRAGMA journal_mode").fetchone() != ("delete",):
                    raise DatabaseRefused("not_a_copy", file)
        except (DatabaseRefused, sqlite3.DatabaseError) as error:
            raise DatabaseRefused("not_a_copy", file) from error


def require_file(file: Path) -> None:
    """Refuse a database that is not there. Raises DatabaseRefused."""
    with translated_file_errors(file):
        if not file.exists():
            raise DatabaseRefused("missing", file)
        if not file.is_file():
            raise DatabaseRefused("not_a_file", file)


@contextmanager
def _copy(source: Path, target: Path) -> Iterator[Path]:
    """A checked copy of a database, on disk, in the folder of the file it is to become.

    Raises DatabaseRefused, also for errors of files while it is there.
    """
    require_file(source)
    with translated_file_errors(source), source.open("rb") as opened:
        if opened.read(len(_MAGIC)) != _MAGIC:
            raise DatabaseRefused("foreign", source)
    with translated_file_errors(target):
        if target.exists():
            require_file(target)
        require_folder(target)
        # One that was killed has left its own.
        for left in target.parent.glob(f".{escape(target.name)}.????????/{escape(target.name)}"):
            shutil.rmtree(left.parent)
        # Only its owner may look into this folder.
        with TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as folder:
            copy = Path(folder, target.name)
            copy.touch(OWNER_ONLY)
            _copy_pages(source, copy)
            synchronize(copy)
            yield copy


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
            _require_ours(database, source)
    except sqlite3.DatabaseError as error:
        raise DatabaseRefused("not_copied", source, str(error)) from error


def _require_ours(database: Database, path: Path) -> None:
    """Refuse what is no database of ours, or one that is too new. Raises DatabaseRefused."""
    check_schema(database, path)
    if not migrations.applied(database):
        raise DatabaseRefused("foreign", path)


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
