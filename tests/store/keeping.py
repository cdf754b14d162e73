"""A keeper without a phone: the use cases, called as the pages call them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from app import playing, tables
from app.rules.gamefile import read_setup
from app.store import Store
from app.tables import Sheet, Write

PLAYERS = ["Anna", "Bo", "Cilla", "Dan"]
NOBODY: dict[str, object] = {"event": "no_best_hand"}


def best_hand(player: str, hand: str = "pair") -> dict[str, object]:
    """Return the event that a hand is best."""
    return {"event": "best_hand", "player": player, "hand": hand}


def last_trick(player: str) -> dict[str, object]:
    """Return the event that somebody took the last trick."""
    return {"event": "last_trick", "player": player}


@dataclass
class Keeper:
    """Whoever holds the pen of one table."""

    store: Store
    link: str
    pen: str

    @property
    def sheet(self) -> Sheet:
        """The table as it is on disk."""
        return tables.sheet(self.store, self.link)

    @property
    def seq(self) -> int:
        """The version of the table."""
        return self.sheet.seq

    @property
    def kept(self) -> list[str]:
        """The kinds of the events that count."""
        return [type(event).__name__ for event in self.sheet.game.events]

    def write(self, seq: int | None = None, request: str = "") -> Write:
        """Return a write with this keeper's pen."""
        return Write(self.link, self.pen, seq, request)

    def record(self, *raw: object) -> Sheet:
        """Record events, one by one."""
        for event in raw:
            playing.record(self.store, self.write(), event)
        return self.sheet

    def undo(self, steps: int = 1) -> Sheet:
        """Take back the newest events."""
        for _ in range(steps):
            playing.undo(self.store, self.write())
        return self.sheet

    def redo(self, steps: int = 1) -> Sheet:
        """Bring back what was undone."""
        for _ in range(steps):
            playing.redo(self.store, self.write())
        return self.sheet

    def restart(self) -> None:
        """Open the database anew, as a server does that was started again."""
        path = self.store.path
        self.store.close()
        self.store = Store(path)


def sit_down(
    path: Path,
    players: list[str] | None = None,
    rules: dict[str, object] | None = None,
    dealer: str | None = None,
) -> Keeper:
    """Open a database and a table in it."""
    store, pen = Store(path), tables.new_pen()
    seated = players or PLAYERS
    raw: dict[str, object] = {
        "players": seated,
        "dealer": dealer or seated[-1],
        "rules": rules or {},
    }
    return Keeper(store, tables.open_table(store, read_setup(raw), "", pen), pen)
