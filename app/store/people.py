"""Rows of people: the names of a table of which something is known beyond the games they sat in."""

from __future__ import annotations

import msgspec

from app.store.connection import Connection


class PersonRow(msgspec.Struct, frozen=True):
    """A name at a table; `same_as` is the key of the name it is merged into.

    `swish` is the number that payments to this person go to, None while it is not known.
    """

    id: int
    name: str
    same_as: int | None
    swish: str | None


def find_all(connection: Connection, table_id: int) -> list[PersonRow]:
    """Everybody of whom something is known beyond the games they sat in."""
    sql = "SELECT id, name, same_as, swish FROM people WHERE table_id = ? ORDER BY id"
    return [PersonRow(*row) for row in connection.execute(sql, [table_id]).fetchall()]


def find_or_add(connection: Connection, table_id: int, name: str) -> int:
    """The key of a name at a table, a new one if it has none yet."""
    sql = """INSERT INTO people (table_id, name) VALUES (?, ?)
        ON CONFLICT (table_id, name) DO UPDATE SET name = excluded.name RETURNING id"""
    return int(connection.execute(sql, [table_id, name]).fetchone()[0])


def merge(connection: Connection, person_id: int, into: int | None) -> None:
    """Let a name stand for another person, or for itself again."""
    connection.execute("UPDATE people SET same_as = ? WHERE id = ?", [into, person_id])


def save_swish(connection: Connection, person_id: int, number: str | None) -> None:
    """Save a person's number, or delete it."""
    connection.execute("UPDATE people SET swish = ? WHERE id = ?", [number, person_id])
