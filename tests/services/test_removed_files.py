import os
from collections.abc import Callable
from pathlib import Path

import pytest

from app.store.database import Database
from app.store.files import DatabaseUnavailable
from tests.services.keeper import Keeper

FAILS = "removed or replaced; stop the server and restore it"


def remove(path: Path) -> None:
    """Remove the database alone."""
    path.unlink()


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
    files = [os.path.realpath(file) for file in Path("/proc/self/fd").iterdir()]
    return sum(file.startswith(str(path)) for file in files)


@pytest.mark.parametrize(
    "happen",
    [remove, remove_everything, replace, remove_folder],
    ids=lambda happen: happen.__name__,
)
def test_nothing_is_acknowledged_that_would_be_lost(
    keeper: Keeper, path: Path, happen: Callable[[Path], None]
) -> None:
    """Every write is refused, with the reason, once the file of a running server is another one."""
    keeper.record("Anna pair")
    happen(path)
    for _ in range(3):
        with pytest.raises(DatabaseUnavailable, match=f"{path} has been {FAILS}"):
            keeper.record("nobody")
    with pytest.raises(DatabaseUnavailable):
        keeper.db.check_writable()


def test_who_asks_again_and_again_leaves_nothing_open(keeper: Keeper, path: Path) -> None:
    """A refused check leaks no file descriptor, so that health checks cannot exhaust them."""
    replace(path)
    opened = []
    for _ in range(3):
        with pytest.raises(DatabaseUnavailable):
            keeper.db.check_writable()
        opened.append(count_open(path))
    assert opened[0] == opened[-1]


def test_a_removed_database_is_not_made_anew(keeper: Keeper, path: Path) -> None:
    """No empty file takes its place, which the next start would open as the database."""
    remove_everything(path)
    for _ in range(2):
        with pytest.raises(DatabaseUnavailable):
            keeper.record("nobody")
    assert list(path.parent.glob("chicago.db*")) == []


def test_a_removed_log_is_noticed_and_nothing_in_it_lost(keeper: Keeper, path: Path) -> None:
    """Nothing more is written to the removed log; its content is saved over the open connection."""
    keeper.record("Anna pair")
    path.with_name("chicago.db-wal").unlink()
    with pytest.raises(DatabaseUnavailable, match="-wal has been removed or replaced"):
        keeper.record("nobody")
    assert keeper.view.state.score("Anna") == 1
    assert len(keeper.recorded) == 1
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
        keeper.db.connection.execute("PRAGMA query_only=1")
        with pytest.raises(DatabaseUnavailable, match="readonly"):
            keeper.record("Anna 1")
        keeper.record("Anna 1")
    assert len(keeper.recorded) == 3
