"""Rows of replicas: on a phone, its tables and how the server's differ; and who the phone is."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from app.store.connection import Connection

# Why what waits cannot be handed over: somebody else wrote, the pen is gone, or the table; or the
# server refused a change, and said why.
Conflict = Literal["", "stale", "no_pen", "gone", "refused"]


class PhoneRow(msgspec.Struct, frozen=True):
    """The phone this database is on: its name for the server, and the pen it writes with.

    `language` is the code of the one chosen on it, nothing while none is; `known` is what the
    server has of what it keeps, as JSON; `tables` are its links, as in its cookie, as JSON.
    """

    name: str
    pen: str
    language: str
    known: str
    tables: str


class ReplicaRow(msgspec.Struct, frozen=True):
    """A table of this phone's, which the server has at version `base_seq`.

    That is 0 where it has none: then `opening` is what it is to be opened with, as JSON. `sent` is
    whether the server may have more of it than is known here; `reason` why it refused, in words.
    """

    table_id: int
    link: str
    base_seq: int
    opening: str | None
    opened_at: str | None
    sent: bool
    conflict: Conflict
    reason: str


class WaitingRow(msgspec.Struct, frozen=True):
    """What of a table waits to be handed over: so many changes, the first of them at `since`.

    `unopened` is whether the server has nothing of it.
    """

    link: str
    unopened: bool
    conflict: Conflict
    changes: int
    since: str | None


_COLUMNS = "table_id, link, base_seq, opening, opened_at, sent, conflict, reason"


def find_phone(connection: Connection) -> PhoneRow | None:
    """Who the phone is, None before it has been asked."""
    row = connection.execute("SELECT name, pen, language, known, tables FROM phone").fetchone()
    return PhoneRow(*row) if row else None


def save_phone(connection: Connection, row: PhoneRow) -> None:
    """Record who the phone is."""
    sql = """INSERT OR REPLACE INTO phone (id, name, pen, language, known, tables)
        VALUES (1, ?, ?, ?, ?, ?)"""
    connection.execute(sql, list(msgspec.structs.astuple(row)))


def find(connection: Connection, table_id: int) -> ReplicaRow | None:
    """The replica that a table is, None where it is none."""
    sql = f"SELECT {_COLUMNS} FROM replicas WHERE table_id = ?"  # noqa: S608  # our own names
    row = connection.execute(sql, [table_id]).fetchone()
    return _read(row) if row else None


def find_by_link(connection: Connection, link: str) -> ReplicaRow | None:
    """The replica behind a link, None where there is none."""
    sql = f"SELECT {_COLUMNS} FROM replicas WHERE link = ?"  # noqa: S608  # our own names
    row = connection.execute(sql, [link]).fetchone()
    return _read(row) if row else None


def find_all(connection: Connection) -> list[ReplicaRow]:
    """Every table of this phone's."""
    sql = f"SELECT {_COLUMNS} FROM replicas ORDER BY table_id"  # noqa: S608  # our own names
    return [_read(row) for row in connection.execute(sql).fetchall()]


def _read(row: tuple[Any, ...]) -> ReplicaRow:
    table_id, link, base_seq, opening, opened_at, sent, conflict, reason = row
    return ReplicaRow(table_id, link, base_seq, opening, opened_at, bool(sent), conflict, reason)


def find_waiting(connection: Connection) -> list[WaitingRow]:
    """What waits at each table of this phone's, or nothing."""
    sql = """SELECT link, base_seq = 0, conflict,
            (SELECT COUNT(*) FROM outbox WHERE outbox.table_id = replicas.table_id),
            COALESCE(opened_at, (SELECT at FROM outbox
                WHERE outbox.table_id = replicas.table_id ORDER BY number LIMIT 1))
        FROM replicas ORDER BY table_id"""
    rows = connection.execute(sql).fetchall()
    return [WaitingRow(link, bool(only), why, many, at) for link, only, why, many, at in rows]


def save(connection: Connection, row: ReplicaRow) -> None:
    """Record what the server has of a table."""
    sql = f"""INSERT INTO replicas ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (table_id) DO UPDATE SET link = excluded.link, base_seq = excluded.base_seq,
            opening = excluded.opening, opened_at = excluded.opened_at, sent = excluded.sent,
            conflict = excluded.conflict, reason = excluded.reason"""  # noqa: S608  # our own names
    connection.execute(sql, list(msgspec.structs.astuple(row)))


def note_sent(connection: Connection, table_id: int) -> None:
    """Record that the server may have more of a table from now on."""
    connection.execute("UPDATE replicas SET sent = 1 WHERE table_id = ? AND NOT sent", [table_id])
