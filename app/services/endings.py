"""Which games of a table were broken off, beside what its ledger has of them."""

from __future__ import annotations

from app import store
from app.services.ledger import Ledger, load_ledger
from app.services.tables import find_table
from app.store.database import Pool


def read_endings(pool: Pool, link: str) -> tuple[Ledger, frozenset[int]]:
    """The ledger of a table, and the numbers of the games that were broken off. Raises NotFound."""
    with pool.snapshot() as connection:
        table = find_table(connection, link)
        return load_ledger(connection, table), store.games.find_broken_off(connection, table.id)
