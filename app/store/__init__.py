"""SQLite: a pool of connections, and a module of functions for each family of tables.

Services name the functions by their family: `store.games.find_all(connection, table_id)`.
"""

from app.store import (
    copies,
    erasure,
    game_list,
    games,
    idempotency,
    imports,
    outbox,
    payments,
    pens,
    people,
    receipts,
    replicas,
    statistics,
    tables,
    undo_stack,
)

__all__ = [
    "copies",
    "erasure",
    "game_list",
    "games",
    "idempotency",
    "imports",
    "outbox",
    "payments",
    "pens",
    "people",
    "receipts",
    "replicas",
    "statistics",
    "tables",
    "undo_stack",
]
