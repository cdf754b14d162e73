"""Backup and restore: a whole copy of the database while people play, and the way back."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlite_utils import Database
from sqlite_utils.utils import sqlite3

from app.store.availability import DatabaseRefused, DatabaseUnavailable
from app.store.connection import connect
from app.store.files import (
    COMPANIONS,
    KEY,
    LOCK,
    beside,
    make_folder,
    restrict_to_owner,
    synchronize,
)
from app.store.migrations import migrations
from app.store.startup import ServerLock, check_schema

# How every SQLite database begins.
_MAGIC = b"SQLite format 3\0"
# What stands beside the database while another one is put in its place.
_BEFORE = ".before"


def back_up(database: Path, file: Path) -> None:
    """Copy the database, as it is at this moment, to a file, which is replaced whole or not at all.

    Raises DatabaseUnavailable, and then nothing has been written.
    """
    database, file = database.resolve(), file.resolve()
    _require_database(database)
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
    _require_database(file)
    _require_other_file(database, file)
    with closing(ServerLock(database)), _copy(file, database) as copy:
        if database.exists():
            _set_aside(database)
        copy.replace(database)
        synchronize(database.parent)
        for suffix in (_BEFORE, *(_BEFORE + companion for companion in COMPANIONS)):
            beside(database, suffix).unlink(missing_ok=True)


def _require_database(path: Path) -> None:
    if not path.exists():
        raise DatabaseRefused("missing", path)
    if not path.is_file():
        raise DatabaseRefused("not_a_file", path)
    with _refuse_unusable(path), path.open("rb") as opened:
        if opened.read(len(_MAGIC)) != _MAGIC:
            raise DatabaseRefused("foreign", path)


@contextmanager
def _refuse_unusable(path: Path) -> Iterator[None]:
    """Raise DatabaseRefused for what the system says of a file."""
    try:
        yield
    except OSError as error:
        raise DatabaseRefused("unusable", path, error.strerror or str(error)) from error


def _require_other_file(database: Path, file: Path) -> None:
    """Refuse a name that is the database's own, or no plain file's."""
    if file.exists() and not file.is_file():
        raise DatabaseRefused("not_a_file", file)
    own = [database, *(beside(database, suffix) for suffix in (*COMPANIONS, LOCK))]
    own.append(database.with_name(KEY))
    if file in own or (file.exists() and database.exists() and file.samefile(database)):
        raise DatabaseRefused("own_file", file)


@contextmanager
def _copy(source: Path, target: Path) -> Iterator[Path]:
    """A checked copy of a database, on disk, in the folder of the file it is to become.

    Raises DatabaseUnavailable, as does what cannot be done to files while it is there.
    """
    with _refuse_unusable(target):
        make_folder(target)
        # Only its owner may look into this folder.
        with TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as folder:
            copy = Path(folder, target.name)
            copy.touch()
            restrict_to_owner(copy)
            try:
                _copy_pages(source, copy)
                _check(copy, source)
            except sqlite3.DatabaseError as error:
                raise DatabaseRefused("not_copied", source, str(error)) from error
            synchronize(copy)
            yield copy


def _copy_pages(source: Path, copy: Path) -> None:
    """SQLite's online backup: the pages of one moment, in a file that stands by itself."""
    with closing(connect(source)) as reading, closing(connect(copy)) as writing:
        reading.backup(writing)
        writing.execute("PRAGMA journal_mode=DELETE")


def _check(copy: Path, source: Path) -> None:
    """Refuse a copy that is damaged, not ours or too new. Raises DatabaseRefused."""
    with closing(Database(connect(copy), execute_plugins=False)) as database:
        [(finding,), *_] = database.execute("PRAGMA integrity_check").fetchall()
        if finding != "ok":
            raise DatabaseRefused("damaged", source, finding.splitlines()[0])
        check_schema(database, source)
        if not migrations.applied(database):
            raise DatabaseRefused("foreign", source)


def _set_aside(database: Path) -> None:
    """Keep the database under another name, complete, until another one is in its place.

    A log left beside a database that it does not belong to would be played into it.
    """
    for suffix in (_BEFORE, *(_BEFORE + companion for companion in COMPANIONS)):
        beside(database, suffix).unlink(missing_ok=True)
    _fold_log(database)
    os.link(database, beside(database, _BEFORE))
    for companion in COMPANIONS:
        if beside(database, companion).exists():
            beside(database, companion).rename(beside(database, _BEFORE + companion))
    synchronize(database.parent)


def _fold_log(database: Path) -> None:
    """Let SQLite take the log into the database and remove it. Raises DatabaseUnavailable."""
    try:
        with closing(connect(database)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.OperationalError as error:
        raise DatabaseUnavailable(str(error)) from error
    except sqlite3.DatabaseError:
        # It is damaged, which may be why another is put in its place; its log is set aside with it.
        return
