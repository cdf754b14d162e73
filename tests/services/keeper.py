"""A keeper without a phone: the use cases, called as the pages call them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from app.rules.gamefile import Game, read_game, read_setup
from app.services import idempotency, people, play, sheets, tables
from app.services.idempotency import IdempotentRequest
from app.services.people import People
from app.services.sheets import Sheet
from app.services.tables import Write
from app.store.database import Database
from app.store.table_cache import TableCache
from tests.empty_database import copy_empty_database

PLAYERS = ["Anna", "Bo", "Cilla", "Dan"]
NOBODY: dict[str, object] = {"event": "no_best_hand"}
SETTLE: dict[str, object] = {"event": "break_off", "settle": True}
VOID: dict[str, object] = {"event": "break_off", "settle": False}
GOLDEN = Path(__file__).parents[1] / "golden"


def golden_games() -> list[Game]:
    """Return every golden game that comes to an end."""
    cases = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(GOLDEN.glob("*.json"))]
    over = [c["game"] for c in cases if c["result"].get("status") in ("finished", "broken_off")]
    return [read_game(game) for game in over]


def best_hand(player: str, hand: str = "pair") -> dict[str, object]:
    """Return the event that a hand is best."""
    return {"event": "best_hand", "player": player, "hand": hand}


def last_trick(player: str) -> dict[str, object]:
    """Return the event that somebody took the last trick."""
    return {"event": "last_trick", "player": player}


def correction(player: str, points: int) -> dict[str, object]:
    """Return the event that a player's score was corrected."""
    return {"event": "correction", "player": player, "points": points}


def read_uncached(db: Database, link: str, number: int | None = None) -> Sheet:
    """Return a table as a server that was just started reads it, and hold what ours reads to it."""
    sheet, known = sheets.read_sheet(db, link, number), db.connection.cache
    db.connection.cache = TableCache()
    try:
        assert sheet == sheets.read_sheet(db, link, number)
    finally:
        db.connection.cache = known
    return sheet


@dataclass
class Keeper:
    """Whoever holds the pen of one table."""

    db: Database
    link: str
    pen: str

    @property
    def sheet(self) -> Sheet:
        """The table as it is on disk."""
        return read_uncached(self.db, self.link)

    @property
    def table_id(self) -> int:
        """The table's key."""
        return tables.read_table_id(self.db, self.link)

    @property
    def people(self) -> People:
        """Who has played at the table."""
        return people.list_people(self.db, self.table_id)

    @property
    def seq(self) -> int:
        """The version of the table."""
        return self.sheet.seq

    @property
    def recorded(self) -> list[str]:
        """The kinds of the events that count."""
        return [type(event).__name__ for event in self.sheet.game.events]

    def write(self, seq: int | None = None) -> Write:
        """Return a write with this keeper's pen."""
        return Write(self.link, self.pen, seq)

    def send(self, form: str, act: Callable[[], object]) -> Sheet:
        """Send a form, once more if it was sent before; return the table as it then is."""
        request = IdempotentRequest(self.link, self.pen, form, form)
        idempotency.perform(self.db, request, act, lambda: None)
        return self.sheet

    def record(self, *raw: object) -> Sheet:
        """Record events, one by one."""
        for event in raw:
            play.record(self.db, self.write(), event)
        return self.sheet

    def undo(self, steps: int = 1) -> Sheet:
        """Take back the newest events."""
        for _ in range(steps):
            play.undo(self.db, self.write())
        return self.sheet

    def redo(self, steps: int = 1) -> Sheet:
        """Bring back what was undone."""
        for _ in range(steps):
            play.redo(self.db, self.write())
        return self.sheet

    def next_game(self, **changes: object) -> Sheet:
        """Start the next game."""
        return play.next_game(self.db, self.write(), changes)

    def restart(self) -> None:
        """Open the database anew, as a server does that was started again."""
        path = self.db.path
        self.db.close()
        self.db = Database(path)


def sit_down(
    path: Path,
    players: list[str] | None = None,
    rules: dict[str, object] | None = None,
    dealer: str | None = None,
) -> Keeper:
    """Open a database and a table in it."""
    db, pen = Database(copy_empty_database(path)), tables.new_pen()
    names = players or PLAYERS
    raw: dict[str, object] = {
        "players": names,
        "dealer": dealer or names[-1],
        "rules": rules or {},
    }
    return Keeper(db, tables.open_table(db, read_setup(raw), "", pen), pen)
