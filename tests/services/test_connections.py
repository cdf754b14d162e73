from pathlib import Path

import pytest

from app.services import table_view
from app.store.database import Database
from tests.services.keeper import NOBODY, Keeper, best_hand

FULL = 2


def pragma(db: Database, name: str) -> object:
    """Return a setting of the connection."""
    return db.connection.execute(f"PRAGMA {name}").fetchone()[0]


@pytest.mark.parametrize(
    ("name", "value"),
    [("journal_mode", "wal"), ("synchronous", FULL), ("foreign_keys", 1), ("secure_delete", 1)],
)
def test_the_connection_is_careful(db: Database, name: str, value: object) -> None:
    """It writes through to disk, logs ahead, checks references and overwrites what is deleted."""
    assert pragma(db, name) == value


def test_every_table_is_strict(db: Database) -> None:
    """No column takes a value of another type, in any table there is."""
    rows = db.connection.execute("PRAGMA table_list").fetchall()
    loose = [name for _, name, kind, _, _, strict in rows if kind == "table" and not strict]
    assert [name for name in loose if not name.startswith("sqlite_")] == []
    assert len(rows) > len(loose)


def test_a_reader_sees_the_last_whole_write(keeper: Keeper, path: Path) -> None:
    """While one connection is in the middle of a write, another reads what was there before."""
    keeper.record(best_hand("Anna"))
    other = Database(path)
    with keeper.db.transaction():
        keeper.record(NOBODY)
        assert len(table_view.read_view(other, keeper.link).game.events) == 1
    assert len(table_view.read_view(other, keeper.link).game.events) == 2
    other.close()


def test_every_link_and_pen_is_stored_hashed(keeper: Keeper, path: Path) -> None:
    """The database file, stolen, opens no table: neither links nor pens are in it."""
    keeper.record(NOBODY)
    keeper.db.close()
    held = b"".join(file.read_bytes() for file in path.parent.iterdir())
    assert b"no_best_hand" in held
    assert keeper.link.encode() not in held
    assert keeper.pen.encode() not in held
