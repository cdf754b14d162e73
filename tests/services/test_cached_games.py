"""Games are kept: what is read is always what a server that was just started would read."""

from __future__ import annotations

from contextlib import suppress

from app.services import erasure, table_view
from app.services.play import Record
from app.services.settings import Rename
from app.store.database import Database
from tests.services.keeper import NOBODY, SETTLE, Keeper


class Fault(Exception):
    """Something that ends a transaction."""


def is_kept(db: Database, name: str) -> bool:
    """Return whether anything that is kept has a name in it."""
    return f"'{name}'" in repr([*db.connection.newest.values()])


def test_a_part_that_failed_is_forgotten(keeper: Keeper) -> None:
    """And what comes after it in the same transaction is not mistaken for it."""
    keeper.record(NOBODY)
    with keeper.db.transaction():
        with suppress(Fault), keeper.db.transaction():
            keeper.commit(Record(NOBODY))
            raise Fault
        keeper.commit(Rename("Somewhere else"))
        assert len(table_view.read_view(keeper.db, keeper.link).game.events) == 1
    assert len(keeper.view.game.events) == 1


def test_a_forgotten_name_is_in_nothing_that_is_kept(keeper: Keeper) -> None:
    """Neither in the game that is played nor in those before."""
    keeper.record(NOBODY, SETTLE)
    keeper.next_game()
    assert is_kept(keeper.db, "Anna")
    erasure.erase_name(keeper.db, keeper.write(), "Anna", "Nobody")
    assert not is_kept(keeper.db, "Anna")
    assert keeper.view.state.players[0] == "Nobody 1"
