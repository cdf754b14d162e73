"""Rows of the outbox: on a phone, the changes that wait to be handed over to the server."""

from __future__ import annotations

import msgspec

from app.store.connection import Connection

Fields = list[tuple[str, str]]


class ChangeRow(msgspec.Struct, frozen=True):
    """A form that changed a table here: sent from version `seq`, at a time, to a path below it.

    `number` tells it from all others of this phone; `effect` is what it did.
    """

    number: int
    seq: int
    path: str
    fields: Fields
    at: str
    effect: str


def add(connection: Connection, table_id: int, change: ChangeRow) -> None:
    """Add a change; it gets a number of its own."""
    sql = """INSERT INTO outbox (table_id, seq, path, fields, at, effect)
        VALUES (?, ?, ?, ?, ?, ?)"""
    fields = msgspec.json.encode(change.fields).decode()
    row = [table_id, change.seq, change.path, fields, change.at, change.effect]
    connection.execute(sql, row)


def find_all(connection: Connection, table_id: int, limit: int = -1) -> list[ChangeRow]:
    """The changes of a table that wait, in their order; the first of them, or all."""
    sql = """SELECT number, seq, path, fields, at, effect FROM outbox
        WHERE table_id = ? ORDER BY number LIMIT ?"""
    rows = connection.execute(sql, [table_id, limit]).fetchall()
    return [
        ChangeRow(number, seq, path, msgspec.json.decode(fields, type=Fields), at, effect)
        for number, seq, path, fields, at, effect in rows
    ]


def count(connection: Connection, table_id: int) -> int:
    """How many changes of a table wait."""
    sql = "SELECT COUNT(*) FROM outbox WHERE table_id = ?"
    return int(connection.execute(sql, [table_id]).fetchone()[0])


def drop(connection: Connection, table_id: int, number: int | None = None) -> None:
    """Drop the changes of a table up to a number, or all of them."""
    sql = "DELETE FROM outbox WHERE table_id = ?1 AND number <= COALESCE(?2, number)"
    connection.execute(sql, [table_id, number])
