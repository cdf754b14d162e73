import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlite_utils.utils import sqlite3

from app.services import play
from app.store import games
from app.store.database import Pool
from tests.services.keeper import NOBODY, Keeper, best_hand, correction

FULL = 2
THREADS, EACH = 4, 6


def in_thread(act: Callable[[], object]) -> object:
    """Do something in a thread of its own."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(act).result()


def pragma(pool: Pool, name: str) -> object:
    """Return a setting of this thread's connection."""
    return pool.connection.execute(f"PRAGMA {name}").fetchone()[0]


@pytest.mark.parametrize(
    ("name", "value"),
    [("journal_mode", "wal"), ("synchronous", FULL), ("foreign_keys", 1), ("busy_timeout", 1_000)],
)
def test_every_connection_is_careful(pool: Pool, name: str, value: object) -> None:
    """Each thread's connection writes through to disk, logs ahead, checks references and waits."""
    assert pragma(pool, name) == value
    assert in_thread(lambda: pragma(pool, name)) == value


def test_every_table_is_strict(pool: Pool) -> None:
    """No column takes a value of another type, in any table there is."""
    rows = pool.connection.execute("PRAGMA table_list").fetchall()
    loose = [name for _, name, kind, _, _, strict in rows if kind == "table" and not strict]
    assert [name for name in loose if not name.startswith("sqlite_")] == []
    assert len(rows) > len(loose)


def test_each_thread_has_a_connection_of_its_own(pool: Pool) -> None:
    """A connection stays with its thread, and is the same there every time."""
    assert pool.connection is pool.connection
    assert in_thread(lambda: pool.connection) is not pool.connection


def test_closing_closes_the_connections_of_every_thread(pool: Pool) -> None:
    """After closing, no thread's old connection can be used."""
    mine, other = pool.connection, in_thread(lambda: pool.connection)
    pool.close()
    for db in (mine, other):
        with pytest.raises(sqlite3.ProgrammingError):
            db.execute("SELECT 1")  # type: ignore[attr-defined]  # a Database


def test_writers_in_several_threads_take_turns(keeper: Keeper) -> None:
    """Nothing is lost and nothing counted twice when threads record at once."""
    start = threading.Barrier(THREADS)

    def write() -> None:
        start.wait()
        for _ in range(EACH):
            play.record(keeper.pool, keeper.write(), correction("Anna", 1))

    with ThreadPoolExecutor(THREADS) as pool:
        for done in [pool.submit(write) for _ in range(THREADS)]:
            done.result()
    assert keeper.sheet.state.score("Anna") == THREADS * EACH
    assert keeper.seq == 1 + THREADS * EACH


def test_a_reader_sees_the_last_whole_write(keeper: Keeper, path: Path) -> None:
    """While one connection is in the middle of a write, another reads what was there before."""
    keeper.record(best_hand("Anna"))
    other = Pool(path)
    with keeper.pool.transaction() as connection:
        games.add_events(connection, 1, 99, [('{"event":"no_best_hand"}', None)])
        assert len(games.find_events(other.connection, 1)) == 1
    assert len(games.find_events(other.connection, 1)) == 2
    other.close()


def test_every_link_and_pen_is_stored_hashed(keeper: Keeper, path: Path) -> None:
    """The database file, stolen, opens no table: neither links nor pens are in it."""
    keeper.record(NOBODY)
    keeper.pool.close()
    held = b"".join(file.read_bytes() for file in path.parent.iterdir())
    assert b"no_best_hand" in held
    assert keeper.link.encode() not in held
    assert keeper.pen.encode() not in held
