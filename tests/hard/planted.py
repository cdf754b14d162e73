"""Faults that the simulator has to find: each a piece of the program put otherwise, by its name."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Any
from unittest import mock

from app.offline import replicas, server
from app.services import commit
from app.services.ledger import Ledger, Payment
from app.services.payments import PayAll
from app.store import clock, log
from app.store.database import Connection
from app.store.files import DriverError
from app.store.log import ChangeRow, Key

APPEND, COMMIT, OPEN, PAY = log.append, Connection.commit, Connection.__init__, PayAll.choose
CHANGE, NOTE = commit.commit, replicas.note_conflict


def _any_key(connection: Connection, table_id: int, key: Key) -> tuple[int, bytes]:
    sql = "SELECT MAX(seq) FROM changes WHERE table_id = ?"
    return connection.find_number(sql, table_id), key.request


def _keyless(
    connection: Connection, table: int, row: ChangeRow, pen: int, _: object = None
) -> None:
    APPEND(connection, table, row, pen, None)


def _commit_or_not(self: Connection) -> None:
    with suppress(DriverError):
        COMMIT(self)
        return
    self.rollback()


def _drop_mine(connection: Connection, row: Any, conflict: Any, parted: Any) -> None:  # noqa: ANN401
    if conflict == "stale":
        where = ("table_id = ? AND seq > ?", [row.table_id, row.base])
        connection.table("changes").delete_where(*where)
        connection.newest.pop(row.table_id, None)
        conflict = None
    NOTE(connection, row, conflict, parted)


def _unsynced(self: Connection, path: Path, wait: float) -> None:
    OPEN(self, path, wait)
    self.execute("PRAGMA synchronous=NORMAL")


def _again(db: Any, write: Any, change: Any, _: object, at: Any) -> Any:  # noqa: ANN401
    return CHANGE(db, write, change, None, at)


def _pay_twice(self: PayAll, now: Ledger) -> list[Payment]:
    return PAY(self, now) * 2


# What is put where, and the first evening that shows it.
FAULTS: dict[str, tuple[list[tuple[Any, str, Callable[..., Any]]], int]] = {
    "an answer to another key": ([(log, "find_key", _any_key)], 1),
    "a key forgotten": ([(log, "append", _keyless)], 1),
    "acknowledged, and not on the disk": ([(Connection, "commit", _commit_or_not)], 1),
    "a time without bounds": ([(commit, "bound", lambda at, _=None: clock.write_time(at))], 2),
    "an undo of another's": ([(commit, "_require_recent", lambda *_: None)], 1),
    "a conflict dropped": ([(replicas, "note_conflict", _drop_mine)], 2),
    "a sync left out": ([(Connection, "__init__", _unsynced)], 12),
    "a row doubled by a push": (
        [(server, "_recognize", lambda *_: ({}, True)), (server, "commit", _again)],
        1,
    ),
    "a replica not pulled": ([(replicas, "_take", lambda *_: None)], 1),
    "a payment booked twice": ([(PayAll, "choose", _pay_twice)], 5),
    "a phone that hears no time": ([(clock, "set_floor", lambda _: None)], 41),
}


def planted(name: str) -> list[AbstractContextManager[object]]:
    """Return what plants a fault."""
    return [mock.patch.object(*each) for each in FAULTS[name][0]]
