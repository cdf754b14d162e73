"""The time zone of a server, which its phones follow: the same evenings on both."""

from __future__ import annotations

import struct

import msgspec

from app.store import clock
from app.store.connection import Connection
from app.store.database import Database

# What may come of rules that are none.
_UNREADABLE = (ValueError, LookupError, struct.error)


class ZoneCopy(msgspec.Struct, frozen=True):
    """A time zone as a server tells it to a phone, which has none but its own: name and rules."""

    name: str
    rules: bytes


def follow_server(db: Database, copy: ZoneCopy | None) -> None:
    """On a phone: tell moments in the server's time zone; rules that cannot be read are none."""
    if copy is None:
        return
    with db.transaction() as connection:
        if _find(connection) != copy and _set(copy):
            sql = "INSERT OR REPLACE INTO clock (id, zone, rules) VALUES (1, ?, ?)"
            connection.execute(sql, [copy.name, copy.rules])


def follow_stored(db: Database) -> None:
    """On a phone: tell moments in the time zone that its server was known to have."""
    if copy := _find(db.connection):
        _set(copy)


def _find(connection: Connection) -> ZoneCopy | None:
    row = connection.execute("SELECT zone, rules FROM clock WHERE rules NOT NULL").fetchone()
    return ZoneCopy(*row) if row else None


def _set(copy: ZoneCopy) -> bool:
    """Whether the rules could be read, and are followed now."""
    try:
        clock.set_zone(clock.read_zone(copy.name, copy.rules))
    except _UNREADABLE:
        return False
    return True
