"""The tables that a phone knows: by name, people and dates, and which of them are put away."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import date

import msgspec

from app.rules.state import GameState
from app.services.evening import evening_of
from app.services.instances import instance_of
from app.services.sheets import load_newest
from app.services.tables import NotFound, find_access
from app.store.database import Database


class PhoneTable(msgspec.Struct, frozen=True):
    """A table that a phone knows; `state` is where its newest game stands.

    `seq` is its version, `writes` as in Access. `played_at` is when that game was last written at;
    `put_away` whether the start is to pass it over.
    """

    link: str
    name: str
    seq: int
    state: GameState
    played_at: str
    writes: bool
    put_away: bool

    @property
    def played_on(self) -> date:
        """The evening on which it was last written at."""
        return evening_of(self.played_at)


def list_tables(
    db: Database, pen: str | None, known: Mapping[str, bool], most: int | None = None
) -> list[PhoneTable]:
    """The tables of a phone that are here: of their links it knows which are put away.

    Those come after all others; what has been deleted is passed over. `most` is how many are
    wanted, None for all.
    """
    found: list[PhoneTable] = []
    sql = "SELECT at FROM changes WHERE table_id = ? AND game = ? ORDER BY seq DESC LIMIT 1"
    with db.snapshot() as connection:
        for link in sorted(known, key=known.__getitem__):
            if len(found) == most:
                break
            with suppress(NotFound):
                table = find_access(connection, link, pen)
                sheet = load_newest(connection, table)
                (at,) = connection.execute(sql, [table.id, sheet.number]).fetchone()
                about = (link, table.name, table.seq, sheet.state, at, table.writes)
                found.append(PhoneTable(*about, put_away=known[link]))
    return found


def find_elsewhere(
    known: Mapping[str, bool], here: Iterable[PhoneTable], instance: str
) -> dict[str, bool]:
    """Those of a phone's links that lead to another server, and whether each is put away."""
    found = {table.link for table in here}
    return {
        link: away
        for link, away in known.items()
        if link not in found and instance_of(link) != instance
    }
