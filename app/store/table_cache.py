"""An LRU cache of what was worked out of tables, in which nothing is that was not committed."""

from __future__ import annotations

import msgspec
from cachetools import LRUCache

MAX_BYTES = 64_000_000


class Entry(msgspec.Struct, frozen=True):
    """A table's cached value; `key` tells what it was worked out from, `size` is in bytes."""

    key: object
    value: object
    size: int


class TableCache:
    """One entry for each table; those of the transaction at hand are `pending` until it commits."""

    def __init__(self, max_size: int = MAX_BYTES) -> None:
        self._committed: LRUCache[int, Entry] = LRUCache(max_size, lambda entry: entry.size)
        self.pending: dict[int, Entry] = {}

    @property
    def size(self) -> int:
        """About how many bytes all committed entries have."""
        return int(self._committed.currsize)

    def find(self, table_id: int, key: object) -> object | None:
        """A table's value, if it was worked out from what the key tells."""
        entry = self.pending.get(table_id) or self._committed.get(table_id)
        return entry.value if entry is not None and entry.key == key else None

    def put(self, table_id: int, key: object, value: object, size: int) -> None:
        """Cache a value in place of a table's, unless it is larger than the whole cache."""
        if size <= self._committed.maxsize:
            self.pending[table_id] = Entry(key, value, size)

    def publish(self) -> None:
        """Keep what is pending: it is committed."""
        self._committed.update(self.pending)
        self.pending = {}

    def drop(self, table_id: int) -> None:
        """Cache nothing of a table, which may be another now under the same key."""
        self.pending.pop(table_id, None)
        self._committed.pop(table_id, None)

    def clear(self) -> None:
        """Cache nothing."""
        self.pending = {}
        self._committed.clear()
