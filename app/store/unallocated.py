"""Unallocated space of the database file: copies that SQLite left behind when it moved rows.

`secure_delete` overwrites what is deleted, but not the copy of a row in a page that the row was
moved out of. Such copies are found by reading the file, whose pages are laid out as
https://www.sqlite.org/fileformat2.html#b_tree_pages says, and overwritten by letting a row of the
page grow over them for a moment.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from io import FileIO

import msgspec

from app.store.connection import Connection

# What kind of page it is, by its first byte.
_TABLE_LEAF, _LEAVES, _BRANCHES = 13, (10, 13), (2, 5)
_PAGES_AT_ONCE = 256
# Searching holds Python's lock; after each part of the file others have it for so many seconds.
_PAUSE = 0.001
# A column of text, in no index, by which a row of each table that holds names may grow.
_ROOMY = {
    "games": "begun_at",
    "events": "recorded_at",
    "game_statistics": "evening",
    "people": "swish",
    "tables": "created_at",
    "rule_sets": "saved_at",
    "erasures": "words",
    "idempotency_keys": "refusal",
}
# The sizes that stand before a row take more bytes when it is larger: so many at most.
_MARGIN = 8


class Page(msgspec.Struct, frozen=True):
    """A page with a trace: one of its rows, and how many bytes that has room to grow by.

    `rowid` is None in an index, whose entries cannot grow.
    """

    number: int
    rowid: int | None
    room: int


def find_traces(file: FileIO, words: Sequence[str]) -> list[Page]:
    """The pages of a database file, read from its beginning, that hold a word where no row is.

    What is still in the write-ahead log is not seen.
    """
    needles = {needle for word in words for needle in _needles(word)}
    return [
        _read_page(number, page)
        for number, page in _pages_with(file, needles)
        if page[0] in _LEAVES + _BRANCHES
        and any(needle in page[slice(*_gap(page))] for needle in needles)
    ]


def _needles(word: str) -> tuple[bytes, bytes]:
    """How a word stands in the file: by itself, and within JSON."""
    return word.encode(), msgspec.json.encode(word)[1:-1]


def _pages_with(file: FileIO, needles: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    """The pages that hold a needle anywhere, with their numbers from 1."""
    file.seek(16)
    size = int.from_bytes(file.read(2), "big")
    size = 65536 if size == 1 else size
    file.seek(0)
    first = 1
    while chunk := file.read(_PAGES_AT_ONCE * size):
        if any(needle in chunk for needle in needles):
            for number, start in enumerate(range(0, len(chunk), size), first):
                yield number, chunk[start : start + size]
        first += _PAGES_AT_ONCE
        time.sleep(_PAUSE)


def _gap(page: bytes) -> tuple[int, int]:
    """Where the space between a page's list of cells and the cells begins and ends."""
    begin = (8 if page[0] in _LEAVES else 12) + 2 * _number(page, 3)
    return begin, _number(page, 5) or 65536


def _number(page: bytes, at: int) -> int:
    return int.from_bytes(page[at : at + 2], "big")


def _read_page(number: int, page: bytes) -> Page:
    """The page, and its cell farthest from the gap: whatever that leaves, the gap is moved."""
    if page[0] != _TABLE_LEAF or not _number(page, 3):
        return Page(number, None, 0)
    begin, end = _gap(page)
    cell = max(_number(page, at) for at in range(8, begin, 2))
    _size, at = _varint(page, cell)
    rowid, _ = _varint(page, at)
    return Page(number, rowid, end - begin + page[7] + _free(page) - _MARGIN)


def _free(page: bytes) -> int:
    """How many bytes of a page are free between its cells."""
    total, at = 0, _number(page, 1)
    while at:
        total += _number(page, at + 2)
        at = _number(page, at)
    return total


def _varint(page: bytes, at: int) -> tuple[int, int]:
    """A number as SQLite writes it, seven bits a byte, and where the next begins."""
    value = 0
    for n in range(at, at + 8):
        value = value << 7 | page[n] & 0x7F
        if page[n] < 0x80:
            return value, n + 1
    return value << 8 | page[at + 8], at + 9


def overwrite(connection: Connection, page: Page) -> None:
    """Overwrite the unallocated space of a page, within a transaction; its rows stay as they are.

    To which table the page belongs is not asked: every row of that number grows for a moment.
    """
    if page.rowid is None:
        connection.execute("REINDEX people")
        connection.execute("REINDEX rule_sets")
        return
    for table, column in _ROOMY.items():
        _grow(connection, table, column, page)


def _grow(connection: Connection, table: str, column: str, page: Page) -> None:
    """Let a row be larger by all that is free beside it, and then as it was."""
    where = f"{table} WHERE rowid = ?"
    row = connection.execute(f"SELECT {column} FROM {where}", [page.rowid]).fetchone()  # noqa: S608  # our own names
    if row is None:
        return
    sql = f"UPDATE {table} SET {column} = ? WHERE rowid = ?"  # noqa: S608  # our own names
    for text in ((row[0] or "") + "-" * max(0, page.room), row[0]):
        connection.execute(sql, [text, page.rowid])
