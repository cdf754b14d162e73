"""Quotas: how much one table may hold over its life, so that none fills the disk.

A family that plays 40 games a year for 20 years, mending some, comes to about 200 000 entries.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from app import store
from app.rules.errors import NotAllowed
from app.services.people import find_people
from app.store.connection import Connection
from app.store.tables import TableRow

MAX_ENTRIES, MAX_GAMES, MAX_NAMES = 500_000, 5_000, 500
MAX_PAYMENTS, MAX_PENS = 20_000, 100
# In the log of one game, which is read at each tap.
MAX_GAME_ENTRIES = 10_000
# Entries of one game that were replaced or undone for a while, counted each time.
MAX_GAME_AMENDED = 50_000
# However full a table is, its game can be settled: so much room is left for that.
SPARE = 100
# An entry with long remarks counts for several.
ENTRY_BYTES = 250


def weigh(bodies: Iterable[str]) -> int:
    """For how many entries some count, given as the JSON that the log holds."""
    return sum(1 + len(body.encode()) // ENTRY_BYTES for body in bodies)


def check_table(table: TableRow, spare: int = 0) -> None:
    """Raise NotAllowed when a table holds no more, nor `spare` beyond."""
    check_entries(table.entries - spare)


def add_entries(connection: Connection, table_id: int, count: int) -> None:
    """Count what a change adds beyond its own entry. Raises NotAllowed when that is too much."""
    if count > 0:
        check_entries(store.tables.add_entries(connection, table_id, count))


def check_entries(count: int) -> None:
    """Raise NotAllowed when a table would hold too many entries."""
    if count > MAX_ENTRIES:
        raise NotAllowed("table_full", limit=MAX_ENTRIES)


def check_game(entries: int, spare: int = 0) -> None:
    """Raise NotAllowed when a game's log would hold too many entries, and `spare` beyond."""
    if entries - spare > MAX_GAME_ENTRIES:
        raise NotAllowed("game_full", limit=MAX_GAME_ENTRIES)


def check_amended(count: int) -> None:
    """Raise NotAllowed when too much of a game's log would have been replaced or undone."""
    if count > MAX_GAME_AMENDED:
        raise NotAllowed("game_full", limit=MAX_GAME_AMENDED)


def check_games(number: int) -> None:
    """Raise NotAllowed when a table would have too many games, the last of this number."""
    if number > MAX_GAMES:
        raise NotAllowed("too_many_games", limit=MAX_GAMES)


def check_names(connection: Connection, table_id: int, names: Collection[str]) -> None:
    """Raise NotAllowed when with these too many names would have played at a table."""
    known = set(find_people(connection, table_id).names)
    if not known.issuperset(names) and len(known.union(names)) > MAX_NAMES:
        raise NotAllowed("too_many_people", limit=MAX_NAMES)


def check_payments(connection: Connection, table_id: int, more: int) -> None:
    """Raise NotAllowed when a table would hold too many payments, those undone included."""
    if store.payments.count(connection, table_id) + more > MAX_PAYMENTS:
        raise NotAllowed("too_many_payments", limit=MAX_PAYMENTS)


def check_pens(connection: Connection, table_id: int) -> None:
    """Raise NotAllowed when as many pens write at a table as may."""
    if store.pens.count(connection, table_id) >= MAX_PENS:
        raise NotAllowed("too_many_pens", limit=MAX_PENS)
