"""Games are cached: what is read is always what a server that was just started would read."""

from __future__ import annotations

import gc
import tracemalloc
from contextlib import suppress

import msgspec
import pytest

from app.services import erasure, phone_tables, play, sheets
from app.store.database import Database
from app.store.table_cache import TableCache
from tests.services.keeper import (
    NOBODY,
    SETTLE,
    Keeper,
    correction,
)


class Fault(Exception):
    """Something that ends a transaction."""


def is_cached(db: Database, name: str) -> bool:
    """Return whether anything that is cached has a name in it."""
    return f"'{name}'" in repr(vars(db.connection.cache))


def test_a_part_that_failed_is_forgotten(keeper: Keeper) -> None:
    """And what comes after it in the same transaction is not mistaken for it."""
    keeper.record(NOBODY)
    with keeper.db.transaction():
        with suppress(Fault), keeper.db.transaction():
            play.record(keeper.db, keeper.write(), NOBODY)
            raise Fault
        phone_tables.rename(keeper.db, keeper.write(), "Somewhere else")
        assert len(sheets.read_sheet(keeper.db, keeper.link).game.events) == 1
    assert len(keeper.sheet.game.events) == 1


def test_so_much_is_cached_and_no_more() -> None:
    """The least recently used goes first; what is too large by itself takes nobody's room."""
    cache = TableCache(100)

    def put(key: int, size: int) -> list[int]:
        cache.put(key, None, "value", size)
        cache.publish()
        return [key for key in range(9) if cache.find(key, None)]

    assert put(1, 40) == [1]
    assert put(2, 40) == [1, 2]
    cache.find(1, None)
    assert put(3, 40) == [1, 3]
    assert put(4, 101) == [1, 3]
    assert cache.size == 80


@pytest.mark.parametrize("remark", ["[{},{}]", '"😀😀"'])
def test_remarks_take_no_more_than_they_are_said_to(keeper: Keeper, remark: str) -> None:
    """They may be anything: as Python objects some take fifty times what is sent of them."""
    value = msgspec.json.decode(f"[{','.join([remark] * (600 // len(remark)))}]")
    with keeper.db.transaction():
        for _ in range(20):
            keeper.record({**correction("Anna", 1), "id": value, "note": value})
    cache = keeper.db.connection.cache = TableCache()
    gc.collect()
    tracemalloc.start()
    try:
        assert len(sheets.read_sheet(keeper.db, keeper.link).game.events) == 20
        gc.collect()
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert 0 < taken <= cache.size


def test_a_forgotten_name_is_in_nothing_that_is_cached(keeper: Keeper) -> None:
    """Neither in the game that is played nor in those before."""
    keeper.record(NOBODY, SETTLE)
    keeper.next_game()
    for number in (1, 2):
        sheets.read_sheet(keeper.db, keeper.link, number)
    assert is_cached(keeper.db, "Anna")
    erasure.erase_name(keeper.db, keeper.write(), "Anna", "Nobody")
    assert not is_cached(keeper.db, "Anna")
    assert keeper.sheet.state.players[0] == "Nobody 1"
