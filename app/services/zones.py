"""The time zone of a server, followed by its phones: the same evenings on both."""

from __future__ import annotations

import struct

import msgspec

from app import store
from app.store import clock
from app.store.database import Pool
from app.store.zones import ZoneRow

# What may come of rules that are none.
_UNREADABLE = (ValueError, LookupError, struct.error)


class ZoneCopy(msgspec.Struct, frozen=True):
    """A time zone as a server tells it to a phone, which has none but its own: name and rules."""

    name: str
    rules: bytes


def follow_server(pool: Pool, copy: ZoneCopy | None) -> None:
    """On a phone: tell moments in the server's time zone; rules that cannot be read are none."""
    if copy is None:
        return
    row = ZoneRow(copy.name, copy.rules)
    with pool.transaction() as connection:
        if store.zones.find(connection) != row and _set(row):
            store.zones.save(connection, row)


def follow_stored(pool: Pool) -> None:
    """On a phone: tell moments in the time zone that its server was known to have."""
    if row := store.zones.find(pool.connection):
        _set(row)


def _set(row: ZoneRow) -> bool:
    """Whether the rules of a row could be read, and are followed now."""
    try:
        clock.set_zone(clock.read_zone(row.name, row.rules or b""))
    except _UNREADABLE:
        return False
    return True
