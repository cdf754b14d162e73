"""Games are cached: what is read is always what a server that was just started would read."""

from __future__ import annotations

import gc
import tempfile
import tracemalloc
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from threading import Event, Thread

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from app import store
from app.rules.errors import NotAllowed
from app.services import erasure, phone_tables, play, sheets
from app.store.database import Pool
from app.store.table_cache import Entry, TableCache
from tests.services.keeper import (
    NOBODY,
    Keeper,
    correction,
    read_uncached,
    sit_down,
)
from tests.services.test_undo_everything import draw_change


class Fault(Exception):
    """Something that ends a transaction."""


class Table:
    """A table at which anything may happen."""

    def __init__(self, keeper: Keeper, data: st.DataObject) -> None:
        self.keeper, self.data = keeper, data

    def change(self) -> None:
        """Tap, mend, undo, redo or go on to the next game, if that is allowed."""
        pool, write = self.keeper.pool, self.keeper.write()
        acts: dict[str, Callable[[], object]] = {
            "change": lambda: draw_change(self.data, self.keeper),
            "undo": lambda: play.undo(pool, write),
            "redo": lambda: play.redo(pool, write),
        }
        kinds = ["change", "change", "change", "undo", "undo", "redo"]
        with suppress(NotAllowed):
            acts[self.data.draw(st.sampled_from(kinds))]()

    def fail(self) -> None:
        """Change, in a transaction that fails: the same version is given again."""
        with suppress(Fault), self.keeper.pool.transaction():
            self.change()
            raise Fault

    def fail_in_part(self) -> None:
        """Change in a transaction of which a part fails, and then another way."""
        with self.keeper.pool.transaction():
            self.fail()
            self.data.draw(st.sampled_from([self.change, self.rename]))()

    def forget(self) -> None:
        """Put a number in place of a name, which nothing cached has from then on."""
        pool = self.keeper.pool
        names = erasure.list_names(pool, self.keeper.link)
        name = self.data.draw(st.sampled_from(names))
        erasure.erase_name(pool, self.keeper.write(), name, "Nobody")
        assert not is_cached(pool, name)

    def rename(self) -> None:
        """Change what is no game."""
        phone_tables.rename(self.keeper.pool, self.keeper.write(), "Somewhere else")

    def look(self) -> None:
        """Hold every game, as it is read, against the rows."""
        pool, link = self.keeper.pool, self.keeper.link
        for number in (None, *sheets.list_game_numbers(pool, link)):
            read_uncached(pool, link, number)


def is_cached(pool: Pool, name: str) -> bool:
    """Return whether anything that is cached has a name in it."""
    return f"'{name}'" in repr(vars(pool.cache))


@settings(max_examples=10)
@given(data=st.data())
def test_what_is_read_is_what_the_rows_say(data: st.DataObject) -> None:
    """Whatever is changed, fails in whole or in part, or is forgotten."""
    with tempfile.TemporaryDirectory() as folder:
        keeper = sit_down(Path(folder) / "chicago.db", ["Anna", "Bo"])
        with closing(keeper.pool):
            table = Table(keeper, data)
            rare = [table.fail, table.fail_in_part]
            steps = [*[table.change] * 4, *rare, table.forget, table.rename, table.look]
            for step in data.draw(st.lists(st.sampled_from(steps), min_size=5, max_size=20)):
                step()
            table.look()


def test_a_part_that_failed_is_forgotten(keeper: Keeper) -> None:
    """And what comes after it in the same transaction is not mistaken for it."""
    keeper.record(NOBODY)
    with keeper.pool.transaction():
        with suppress(Fault), keeper.pool.transaction():
            play.record(keeper.pool, keeper.write(), NOBODY)
            raise Fault
        phone_tables.rename(keeper.pool, keeper.write(), "Somewhere else")
        assert len(sheets.read_sheet(keeper.pool, keeper.link).game.events) == 1
    assert len(keeper.sheet.game.events) == 1


def test_who_reads_an_old_version_meanwhile_is_shown_that(keeper: Keeper) -> None:
    """And whoever comes next the newest."""
    keeper.record(NOBODY)
    with keeper.pool.snapshot():
        before = sheets.read_sheet(keeper.pool, keeper.link)
        writer = Thread(target=lambda: play.record(keeper.pool, keeper.write(), NOBODY))
        writer.start()
        writer.join()
        assert sheets.read_sheet(keeper.pool, keeper.link) == before
    assert len(keeper.sheet.game.events) == 2


def test_a_forgotten_remark_is_nowhere(keeper: Keeper) -> None:
    """Nor what somebody put into the cache who began to read before."""
    pool, started, forgotten = keeper.pool, Event(), Event()
    keeper.record({**NOBODY, "note": "Anna"})

    def read_slowly() -> None:
        with pool.snapshot():
            started.set()
            forgotten.wait()
            sheets.read_sheet(pool, keeper.link)
        pool.release()

    reader = Thread(target=read_slowly)
    reader.start()
    started.wait()
    with pool.transaction() as connection, store.erasure.suspend_guards(connection):
        store.erasure.drop_remarks(connection, 1, "Anna")
    forgotten.set()
    reader.join()
    assert keeper.sheet.game.events[0].note is UNSET
    assert "note='Anna'" not in repr(vars(pool.cache))


def test_so_much_is_cached_and_no_more() -> None:
    """The least recently used goes first; what is too large by itself takes nobody's room."""
    cache = TableCache(100)

    def cached() -> list[int]:
        return [key for key in range(9) if cache.find(key)]

    for key in (1, 2):
        cache.put(key, Entry(key, None, 40))
    cache.find(1)
    cache.put(3, Entry(3, None, 40))
    assert (cache.size, cached()) == (80, [1, 3])
    cache.put(3, Entry(3, None, 60))
    assert (cache.size, cached()) == (100, [1, 3])
    cache.put(4, Entry(4, None, 101))
    assert (cache.size, cached()) == (100, [1, 3])


@pytest.mark.parametrize("remark", ["[{},{}]", '"😀😀"'])
def test_remarks_take_no_more_than_they_are_said_to(keeper: Keeper, remark: str) -> None:
    """They may be anything: as Python objects some take fifty times what is sent of them."""
    value = msgspec.json.decode(f"[{','.join([remark] * (600 // len(remark)))}]")
    with keeper.pool.transaction():
        for _ in range(20):
            keeper.record({**correction("Anna", 1), "id": value, "note": value})
    cache = keeper.pool.cache = TableCache()
    gc.collect()
    tracemalloc.start()
    try:
        assert len(sheets.read_sheet(keeper.pool, keeper.link).game.events) == 20
        gc.collect()
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert 0 < taken <= cache.size
