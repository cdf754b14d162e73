"""The row of the time zone: that of stored months, and on a phone the rules of it."""

from __future__ import annotations

import msgspec

from app.store.connection import Connection


class ZoneRow(msgspec.Struct, frozen=True):
    """A time zone by its name; `rules` (TZif) are there on a phone that was told them."""

    name: str
    rules: bytes | None = None


def find(connection: Connection) -> ZoneRow | None:
    """The time zone of what is stored, None where nothing is known of it."""
    row = connection.execute("SELECT zone, rules FROM clock").fetchone()
    return ZoneRow(row[0], row[1]) if row else None


def save(connection: Connection, row: ZoneRow) -> None:
    """Record the time zone of what is stored."""
    sql = "INSERT OR REPLACE INTO clock (id, zone, rules) VALUES (1, ?, ?)"
    connection.execute(sql, [row.name, row.rules])
