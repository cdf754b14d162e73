"""A keeper without a phone: it calls the use cases as the pages call them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

import msgspec

from app.rules.gamefile import Game, read_game, read_setup
from app.services import import_export, opening, people, play, table_view
from app.services.access import Access, Write, find_access, new_pen
from app.services.commit import Change, commit
from app.services.ledger import Ledger, Payment, read_ledger
from app.services.people import People
from app.services.statistics import Statistics, read_statistics
from app.services.table_view import TableView
from app.store.database import Database
from app.store.log import Key
from tests.empty_database import copy_empty_database
from tests.rules.table import GOLDEN, Rules, write_facts

PLAYERS = ["Anna", "Bo", "Cilla", "Dan"]
NOBODY: Rules = {"event": "no_best_hand"}


def golden_games(names: Sequence[str] = ()) -> list[Game]:
    """Return every golden game that comes to an end, or those of these names."""
    cases = [GOLDEN[name] for name in names or GOLDEN]
    over = [c["game"] for c in cases if c["result"].get("status") in ("finished", "broken_off")]
    return [read_game(game) for game in over]


def game_from(at: str, players: str, *happened: str | Rules, **more: object) -> Game:
    """Return a game read from the fields of a game file."""
    raw = {"format": "chicago-game/1", "at": at, "players": players.split(), **more}
    return read_game({**raw, "events": write_facts(*happened)})


def paid(now: Ledger) -> list[Payment]:
    """Return the payments that count."""
    return [each for told in now.settlements if not told.undone for each in told.payments]


def content(db: Database) -> list[str]:
    """Return every row of a database, and its user_version."""
    rows = [str(row) for name in db.connection.table_names() for row in db.connection[name].rows]
    return [*rows, str(db.connection.find_number("PRAGMA user_version"))]


@dataclass
class Keeper:
    """The keeper of one table, who writes from a version, or the newest, and by a key, or none."""

    db: Database
    link: str
    pen: str
    version: int | None = None
    key: Sequence[str] = ()
    secrets: dict[str, str] = field(default_factory=dict)

    @property
    def view(self) -> TableView:
        """The table as it is on disk, which the cached view is as well."""
        newest = self.db.connection.newest
        kept, known = dict(newest.items()), table_view.read_view(self.db, self.link)
        newest.clear()
        view = table_view.read_view(self.db, self.link)
        newest.clear()
        newest.update(kept)
        assert view == known
        return view

    @property
    def access(self) -> Access:
        """The access by the keeper's link and pen."""
        return find_access(self.db.connection, self.link, self.pen)

    @property
    def table_id(self) -> int:
        """The table's key."""
        return self.access.id

    @property
    def people(self) -> People:
        """The people of the table."""
        return people.list_people(self.db, self.table_id)

    @property
    def seq(self) -> int:
        """The version of the table."""
        return self.access.seq

    @property
    def ledger(self) -> Ledger:
        """The games, payments and debts of the table, as on disk and as cached."""
        known, kept = read_ledger(self.db, self.link), self.db.connection.ledgers.pop(self.table_id)
        assert read_ledger(self.db, self.link) == known
        self.db.connection.ledgers[self.table_id] = kept
        return known

    @property
    def statistics(self) -> Statistics:
        """The figures of all years."""
        return read_statistics(self.db, self.table_id)

    @property
    def games(self) -> list[int]:
        """The numbers of the games that count."""
        return table_view.list_game_numbers(self.db, self.link)

    @property
    def recorded(self) -> list[str]:
        """The kinds of the events that count."""
        return [type(event).__name__ for event in self.view.game.events]

    def write(self, seq: int | None = None) -> Write:
        """Return a write with this keeper's pen."""
        return Write(self.link, self.pen, self.version if seq is None else seq)

    def at_another_table(self) -> Keeper:
        """Return the keeper of a new table of the same people and secrets."""
        pen = new_pen()
        link = opening.open_table(self.db, self.view.game.setup, "", pen)
        return replace(self, link=link, pen=pen)

    def commit(
        self, change: Change, key: Key | None = None, at: datetime | None = None
    ) -> TableView:
        """Commit a change; return the answer of the commit."""
        key = key or (Key(*map(str.encode, self.key)) if self.key else None)
        return commit(self.db, self.write(), change, key, at)

    def record(self, *happened: str | Rules) -> TableView:
        """Record events, one by one."""
        for event in write_facts(*happened):
            self.commit(play.Record(event))
        return self.view

    def undo(self, steps: int = 1) -> TableView:
        """Take back the newest changes."""
        for _ in range(steps):
            self.commit(play.Undo())
        return self.view

    def next_game(self, **changes: object) -> TableView:
        """Start the next game."""
        return self.commit(play.Start(changes))

    def restart(self) -> None:
        """Open the database anew, as a restarted server does."""
        path = self.db.path
        self.db.close()
        self.db = Database(path)


def sit_down(
    path: Path,
    players: list[str] | None = None,
    rules: Rules | None = None,
    **setup: object,
) -> Keeper:
    """Open a database and a table in it."""
    db, pen, names = Database(copy_empty_database(path)), new_pen(), players or PLAYERS
    raw: Rules = {"players": names, "dealer": names[-1], "rules": rules or {}, **setup}
    return Keeper(db, opening.open_table(db, read_setup(raw), "", pen), pen)


def dated_games(names: Sequence[str] = ()) -> list[Game]:
    """Return golden games that end, one a week; every third shares the evening before it."""
    return [
        msgspec.structs.replace(
            game, remarks={"id": f"golden {n}", "at": evening_at(n - (n % 3 == 2))}
        )
        for n, game in enumerate(golden_games(names))
    ]


def evening_at(week: int) -> str:
    """Return the time of the evening of a week."""
    return f"20{20 + week // 48:02}-{week // 4 % 12 + 1:02}-{week % 4 * 7 + 1:02}T20:00:00+01:00"


def open_archive(path: Path, games: list[Game]) -> Keeper:
    """Open a table with these games already played."""
    db, pen = Database(path), new_pen()
    return Keeper(db, import_export.open_with_games(db, games, "", pen), pen)
