"""Forgetting goes in portions, waits for whoever reads, and goes on after whatever came between."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlite_utils.utils import sqlite3

from app.rules.gamefile import read_game
from app.services import erasure, erasure_queue, import_export, sheets, tables
from app.services.tables import NotFound, Write
from app.store.availability import DriverError
from app.store.background import AtOnce
from app.store.database import Pool

NAMED = "Annabella Forsgren"
GAMES = 5
HOUR = 3600.0


@pytest.fixture
def table(pool: Pool) -> Write:
    """Return a table with some games of a person to be forgotten."""
    games = [read_game(game(number)) for number in range(1, GAMES + 1)]
    return Write(import_export.open_table(pool, games, "", "pen"), "pen")


def game(number: int) -> dict[str, object]:
    """Return the file of a game with a remark."""
    return {
        "format": "chicago-game/1",
        "at": f"2026-05-0{number}T19:00:00.000+00:00",
        "players": [NAMED, "Bo"],
        "rules": {"preset": "pagat"},
        "events": [
            {"event": "best_hand", "player": NAMED, "hand": "pair", "note": f"{NAMED} log"},
            {"event": "break_off", "settle": True},
        ],
    }


def on_disk(path: Path) -> int:
    """Count how often the name stands in the database's files."""
    return sum(p.read_bytes().count(NAMED.encode()) for p in path.parent.glob("*.db*"))


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Hold a snapshot of the database as it is now, from outside of the program."""
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN")
    other.execute("SELECT count(*) FROM games").fetchone()
    yield
    other.close()


@pytest.mark.parametrize("whole", [False, True])
def test_what_a_reader_kept_from_being_over_is_once_the_server_has_started_again(
    pool: Pool, table: Write, monkeypatch: pytest.MonkeyPatch, whole: bool
) -> None:
    """With somebody reading it is not called over, and nobody waits; then it goes by itself."""
    monkeypatch.setattr(erasure_queue, "PATIENCE_SECONDS", 0)
    monkeypatch.setattr(erasure_queue, "_READERS_SECONDS", 0)
    key, pool.background = tables.read_table_id(pool, table.link), AtOnce()
    with reading(pool.path):
        if whole:
            erasure.delete_table(pool, table)
        else:
            erasure.erase_name(pool, table, NAMED, "Spelare")
        assert erasure_queue.is_pending(pool, key)
        assert on_disk(pool.path) > 0
        pool.close()
    again = Pool(pool.path)
    again.background = AtOnce()
    assert erasure_queue.is_pending(again, key)
    monkeypatch.setattr(erasure_queue, "PATIENCE_SECONDS", HOUR)
    erasure_queue.resume(again)
    assert not erasure_queue.is_pending(again, key)
    assert on_disk(pool.path) == 0
    again.close()


def test_a_deleted_table_opens_for_nobody_while_it_goes(
    pool: Pool, table: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In portions, of which others see nothing: after the first there is no such table."""
    with monkeypatch.context() as patch:
        patch.setattr(erasure_queue, "PORTION_SECONDS", 0.0)
        patch.setattr(erasure_queue, "finish", lambda _: None)
        erasure.delete_table(pool, table)
    count = "SELECT count(*) FROM games"
    assert pool.connection.execute(count).fetchone() == (GAMES - 1,)
    with pytest.raises(NotFound):
        tables.read_access(pool, table.link, table.pen)
    erasure_queue.finish(pool)
    assert pool.connection.execute(count).fetchone() == (0,)


def test_a_failure_at_once_changes_nothing(pool: Pool, table: Write) -> None:
    """It is said, and nothing is pending that was never begun."""
    pool.connection.execute(
        "CREATE TRIGGER broken BEFORE UPDATE ON games BEGIN SELECT RAISE(ABORT, 'no room'); END"
    )
    before = sheets.read_sheet(pool, table.link)
    with pytest.raises(DriverError):
        erasure.erase_name(pool, table, NAMED, "Spelare")
    assert sheets.read_sheet(pool, table.link) == before
    assert not erasure_queue.is_pending(pool, tables.read_table_id(pool, table.link))
