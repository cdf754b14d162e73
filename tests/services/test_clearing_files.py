"""Erasure leaves nothing in any file, at once or by the next start, also after a crash."""

from __future__ import annotations

import random
import resource
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from sqlite_utils.utils import sqlite3

from app import create_app
from app.rules.gamefile import read_game, read_setup
from app.services import access, erasure, import_export, opening, table_view
from app.services.access import NotFound, Write
from app.store.database import Database
from app.store.files import DriverError, ServerLock
from tests.services.test_erasure import NAMED, game_file
from tests.test_documents import ENGLISH


@pytest.fixture
def table(db: Database) -> Write:
    """Return a table with some games of the person to forget."""
    games = [read_game(game_file(year)) for year in range(2020, 2025)]
    return Write(import_export.open_with_games(db, games, "", "pen"), "pen")


def on_disk(path: Path) -> int:
    """Count the occurrences of the name in the database's files."""
    return sum(p.read_bytes().count(NAMED.encode()) for p in path.parent.glob("*.db*"))


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Hold a read snapshot of the database in another connection."""
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN")
    other.execute("SELECT count(*) FROM changes").fetchone()
    yield
    other.close()


@pytest.mark.parametrize("whole", [False, True])
def test_what_a_reader_kept_from_being_over_is_made_up_for_at_the_next_start(
    db: Database, table: Write, *, whole: bool
) -> None:
    """While a reader holds a snapshot, the erasure is pending and the log does not grow."""
    with reading(db.path):
        if whole:
            erasure.delete_table(db, table)
        else:
            erasure.erase_name(db, table, NAMED, "Spelare")
        assert erasure.is_pending(db)
        size = db.path.with_name("chicago.db-wal").stat().st_size
        assert not erasure.clear_files(db)
        assert db.path.with_name("chicago.db-wal").stat().st_size == size
        assert on_disk(db.path) > 0
        db.close()
    again = Database(db.path)
    assert erasure.is_pending(again)
    assert erasure.clear_files(again)
    assert not erasure.is_pending(again)
    assert on_disk(db.path) == 0
    again.close()


@pytest.mark.parametrize("whole", [False, True])
def test_a_large_file_is_cleared_at_the_next_start(
    db: Database, table: Write, monkeypatch: pytest.MonkeyPatch, *, whole: bool
) -> None:
    """The request writes no file anew and leaves an empty log; the start does, and only then."""
    monkeypatch.setattr(erasure, "SMALL_FILE", 0)
    with monkeypatch.context() as patch:
        patch.setattr(db, "vacuum", lambda: pytest.fail("a large file is written anew"))
        if whole:
            erasure.delete_table(db, table)
        else:
            erasure.erase_name(db, table, NAMED, "Spelare")
    assert db.path.with_name("chicago.db-wal").stat().st_size == 0
    assert erasure.is_pending(db)
    assert erasure.clear_files(db)
    assert erasure.clear_files(db)  # nothing is due any more
    assert on_disk(db.path) == 0
    left = db.connection.find_number("SELECT COUNT(*) FROM changes")
    assert bool(left) != whole


def test_a_disk_that_is_full_loses_nothing_and_stays_no_fuller(
    db: Database, table: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the file cannot be written anew all is as before, tried once, and due again."""
    monkeypatch.setattr(erasure, "SMALL_FILE", 0)
    erasure.erase_name(db, table, NAMED, "Spelare")
    before = table_view.read_view(db, table.link)
    sizes = {path: path.stat().st_size for path in db.path.parent.glob("*.db*")}
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        # The log of a file that is written anew is larger than that.
        resource.setrlimit(resource.RLIMIT_FSIZE, (sizes[db.path] // 2, hard))
        assert not erasure.clear_files(db)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert {path: path.stat().st_size for path in db.path.parent.glob("*.db*")} == sizes
    assert table_view.read_view(db, table.link) == before
    assert erasure.clear_files(db)
    assert on_disk(db.path) == 0


def test_the_command_clears_the_file_where_no_server_runs(
    db: Database, table: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`flask vacuum` says that nothing is left, or that the database is in use."""
    monkeypatch.setattr(erasure, "SMALL_FILE", 0)
    erasure.erase_name(db, table, NAMED, "Spelare")
    assert erasure.is_pending(db)
    runner = create_app({"DATABASE": str(db.path)}).test_cli_runner()
    with closing(ServerLock(db.path)):
        refused = runner.invoke(args=["vacuum"], env=ENGLISH)
    assert (refused.exit_code, "stop that one first" in refused.output) == (1, True)
    done = runner.invoke(args=["vacuum"], env=ENGLISH)
    assert done.output == "Nothing that was forgotten is left in the files.\n"
    assert not erasure.is_pending(db)
    assert on_disk(db.path) == 0


@pytest.mark.parametrize("clears", [0, 1], ids=["before VACUUM", "after VACUUM"])
def test_a_crash_before_the_files_are_clear_is_made_up_for(
    db: Database, table: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, clears: int
) -> None:
    """The database itself records that the erasure is pending."""
    real = db.vacuum
    monkeypatch.setattr(db, "vacuum", lambda: bool(clears) and real() and False)
    erasure.erase_name(db, table, NAMED, "Spelare")
    crashed = shutil.copytree(db.path.parent, tmp_path / "crashed")
    again = Database(crashed / "chicago.db")
    assert erasure.clear_files(again)
    assert on_disk(again.path) == 0
    assert table_view.read_view(again, table.link).state.players[0] == "Spelare 1"
    again.close()


def test_who_erases_while_another_waits_is_cleared_as_well(
    db: Database, table: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The erasure is complete only after the files are clear of both names."""
    real = db.vacuum

    def vacuum() -> bool:
        with monkeypatch.context() as patch:
            patch.setattr(db, "vacuum", lambda: False)
            erasure.erase_name(db, table, "Bo", "Spelare")
        return real()

    with monkeypatch.context() as patch:
        patch.setattr(db, "vacuum", vacuum)
        erasure.erase_name(db, table, NAMED, "Spelare")
    assert erasure.is_pending(db)
    assert erasure.clear_files(db)


def test_no_copy_is_left_where_rows_were_moved(db: Database) -> None:
    """The names are gone from many games, short and long, deleted and erased in random order."""
    dice = random.Random(1)
    links = [
        import_export.open_with_games(
            db,
            [read_game(game_file(n, "B" * dice.randrange(1, 30))) for n in range(2000, 2030)],
            NAMED,
            "pen",
        )
        for _ in range(8)
    ]
    dice.shuffle(links)
    for link in links:
        write = Write(link, "pen")
        if dice.random() < 0.4:
            erasure.delete_table(db, write)
        else:
            erasure.erase_name(db, write, NAMED, "Spelare")
    assert not erasure.is_pending(db)
    assert on_disk(db.path) == 0
    assert db.connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_deleted_table_opens_for_nobody_ever_again(db: Database, table: Write) -> None:
    """The link opens nothing and cannot be used again, also while a file still holds the rows."""
    with reading(db.path):
        erasure.delete_table(db, table)
        with pytest.raises(NotFound):
            access.find_access(db.connection, table.link, table.pen)
    setup = read_setup({"players": ["Eva", "Fia"]})
    with pytest.raises(DriverError, match="link_hash"):
        opening.open_table(db, setup, "", "pen", table.link)


def test_a_failure_changes_nothing(db: Database, table: Write) -> None:
    """A failed erasure raises an error, changes nothing, and is not pending."""
    db.connection.execute(
        "CREATE TRIGGER broken BEFORE UPDATE ON changes BEGIN SELECT RAISE(ABORT, 'no room'); END"
    )
    before = table_view.read_view(db, table.link)
    with pytest.raises(DriverError):
        erasure.erase_name(db, table, NAMED, "Spelare")
    assert table_view.read_view(db, table.link) == before
    assert not erasure.is_pending(db)
