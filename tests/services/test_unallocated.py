"""Copies that SQLite leaves behind where it moves rows are found and overwritten."""

from __future__ import annotations

import random

import pytest

from app.store import erasure, unallocated
from app.store.connection import Connection
from app.store.database import Pool

NAMED = "Annabella Forsgren"
SEEDS = 40

INSERT_TABLE = "INSERT INTO tables (id, link_hash, name, seq, created_at) VALUES (1, '', ?, 1, '')"


def shuffle_games(connection: Connection, seed: int) -> None:
    """Fill the database with games in no order, delete some between, and erase a name in rows."""
    dice = random.Random(seed)
    connection.execute("DELETE FROM games")
    numbers = dice.sample(range(1, 400), 399)
    living: list[int] = []
    for number in numbers:
        setup = f"{NAMED if dice.random() < 0.1 else 'Bo'}{'-' * dice.randrange(300)}"
        connection.execute(
            "INSERT INTO games VALUES (?, 1, ?, ?, ?, '', NULL, NULL)",
            [number, number, str(number), setup],
        )
        living.append(number)
        if dice.random() < 0.3:
            gone = living.pop(dice.randrange(len(living)))
            connection.execute("DELETE FROM games WHERE id = ?", [gone])
    connection.execute("UPDATE games SET setup = replace(setup, ?, 'Spelare 1')", [NAMED])


def rows(pool: Pool) -> list[object]:
    """Return every game."""
    return list(pool.connection.execute("SELECT * FROM games ORDER BY id").fetchall())


@pytest.fixture
def left_behind(pool: Pool) -> Pool:
    """Return a database in which a name is in no row, but stands in the file all the same."""
    with pool.transaction() as connection:
        connection.execute(INSERT_TABLE, [""])
    for seed in range(SEEDS):
        with pool.transaction() as connection:
            shuffle_games(connection, seed)
        assert pool.truncate_log()
        if unallocated.find_traces(pool.open_file(), [NAMED]):
            return pool
    raise AssertionError("SQLite leaves nothing behind any more: app/store/unallocated.py may go")


def test_what_was_left_behind_is_found_and_overwritten(left_behind: Pool) -> None:
    """The name is in the file no more, and every row is as it was."""
    before = rows(left_behind)
    assert NAMED.encode() in left_behind.path.read_bytes()
    with left_behind.transaction() as connection, erasure.suspend_guards(connection):
        for page in unallocated.find_traces(left_behind.open_file(), [NAMED]):
            unallocated.overwrite(connection, page)
    assert left_behind.truncate_log()
    assert NAMED.encode() not in left_behind.path.read_bytes()
    assert rows(left_behind) == before
    assert left_behind.connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
