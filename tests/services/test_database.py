"""Transactions: acknowledged ones are on disk, failed ones leave nothing, reads match the disk."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from app.services import access, erasure, table_view
from app.services.commit import commit
from app.services.people import Rename
from app.services.play import Record
from app.store import files
from app.store.database import Database
from app.store.files import DatabaseUnavailable
from tests.browser.serving import ROOT
from tests.services.keeper import NOBODY, Keeper

ENOUGH = 25

# Records without end, and prints the table's version after each write.
RECORDS = """
import sys
from app.services.access import Write
from app.services.commit import commit
from app.services.play import Record
from app.store.database import Database
path, link, pen = sys.argv[1:]
db = Database(path)
event = {"event": "correction", "player": "Anna", "points": 1}
while True:
    print(commit(db, Write(link, pen), Record(event)).seq, flush=True)
"""


def test_what_a_write_has_returned_from_survives_kill_9(keeper: Keeper) -> None:
    """A server killed in mid-write has lost no acknowledged change."""
    where = [str(keeper.db.path), keeper.link, keeper.pen]
    recording = subprocess.Popen(
        [sys.executable, "-c", RECORDS, *where],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert recording.stdout
    answered = [recording.stdout.readline() for _ in range(ENOUGH)]
    recording.send_signal(signal.SIGKILL)
    answered += [line for line in recording.stdout if line.endswith("\n")]
    assert recording.wait() == -signal.SIGKILL
    recording.stdout.close()
    keeper.restart()
    # At most one write reached the disk without an answer.
    assert keeper.seq - int(answered[-1]) in (0, 1)
    assert keeper.view.state.score("Anna") == len(keeper.recorded) == keeper.seq - 1


class Fault(BaseException):
    """An exception that ends a transaction, as a signal does."""


def test_what_a_log_has_is_on_the_disk_before_it_is_told(
    keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A change whose sync failed is found in the log, and its sender told that it is there."""
    synced, log = list[Path](), keeper.db.path.with_name("chicago.db-wal")
    monkeypatch.setattr(files, "synchronize", synced.append)
    keeper.restart()
    assert keeper.view.seq == 1
    assert synced == [log]


def test_a_log_that_cannot_be_synced_is_not_read(
    keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database is unavailable until it can be."""

    def fail(_: Path) -> None:
        raise OSError

    with monkeypatch.context() as broken:
        broken.setattr(files, "synchronize", fail)
        with pytest.raises(DatabaseUnavailable):
            keeper.restart()
    keeper.db = Database(keeper.db.path)
    assert keeper.view.seq == 1


def test_a_write_that_fails_leaves_nothing(keeper: Keeper) -> None:
    """The whole transaction is rolled back, no lock is left, and writing goes on."""
    keeper.record("Anna pair")
    before = keeper.view
    with suppress(Fault), keeper.db.transaction() as connection:
        access.mark_version(connection, keeper.access, "pens")
        keeper.commit(Record(NOBODY))
        raise Fault
    assert keeper.view == before
    other = Database(keeper.db.path)
    assert commit(other, keeper.write(), Record(NOBODY)).seq == before.seq + 1
    other.close()


def test_a_part_that_failed_is_forgotten(keeper: Keeper) -> None:
    """A later change in the same transaction does not see the cached state of a failed part."""
    keeper.record("nobody")
    with keeper.db.transaction():
        with suppress(Fault), keeper.db.transaction():
            keeper.commit(Record(NOBODY))
            raise Fault
        keeper.commit(Rename("Somewhere else"))
        assert len(table_view.read_view(keeper.db, keeper.link).game.events) == 1
    assert len(keeper.view.game.events) == 1


def test_a_forgotten_name_is_in_nothing_that_is_kept(keeper: Keeper) -> None:
    """The cache holds the name neither in the current game nor in earlier ones."""
    keeper.record("nobody, settled")
    keeper.next_game()
    kept = keeper.db.connection.newest
    assert "'Anna'" in repr([*kept.values()])
    erasure.erase_name(keeper.db, keeper.write(), "Anna", "Nobody")
    assert "'Anna'" not in repr([*kept.values()])
    assert keeper.view.state.players[0] == "Nobody 1"


@pytest.mark.parametrize(
    ("name", "value"),
    [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1), ("secure_delete", 1)],
)
def test_the_connection_is_careful(db: Database, name: str, value: object) -> None:
    """The connection syncs to disk, logs ahead, checks references and overwrites deleted data."""
    assert db.connection.execute(f"PRAGMA {name}").fetchone() == (value,)


def test_every_table_is_strict(db: Database) -> None:
    """No column of any table accepts a value of another type."""
    rows = db.connection.execute("PRAGMA table_list").fetchall()
    ours = [row for row in rows if row[2] == "table" and not row[1].startswith("sqlite_")]
    assert all(strict for *_, strict in ours)
    assert len(ours) >= 8


def test_every_link_and_pen_is_stored_hashed(keeper: Keeper, path: Path) -> None:
    """A stolen database file opens no table: neither links nor pens are in it."""
    keeper.record("nobody")
    keeper.db.close()
    held = b"".join(file.read_bytes() for file in path.parent.iterdir())
    assert b"no_best_hand" in held
    assert keeper.link.encode() not in held
    assert keeper.pen.encode() not in held
