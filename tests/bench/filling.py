"""Databases filled with rows: games that nobody had to play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import msgspec

from app.rules.events import BreakOff
from app.rules.gamefile import Game
from app.services import access, commit, figures, opening
from app.services.table_view import GameBody, to_json, write_numbers, write_setup
from app.store.clock import now, utc_now, write_time
from app.store.database import Connection, Database
from tests.bench.long_game import long_game

_ROW = """INSERT INTO changes (table_id, seq, kind, game, body, at, entries)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?2)"""
SETTLED = BreakOff(settle=True)


class Table(msgspec.Struct, frozen=True):
    """A table, the pen that writes at it, and its version."""

    link: str
    pen: str
    seq: int


class Filling:
    """Fills a database with tables at which the same long game is played, some way into it."""

    def __init__(self, connection: Connection, longest: int) -> None:
        self._connection = connection
        self._setup, self._events = long_game(longest)
        self._numbers = {name: n for n, name in enumerate(self._setup.players, start=1)}
        self._bodies = [to_json(write_numbers(event, self._numbers)) for event in self._events]
        self.pen = access.new_pen()

    def add_table(self, events: int, games: int = 1, *, over: bool = False) -> Table:
        """Add a table with so many games, each with so many events.

        All but the newest are `over`, a week each, or go on.
        """
        link = access.new_link()
        table_id = opening.add_table(self._connection, link, "")
        access.add_pen(self._connection, table_id, self.pen)
        commit.add_names(self._connection, table_id, {}, self._setup.players)
        rows = [
            row
            for number in range(1, games + 1)
            for row in self._game(link, number, events, over=over and number < games)
        ]
        at = now()
        self._connection.conn.executemany(
            _ROW, ((table_id, seq, *row, at) for seq, row in enumerate(rows, start=1))
        )
        if over:
            self._add_seats(table_id, games, events)
        return Table(link, self.pen, len(rows))

    def _game(
        self, link: str, number: int, events: int, *, over: bool
    ) -> Iterator[tuple[str, int, str]]:
        setup = write_setup(self._setup, self._numbers)
        body = GameBody(access.derive_game_id(link, number, 1), setup)
        yield "start" if number > 1 else "open", number, to_json(body)
        yield from (("record", number, event) for event in self._bodies[:events])
        if over:
            yield "record", number, to_json(write_numbers(SETTLED, {}))

    def _add_seats(self, table_id: int, games: int, events: int) -> None:
        game = Game(self._setup, (*self._events[:events], SETTLED))
        states = game.states()
        for number in range(1, games):
            begun_at = write_time(utc_now() - timedelta(weeks=games - number))
            seats = figures.count_figures(begun_at, game, states)
            figures.add_figures(
                self._connection, table_id, figures.write_figures(number, seats, self._numbers)
            )

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
