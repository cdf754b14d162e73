"""When a change counts as made that was made on a phone before the server heard of it."""

from __future__ import annotations

from datetime import UTC, datetime

from app import store
from app.store.connection import Connection


def bound(connection: Connection, table_id: int, moment: datetime) -> datetime:
    """When a change counts as made: never in the future, never before the last at its table."""
    newest = store.undo_stack.find_head(connection, table_id).game
    paid_at = store.payments.find_last_time(connection, table_id)
    times = [store.games.find_last_time(connection, newest), *([paid_at] if paid_at else [])]
    last = max(datetime.fromisoformat(time).astimezone(UTC) for time in times)
    return min(datetime.now(UTC), max(moment, last))
