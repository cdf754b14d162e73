"""SQLite: a db of connections, and a module of functions for each family of tables.

Services name the functions by their family: `store.games.find_all(connection, table_id)`.
"""

from app.store import (
    copies,
    game_list,
    games,
    idempotency,
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
    "game_list",
    "games",
    "idempotency",
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
