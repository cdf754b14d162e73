"""What a table's people won or lost in each evening or month, to be added up along the years."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import date

from app import store
from app.services.evening import evening_of
from app.services.people import group_names
from app.store.database import Pool
from app.store.statistics import Months, WonColumn

# Of a time with more games, counted by player, the months alone are read: no page gets dearer.
MOST_SEATS = 160


def read_changes(
    pool: Pool, table_id: int, months: Months, column: WonColumn
) -> Mapping[date | str, Mapping[str, int]]:
    """What each person won (+) or lost (−) by evening, or where there are many, by month.

    The earliest come first; months are written as `2026-10`.
    """
    with pool.snapshot() as connection:
        rows = store.statistics.find_changes(connection, table_id, months, column)
        few = sum(games for _, _, games, _ in rows) <= MOST_SEATS
        if few:
            rows = store.statistics.find_changes(connection, table_id, months, column, games=True)
        people = store.people.find_all(connection, table_id)
    canonical = group_names([[name for _, name, _, _ in rows]], people).canonical
    sums: dict[date | str, Counter[str]] = {}
    for at, name, _, value in rows:
        sums.setdefault(evening_of(at) if few else at, Counter())[canonical[name]] += value
    # Moments are written by whatever clock a file had.
    return dict(sorted(sums.items(), key=lambda each: str(each[0])))
