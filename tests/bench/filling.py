"""Databases filled with games that nobody had to play, and what their keepers send."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from app.rules.events import BreakOff, Event, write_event
from app.rules.gamefile import Game
from app.rules.state import Setup
from app.services import access, import_export
from app.store.clock import utc_now, write_time
from app.store.database import Database
from app.web.grid import event_value
from tests.bench.load import call, form, get
from tests.long_games import play_long_game

PLAYERS = ["Anna", "Bo", "Cilla", "Dan"]
# No deal has fewer.
EVENTS_OF_A_DEAL = 3
SETTLED = BreakOff(settle=True)


@dataclass
class Table:
    """A table, the pen that writes at it, and the version that its next change finds."""

    link: str
    pen: str
    seq: int

    def get(self, page: str) -> bytes:
        """A request of the keeper's phone."""
        return get(f"/t/{self.link}{page}", cookie(self.pen))

    def post(self, path: str, **fields: object) -> bytes:
        """A form of the keeper's phone that changes the table."""
        self.seq += 1
        fields |= {"seq": self.seq - 1}
        return form(f"/t/{self.link}{path}", fields, cookie(self.pen))

    def tap(self, event: Event) -> bytes:
        """Record an event on the keeper's phone."""
        return self.post("/events", event=event_value(event))

    def call(self, event: Event) -> bytes:
        """Record an event over the API."""
        self.seq += 1
        return call(f"/api/tables/{self.link}/events", write_event(event), self.pen)


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


def long_game(events: int) -> tuple[Setup, Sequence[Event]]:
    """Return a game of so many events that is still being played."""
    game = play_long_game(PLAYERS, events // EVENTS_OF_A_DEAL + 1)
    return game.setup, game.events[:events]


def cookie(pen: str) -> str:
    """The cookie of a phone that has a pen."""
    return f"chicago-pen={pen}"
