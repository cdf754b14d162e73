"""Quotas: how much one table may hold over its life, so that none fills the disk.

A family that plays 40 games a year for 20 years, mending some, comes to about 200 000 entries.
"""

from __future__ import annotations

from app.rules.codes import ReasonCode
from app.rules.errors import NotAllowed
from app.store.connection import Connection

MAX_ENTRIES, MAX_GAMES, MAX_NAMES = 500_000, 5_000, 500
MAX_PAYMENTS, MAX_PENS = 20_000, 100
# Of one game, whose changes are read together.
MAX_GAME_ENTRIES = 10_000
# However full a table is, its game can be settled: so much room is left for that.
SPARE = 100
# Undoing is always allowed.
ANYHOW = 2**31
# A change that is long counts for several entries.
ENTRY_BYTES = 250


def add_entries(entries: int, body: str, spare: int = 0) -> int:
    """How many entries a table holds with one more change, given as JSON.

    Raises NotAllowed for more than `spare` too many.
    """
    entries += 1 + len(body.encode()) // ENTRY_BYTES
    check("table_full", entries - spare, MAX_ENTRIES)
    return entries


def check(code: ReasonCode, count: int, limit: int) -> None:
    """Raise NotAllowed, for this reason, when there would be more than the limit."""
    if count > limit:
        raise NotAllowed(code, limit=limit)


def check_pens(connection: Connection, table_id: int) -> None:
    """Raise NotAllowed when as many pens write at a table as may."""
    sql = "SELECT COUNT(*) FROM pens WHERE table_id = ? AND kind = 'pen' AND revoked_at IS NULL"
    check("too_many_pens", connection.find_number(sql, table_id) + 1, MAX_PENS)
