"""SQLite: a pool of connections, and a module of functions for each family of tables.

Services name the functions by their family: `store.games.find_all(connection, table_id)`.
"""

from app.store import (
    erasure,
    games,
    idempotency,
    imports,
    payments,
    pens,
    people,
    phone_tables,
    rule_sets,
    statistics,
    tables,
    undo_stack,
)

__all__ = [
    "erasure",
    "games",
    "idempotency",
    "imports",
    "payments",
    "pens",
    "people",
    "phone_tables",
    "rule_sets",
    "statistics",
    "tables",
    "undo_stack",
]
