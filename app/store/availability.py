"""Availability: which errors say that the database cannot be used just now."""

from __future__ import annotations

from typing import Literal

from sqlite_utils.utils import sqlite3

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
    "open_file",
    "not_a_file",
    "missing",
]

# SQLite's result codes (https://sqlite.org/rescode.html) for what is not a mistake of ours:
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
    """Why the database is unavailable, if that is what an error says, as a line for the log."""
    known = isinstance(error, DatabaseUnavailable)
    if known or getattr(error, "sqlite_errorcode", 0) & _PLAIN in _UNAVAILABLE:
        return str(error)
    return None


def is_busy(error: sqlite3.Error) -> bool:
    """Whether another process had the database locked."""
    return bool(getattr(error, "sqlite_errorcode", 0) & _PLAIN == sqlite3.SQLITE_BUSY)
