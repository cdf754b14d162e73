"""The database: what is acknowledged is on disk, failures leave nothing, outages are told."""

import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from pathlib import Path

import pytest
from sqlite_utils.utils import sqlite3

from app.services import access, table_view
from app.services.commit import commit
from app.services.edit import Edit
from app.services.people import Rename
from app.services.play import Record
from app.services.table_view import EditBody, decode
from app.store import database, files
from app.store.database import Database
from app.store.files import DatabaseUnavailable
from tests.browser.serving import ROOT
from tests.services.keeper import Keeper, content
from tests.told import told

ENOUGH = 25
GIVING = (access.make_pen_link, access.make_recovery_link)
POINT = {"event": "correction", "player": "Bo", "points": 1}
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


@pytest.fixture(autouse=True)
def no_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the wait for a lock to zero."""
    monkeypatch.setattr(database, "WAIT_SECONDS", 0)


def test_what_a_write_has_returned_from_survives_kill_9(keeper: Keeper) -> None:
    """A server killed in mid-write has lost no acknowledged change."""
    recording = subprocess.Popen(
        [sys.executable, "-c", RECORDS, str(keeper.db.path), keeper.link, keeper.pen],
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
    """A change whose sync failed is found in the log; one that cannot be synced is not read."""

    def fail(_: Path) -> None:
        raise OSError

    with monkeypatch.context() as broken:
        broken.setattr(files, "synchronize", fail)
        with pytest.raises(DatabaseUnavailable):
            keeper.restart()
    synced = list[Path]()
    monkeypatch.setattr(files, "synchronize", synced.append)
    keeper.db = Database(keeper.db.path)
    assert keeper.view.seq == 1
    assert synced == [keeper.db.path.with_name("chicago.db-wal")]


def test_a_write_that_fails_leaves_nothing(keeper: Keeper) -> None:
    """The whole transaction, or a part, is rolled back; no lock or cached state is left."""
    keeper.record("Anna pair")
    before = keeper.view
    with suppress(Fault), keeper.db.transaction() as connection:
        access.mark_version(connection, keeper.access, "pens")
        keeper.commit(Record(POINT))
        raise Fault
    assert keeper.view == before
    with closing(Database(keeper.db.path)) as other:
        assert commit(other, keeper.write(), Record(POINT)).seq == before.seq + 1
    with keeper.db.transaction():
        with suppress(Fault), keeper.db.transaction():
            keeper.commit(Record(POINT))
            raise Fault
        keeper.commit(Rename("Somewhere else"))
        assert len(table_view.read_view(keeper.db, keeper.link).game.events) == 2
    assert len(keeper.view.game.events) == 2
    with suppress(Fault), keeper.db.transaction():
        keeper.record("void")
        assert not any(keeper.ledger.outstanding.values())
        raise Fault
    keeper.record("settled")
    assert any(keeper.ledger.outstanding.values())


@told
def test_the_connection_is_careful(db: Database, name: str, value: object) -> None:
    """The connection syncs to disk, logs ahead, checks references and overwrites deleted data."""
    assert db.connection.execute(f"PRAGMA {name}").fetchone() == (value,)


def test_every_table_is_strict(db: Database) -> None:
    """No column of any table accepts a value of another type."""
    rows = db.connection.execute("PRAGMA table_list").fetchall()
    ours = [row for row in rows if row[2] == "table" and not row[1].startswith("sqlite_")]
    assert all(strict for *_, strict in ours)
    assert len(ours) >= 8


def test_what_was_recorded_is_never_changed(keeper: Keeper) -> None:
    """The database itself refuses it; an edit holds the entries that are kept as ranges."""
    keeper.record("Bo 1, Bo 2")
    for column in ("table_id", "seq", "key", "at"):
        with pytest.raises(sqlite3.IntegrityError, match="never changed"), keeper.db.transaction():
            keeper.db.connection.execute(f"UPDATE changes SET {column} = {column}")
    keeper.commit(Edit(1, entries=[1]))
    body = keeper.db.connection.table("changes").get((keeper.table_id, keeper.seq))["body"]
    assert decode(body, EditBody).entries == ((1, 2),)


def test_every_link_and_pen_is_stored_hashed(keeper: Keeper, path: Path) -> None:
    """A stolen database file opens no table: neither links nor pens, nor what gives one."""
    keeper.record("nobody")
    giving = [make(keeper.db, keeper.write()) for make in GIVING]
    assert ([len(keeper.link)], {*map(len, (keeper.pen, *giving))}) == ([22], {43})
    keeper.db.close()
    held = b"".join(file.read_bytes() for file in path.parent.iterdir())
    assert b"no_best_hand" in held
    assert not [each for each in (keeper.link, keeper.pen, *giving) if each.encode() in held]


# Outages.


@contextmanager
def limited(kind: int, most: int) -> Iterator[None]:
    """Limit a resource of this process."""
    soft, hard = resource.getrlimit(kind)
    resource.setrlimit(kind, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(kind, (soft, hard))


@contextmanager
def locked(keeper: Keeper) -> Iterator[None]:
    """Hold the write lock of the database in another connection."""
    with closing(sqlite3.connect(keeper.db.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


@contextmanager
def full_disk(keeper: Keeper) -> Iterator[None]:
    """Allow the database no further page."""
    connection = keeper.db.connection
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count={pages}")
    yield


@contextmanager
def failing_disk(keeper: Keeper) -> Iterator[None]:
    """Limit the write-ahead log of the database to its present size."""
    log = keeper.db.path.with_name("chicago.db-wal")
    with limited(resource.RLIMIT_FSIZE, log.stat().st_size):
        yield


@contextmanager
def write_protected(keeper: Keeper) -> Iterator[None]:
    """Make this connection read-only."""
    keeper.db.connection.execute("PRAGMA query_only=1")
    yield


def check(keeper: Keeper) -> None:
    """Check the health of the database, which is a real write."""
    keeper.db.check_writable()


def fill(keeper: Keeper) -> None:
    """Write more in one transaction than the free pages of the database hold.

    A full disk ends it within a part, so that no savepoint is left to roll back.
    """
    with keeper.db.transaction(), keeper.db.transaction() as connection:
        for number in range(60):
            row = {"owner_hash": "", "name": f"{number}", "rules": "x" * 10_000, "saved_at": ""}
            connection.table("rule_sets").insert(row)


@pytest.mark.parametrize(
    ("trouble", "act"),
    [
        *((trouble, fill) for trouble in (full_disk, failing_disk, write_protected, locked)),
        *((trouble, check) for trouble in (failing_disk, write_protected, locked)),
    ],
)
def test_a_database_that_cannot_be_written_to_is_unavailable(
    keeper: Keeper,
    trouble: Callable[[Keeper], AbstractContextManager[None]],
    act: Callable[[Keeper], None],
) -> None:
    """A write fails and leaves nothing; reading and, afterwards, writing go on."""
    keeper.record("Anna pair")
    before = content(keeper.db)
    check(keeper)
    with trouble(keeper):
        with pytest.raises(DatabaseUnavailable):
            act(keeper)
        assert keeper.view.state.score("Anna") == 1
        with closing(Database(keeper.db.path)) as other:
            assert content(other) == before
    keeper.record("nobody")
    assert len(keeper.recorded) == 2


def test_a_mistake_of_ours_is_not_taken_for_an_outage(keeper: Keeper) -> None:
    """An error in our SQL stays an OperationalError, and is not reported as an outage."""
    with pytest.raises(sqlite3.OperationalError), keeper.db.transaction() as connection:
        connection.execute("SELECT nothing FROM nowhere")


# Files that are removed or replaced.


def remove_everything(path: Path) -> None:
    """Remove the database with SQLite's files beside it."""
    for file in path.parent.glob(f"{path.name}*"):
        file.unlink()


def replace(path: Path) -> None:
    """Put another, sound database in its place."""
    other = path.with_name("other.db")
    Database(other).close()
    other.replace(path)


def remove_folder(path: Path) -> None:
    """Move the whole folder away."""
    path.parent.rename(path.parent.with_name("elsewhere"))


def count_open(path: Path) -> int:
    """Return the number of open file descriptors of a database and its files."""
    opened = [os.path.realpath(file) for file in Path("/proc/self/fd").iterdir()]
    return sum(file.startswith(str(path)) for file in opened)


@pytest.mark.parametrize(
    "happen",
    [Path.unlink, remove_everything, replace, remove_folder],
)
def test_nothing_is_acknowledged_that_would_be_lost(
    keeper: Keeper, path: Path, happen: Callable[[Path], None]
) -> None:
    """Every write is refused, no empty file takes its place, and nothing is left open."""
    keeper.record("Anna pair")
    happen(path)
    told, opened = f"{path} has been removed or replaced; stop the server and restore it", []
    for _ in range(3):
        with pytest.raises(DatabaseUnavailable, match=told):
            keeper.record("nobody")
        with pytest.raises(DatabaseUnavailable):
            keeper.db.check_writable()
        opened.append(count_open(path))
    assert opened[0] == opened[-1]
    assert path.exists() == (happen is replace)


def test_a_removed_log_is_noticed_and_nothing_in_it_lost(keeper: Keeper, path: Path) -> None:
    """Nothing more is written to the removed log; its content is saved over the open connection."""
    keeper.record("Anna pair")
    path.with_name("chicago.db-wal").unlink()
    with pytest.raises(DatabaseUnavailable, match="-wal has been removed or replaced"):
        keeper.record("nobody")
    assert (keeper.view.state.score("Anna"), len(keeper.recorded)) == (1, 1)
    keeper.record("nobody")
    keeper.restart()
    assert len(keeper.recorded) == 2


def test_a_log_begun_anew_by_sqlite_is_no_other_file(keeper: Keeper, path: Path) -> None:
    """SQLite removes the log with the last connection, and a new log is accepted."""
    keeper.record("Anna 1")
    for _ in range(2):
        # A kept hard link, so that the next log cannot have the same inode number.
        log = path.with_name("chicago.db-wal")
        log.with_name(f"kept {log.stat().st_ino}").hardlink_to(log)
        with write_protected(keeper), pytest.raises(DatabaseUnavailable, match="readonly"):
            keeper.record("Anna 1")
        keeper.record("Anna 1")
    assert len(keeper.recorded) == 3
