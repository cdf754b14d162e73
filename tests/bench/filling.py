"""Databases filled with games that nobody had to play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path

import msgspec

from app.rules.events import BreakOff
from app.rules.gamefile import Game
from app.services import access, import_export
from app.store.clock import utc_now, write_time
from app.store.database import Database
from tests.bench.long_game import long_game

SETTLED = BreakOff(settle=True)


class Table(msgspec.Struct, frozen=True):
    """A table, the pen that writes at it, and its version."""

    link: str
    pen: str
    seq: int


def fill(folder: Path, count: int, events: int, games: int = 1) -> list[Table]:
    """Open so many tables in `chicago.db` of a folder, each with so many games.

    All have as many events; all but the newest are over, a week each.
    """
    db, pen, played = Database(folder / "chicago.db"), access.new_pen(), [*_play(events, games)]
    links = [import_export.open_with_games(db, played, "", pen) for _ in range(count)]
    db.close()
    return [Table(link, pen, games + events) for link in links]


def _play(length: int, games: int) -> Iterator[Game]:
    setup, events = long_game(length)
    for week in range(1 - games, 1):
        at = write_time(utc_now() + timedelta(weeks=week))
        end: Sequence[BreakOff] = [SETTLED] if week else []
        yield Game(setup, (*events, *end), {"id": f"{week}", "at": at})


def cookie(pen: str) -> str:
    """The cookie of a phone that has a pen."""
    return f"chicago-pen={pen}"
