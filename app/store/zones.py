"""The row of the time zone: on a phone, that of its server and its rules."""

from __future__ import annotations

import msgspec

from app.store.connection import Connection


class ZoneRow(msgspec.Struct, frozen=True):
    """A time zone by its name and its rules (TZif)."""

    name: str
    rules: bytes | None = None


def find(connection: Connection) -> ZoneRow | None:
    """The server's time zone, None on a phone that was not told it, and on a server."""
    row = connection.execute("SELECT zone, rules FROM clock").fetchone()
    return ZoneRow(row[0], row[1]) if row else None


def save(connection: Connection, row: ZoneRow) -> None:
    """Record the server's time zone."""
    sql = "INSERT OR REPLACE INTO clock (id, zone, rules) VALUES (1, ?, ?)"
    connection.execute(sql, [row.name, row.rules])
