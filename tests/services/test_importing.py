"""Imports are written whole or not at all, one at a time, and by those who may."""

import time
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from app.rules.errors import NotAllowed
from app.rules.events import BreakOff, NoBestHand
from app.rules.gamefile import Game, read_game
from app.services import import_export, table_view, tables
from app.services.commit import commit
from app.services.import_export import Busy
from app.services.play import Record, Start, Undo
from app.services.tables import NoPen, Write
from app.store.database import Database
from tests.services.keeper import SETTLE

CORRECTION: dict[str, object] = {"event": "correction", "player": "Anna", "points": 1}


def make_games(count: int) -> list[Game]:
    """Return games that ended in different months."""
    raw = {"format": "chicago-game/1", "players": ["Anna", "Bo", "Cilla"]}
    game = read_game({**raw, "events": [CORRECTION, SETTLE]})
    return [
        replace(game, remarks={"id": f"{n}", "at": f"2026-{n % 12 + 1:02}-{n % 28 + 1:02}T20:00Z"})
        for n in range(count)
    ]


@pytest.fixture
def table(db: Database) -> Write:
    """Return how to write at a table where one game has ended."""
    first = replace(make_games(1)[0], remarks={"id": "first", "at": "2025-01-01T20:00Z"})
    return Write(import_export.open_table(db, [first], "", "pen"), "pen")


def test_an_import_that_fails_leaves_nothing(
    db: Database, table: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a table without its games nor some of them."""
    monkeypatch.setattr(tables, "MAX_ENTRIES", 50)
    with pytest.raises(NotAllowed, match="table_full"):
        import_export.import_games(db, table, make_games(35))
    assert table_view.read_view(db, table.link).games == 1
    before = db.connection.execute("SELECT * FROM tables").fetchall()
    with pytest.raises(NotAllowed, match="table_full"):
        import_export.open_table(db, make_games(35), "", "pen")
    assert db.connection.execute("SELECT * FROM tables").fetchall() == before


def test_each_game_is_a_change_and_each_event_of_the_newest(db: Database, table: Write) -> None:
    """Nothing is one where every game is known; what was before can no longer be undone."""
    seq = table_view.read_view(db, table.link).seq
    assert import_export.import_games(db, table, make_games(35)) == 35
    assert table_view.read_view(db, table.link).seq == seq + 35 + 2
    assert import_export.import_games(db, table, make_games(35)) == 0
    assert table_view.read_view(db, table.link).seq == seq + 35 + 2
    for _ in range(2):
        commit(db, table, Undo())
    with pytest.raises(NotAllowed, match="nothing_to_undo"):
        commit(db, table, Undo())


def test_a_game_begun_meanwhile_is_played_first(
    db: Database, table: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The import stops in words; when that game has ended, the same files come after it."""
    monkeypatch.setattr(time, "sleep", lambda _: commit(db, table, Start()))
    with pytest.raises(NotAllowed, match="still_playing"):
        import_export.import_games(db, table, make_games(1))
    monkeypatch.undo()
    commit(db, table, Record(SETTLE))
    assert import_export.import_games(db, table, make_games(1)) == 1
    assert table_view.read_view(db, table.link).games == 3


def test_one_import_at_a_time(db: Database, table: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second is told; afterwards it may come again."""
    monkeypatch.setattr(import_export, "TURN_SECONDS", 0)
    refusals: list[Busy] = []

    def second(_: float = 0) -> None:
        try:
            import_export.open_table(db, make_games(1), "", "pen")
        except Busy as busy:
            refusals.append(busy)

    with monkeypatch.context() as patch:
        patch.setattr(time, "sleep", second)
        import_export.import_games(db, table, make_games(2))
    assert [str(busy.args[0]) for busy in refusals] == ["import_busy"] * 2
    second()
    assert len(refusals) == 2


def test_nothing_is_worked_out_for_who_may_not_write(db: Database, table: Write) -> None:
    """Nor while a game is being played: the files are not even unpacked."""

    def files() -> Iterator[Game]:
        yield pytest.fail("A file was read.")

    with pytest.raises(NoPen):
        import_export.import_games(db, Write(table.link, "another"), files())
    commit(db, table, Start())
    with pytest.raises(NotAllowed, match="still_playing"):
        import_export.import_games(db, table, files())


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
def test_a_time_that_no_clock_can_tell_is_none(db: Database, at: str) -> None:
    """A game of the year 1 or 9999 is taken in as a game of now."""
    setup = make_games(1)[0].setup
    game = Game(setup, (NoBestHand(at=at), BreakOff(settle=True)), {"at": at})
    link = import_export.open_table(db, [game], "", "pen")
    rows = db.connection.execute("SELECT at FROM changes").fetchall()
    assert all(at.startswith("20") for (at,) in rows)
    assert table_view.read_view(db, link).state.over
