import resource
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path

import pytest
from sqlite_utils.utils import sqlite3

from app.store import database
from app.store.database import Database
from app.store.files import DatabaseUnavailable
from tests.services.keeper import Keeper, content


@pytest.fixture(autouse=True)
def no_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the wait for a lock to zero."""
    monkeypatch.setattr(database, "WAIT_SECONDS", 0)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the write lock of a database in another connection."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


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


@contextmanager
def locked_by_another(keeper: Keeper) -> Iterator[None]:
    """Let another connection hold the write lock."""
    with locked(keeper.db.path):
        yield


TROUBLES = [full_disk, failing_disk, write_protected, locked_by_another]


@pytest.mark.parametrize("trouble", TROUBLES, ids=lambda trouble: trouble.__name__)
def test_a_database_that_cannot_be_written_to_is_unavailable(
    keeper: Keeper, trouble: Callable[[Keeper], AbstractContextManager[None]]
) -> None:
    """A write fails, leaves nothing, and works again after the cause is gone."""
    keeper.record("Anna pair")
    with trouble(keeper):
        with pytest.raises(DatabaseUnavailable):
            fill_with_a_long_game(keeper)
        assert keeper.view.state.score("Anna") == 1
    assert len(keeper.recorded) == 1
    keeper.record("nobody")
    assert len(keeper.recorded) == 2


def fill_with_a_long_game(keeper: Keeper) -> None:
    """Write more in one transaction than the free pages of the database hold."""
    with keeper.db.transaction() as connection:
        for number in range(60):
            connection.execute(
                "INSERT INTO rule_sets (owner_hash, name, rules, saved_at) VALUES (?, ?, ?, '')",
                ["owner", str(number), "x" * 10_000],
            )


def test_a_full_disk_within_a_part_of_a_transaction_is_told_as_such(keeper: Keeper) -> None:
    """SQLite rolls back the whole transaction, so that no savepoint is left to roll back."""
    full = pytest.raises(DatabaseUnavailable, match="full")
    with full_disk(keeper), full, keeper.db.transaction():
        fill_with_a_long_game(keeper)
    assert len(keeper.record("nobody").game.events) == 1


def test_reading_goes_on_while_writing_is_blocked(keeper: Keeper) -> None:
    """A table can still be read, also over a new connection."""
    keeper.record("Anna pair")
    with locked(keeper.db.path):
        assert keeper.view.state.score("Anna") == 1
        other = Database(keeper.db.path)
        assert other.connection.execute("SELECT COUNT(*) FROM changes").fetchone() == (2,)
        other.close()


def test_a_mistake_of_ours_is_not_taken_for_an_outage(keeper: Keeper) -> None:
    """An error in our SQL stays an OperationalError, and is not reported as an outage."""
    with pytest.raises(sqlite3.OperationalError), keeper.db.transaction() as connection:
        connection.execute("SELECT nothing FROM nowhere")


def test_checking_changes_nothing(keeper: Keeper) -> None:
    """The health check is a real write, but leaves the database unchanged."""
    before = content(keeper.db)
    keeper.db.check_writable()
    assert content(keeper.db) == before
    with locked(keeper.db.path), pytest.raises(DatabaseUnavailable):
        keeper.db.check_writable()


def test_checking_notices_that_nothing_can_be_written(keeper: Keeper) -> None:
    """Also where SQLite could begin a transaction: only a write finds the failure."""
    with failing_disk(keeper), pytest.raises(DatabaseUnavailable):
        keeper.db.check_writable()
