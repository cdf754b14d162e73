"""The tables that a phone knows: by name, people and dates, and which of them are put away."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from itertools import islice

import msgspec
from msgspec.structs import replace

from app import store
from app.rules.names import read_name
from app.services.evening import evening_of
from app.services.instances import instance_of
from app.services.sheets import find_players
from app.services.tables import NotFound, Write, begin_change, find_access
from app.store.connection import Connection
from app.store.database import Database


class PhoneTable(msgspec.Struct, frozen=True):
    """A table that a phone knows; `players` are those of its newest game.

    `seq` is its version, `writes` as in Access. `played_at` is when that game was last written at;
    `put_away` whether the start is to pass it over. `playing` is whether that game goes on, else
    `winners` have won it; nobody has where it was broken off as void.
    """

    link: str
    name: str
    seq: int
    players: tuple[str, ...]
    played_at: str
    writes: bool
    put_away: bool
    playing: bool
    winners: tuple[str, ...]

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
    with db.snapshot() as connection:
        links = sorted(known, key=lambda link: known[link])
        found = (_find(connection, link, pen, known[link]) for link in links)
        return list(islice((table for table in found if table is not None), most))


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


def rename(db: Database, write: Write, name: str) -> None:
    """Give a table another name, for everybody; without one it goes by its players.

    Raises BadFile, NoPen, NotFound.
    """
    new = read_name(name) if name.strip() else ""
    with db.transaction() as connection:
        table = begin_change(connection, replace(write, seq=None))
        store.tables.rename(connection, table.id, new)


def _find(connection: Connection, link: str, pen: str | None, put_away: bool) -> PhoneTable | None:
    try:
        table = find_access(connection, link, pen)
    except NotFound:
        return None
    game = store.undo_stack.find_head(connection, table.id).game
    winners = store.game_list.find_winners(connection, game.id)
    return PhoneTable(
        link=link,
        name=table.name,
        seq=table.seq,
        players=find_players(connection, game),
        played_at=store.games.find_last_time(connection, game),
        writes=table.writes,
        put_away=put_away,
        playing=not winners and not store.games.find_bodies(connection, game.id, "break_off"),
        winners=winners,
    )
