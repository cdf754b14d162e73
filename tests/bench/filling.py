"""Databases filled with rows: games that nobody had to play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from app import store
from app.services import tables
from app.services.serialization import serialize_event, serialize_setup
from app.store.clock import now
from app.store.connection import Connection
from app.store.database import Database
from tests.bench.long_game import long_game

_EVENT = "INSERT INTO events (game_id, seq, body, recorded_at) VALUES (?, ?, ?, ?)"


class Table(msgspec.Struct, frozen=True):
    """A table, the pen that writes at it, and its version."""

    link: str
    pen: str
    seq: int


class Filling:
    """Fills a database with tables at which the same long game is played, some way into it."""

    def __init__(self, connection: Connection, longest: int) -> None:
        self._connection = connection
        setup, events = long_game(longest)
        self._setup = serialize_setup(setup)
        self._bodies = [serialize_event(event, setup.players) for event in events]
        self.pen = tables.new_pen()

    def add_table(self, events: int, games: int = 1) -> Table:
        """Add a table with so many games, each with so many events."""
        link, total = tables.new_link(), events * games
        row = tables.add_table(self._connection, link, "", self.pen)
        for number in range(1, games + 1):
            uid = tables.derive_game_id(link, number, 1)
            game = store.games.add(self._connection, row.id, number, uid, self._setup)
            first = 2 + events * (number - 1)
            self._add_events(game.id, first, events)
        sql = "UPDATE tables SET seq = ?, entries = ? WHERE id = ?"
        self._connection.execute(sql, [1 + total, total, row.id])
        return Table(link, self.pen, 1 + total)

    def _add_events(self, game_id: int, first: int, count: int) -> None:
        rows = enumerate(self._bodies[:count], start=first)
        at = now()
        self._connection.conn.executemany(_EVENT, ((game_id, seq, body, at) for seq, body in rows))

    def add_tables(self, count: int, events: int, games: int = 1) -> Sequence[Table]:
        """Add so many."""
        return [self.add_table(events, games) for _ in range(count)]


@contextmanager
def filling(folder: Path, longest: int = 400) -> Iterator[Filling]:
    """Fill `chicago.db` of a folder, in one transaction."""
    db = Database(folder / "chicago.db")
    with db.transaction() as connection:
        yield Filling(connection, longest)
    db.close()


def cookie(pen: str) -> str:
    """The cookie of a phone that has a pen."""
    return f"chicago-pen={pen}"
