"""Forgetting goes in portions, waits for whoever reads, and goes on after whatever came between."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlite_utils.utils import sqlite3

from app.rules.gamefile import read_game
from app.services import erasure, erasure_queue, import_export, play, sheets, tables
from app.services.tables import NotFound, Write
from app.store import background
from app.store.availability import DriverError
from app.store.database import Pool

NAMED = "Annabella Forsgren"
GAMES = 5
HOUR = 3600.0


@pytest.fixture
def haste(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody wait long for an erasure that cannot be over."""
    monkeypatch.setattr(erasure_queue, "PATIENCE_SECONDS", 0.1)


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


def in_a_backup(pool: Pool) -> int:
    """Count how often the name stands in a backup made now."""
    path = Path(pool.path).with_name("backup.sqlite")
    with sqlite3.connect(pool.path) as source, sqlite3.connect(path) as target:
        source.backup(target)
    source.close()
    target.close()
    return path.read_bytes().count(NAMED.encode())


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Hold a snapshot of the database as it is now, from outside of the program."""
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN")
    other.execute("SELECT count(*) FROM games").fetchone()
    yield
    other.close()


def names_in_rows(pool: Pool) -> int:
    """Count the rows of games and statistics that hold the name."""
    sql = "SELECT (SELECT count(*) FROM games WHERE instr(setup, ?1))" + "".join(
        f" + (SELECT count(*) FROM {table} WHERE {column} = ?1)"
        for table, column in (
            *(("game_statistics", "name"), ("game_pair_statistics", "name")),
            *(("month_totals", "person"), ("people", "name")),
        )
    )
    return int(pool.connection.execute(sql, [NAMED]).fetchone()[0])


def finish(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Carry on until nothing is left to be erased, however long it takes."""
    monkeypatch.setattr(erasure_queue, "PATIENCE_SECONDS", HOUR)
    erasure_queue.finish(pool)


@pytest.mark.usefixtures("haste")
def test_it_is_over_only_when_the_last_reader_of_what_was_has_gone(
    pool: Pool, table: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a reader open it is out of the table but not called over, and nobody waits for it."""
    key = tables.read_table_id(pool, table.link)
    with reading(pool.path):
        erasure.erase_name(pool, table, NAMED, "Spelare")
        assert erasure_queue.is_pending(pool, key)
        assert on_disk(pool.path) > 0
        assert play.next_game(pool, table).seq > 1
    finish(pool, monkeypatch)
    assert not erasure_queue.is_pending(pool, key)
    assert on_disk(pool.path) == in_a_backup(pool) == names_in_rows(pool) == 0


@pytest.mark.usefixtures("haste")
def test_it_goes_on_after_a_crash(
    pool: Pool, table: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was not over when the server ended is, once it has started again."""
    key = tables.read_table_id(pool, table.link)
    with reading(pool.path):
        erasure.delete_table(pool, table)
        pool.close()
    again = Pool(pool.path)
    again.background = background.AtOnce()
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


def test_a_failure_midway_is_not_called_over_and_is_made_good(
    pool: Pool, table: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever keeps the database from writing: when it is gone, the rest goes by itself."""
    monkeypatch.setattr(erasure_queue, "PORTION_SECONDS", 0.0)
    key = tables.read_table_id(pool, table.link)
    break_at(pool, 2)
    assert erasure.erase_name(pool, table, NAMED, "Spelare") == "Spelare 1"
    assert erasure_queue.is_pending(pool, key)
    assert names_in_rows(pool) > 0
    with pool.transaction() as connection:
        connection.execute("DROP TRIGGER broken")
    finish(pool, monkeypatch)
    assert not erasure_queue.is_pending(pool, key)
    assert on_disk(pool.path) == names_in_rows(pool) == 0


def break_at(pool: Pool, number: int) -> None:
    """Let it fail to change a game."""
    pool.connection.execute(
        f"""CREATE TRIGGER broken BEFORE UPDATE ON games WHEN OLD.number = {number}
        BEGIN SELECT RAISE(ABORT, 'no room'); END"""
    )


def test_a_failure_at_once_changes_nothing(pool: Pool, table: Write) -> None:
    """It is said, and nothing is pending that was never begun."""
    before = sheets.read_sheet(pool, table.link)
    break_at(pool, GAMES)
    with pytest.raises(DriverError):
        erasure.erase_name(pool, table, NAMED, "Spelare")
    assert sheets.read_sheet(pool, table.link) == before
    assert not erasure_queue.is_pending(pool, tables.read_table_id(pool, table.link))


def test_whoever_watches_is_shown_the_table_without_the_name(pool: Pool, table: Write) -> None:
    """It moves on to a new version, from which on phones keep nothing older."""
    watch = pool.changes.subscribe(tables.read_table_id(pool, table.link))
    erasure.erase_name(pool, table, NAMED, "Spelare")
    access = tables.read_access(pool, table.link, table.pen)
    assert watch.newest == access.seq == access.erased_seq
