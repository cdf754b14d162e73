"""A cache of what was worked out of tables, in which nothing is that was not committed."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

import msgspec

MAX_BYTES = 64_000_000


class Entry(msgspec.Struct, frozen=True):
    """What was worked out of a table; `key` tells from what, `size` is about how many bytes."""

    key: object
    value: object
    size: int


class TableCache:
    """One entry for each table; the least recently used go when all are larger than `max_size`.

    One that is larger by itself is not cached: no table takes the room of all others.
    """

    def __init__(self, max_size: int = MAX_BYTES) -> None:
        self._max_size = max_size
        self._lock = Lock()
        self._entries: OrderedDict[int, Entry] = OrderedDict()
        self._size = 0

    @property
    def size(self) -> int:
        """About how many bytes all entries have."""
        return self._size

    def find(self, table_id: int) -> Entry | None:
        """A table's entry, if there is one."""
        with self._lock:
            if table_id in self._entries:
                self._entries.move_to_end(table_id)
            return self._entries.get(table_id)

    def put(self, table_id: int, entry: Entry | None) -> None:
        """Put an entry, or none, in place of a table's."""
        with self._lock:
            self._remove(table_id)
            if entry is not None and entry.size <= self._max_size:
                self._entries[table_id] = entry
                self._size += entry.size
            while self._size > self._max_size:
                self._remove(next(iter(self._entries)))

    def _remove(self, table_id: int) -> None:
        if (entry := self._entries.pop(table_id, None)) is not None:
            self._size -= entry.size


class CacheView:
    """The cache as one transaction or snapshot sees it: others see what it puts in afterwards."""

    def __init__(self, cache: TableCache, own: dict[int, Entry | None] | None = None) -> None:
        self._cache = cache
        self._own = own or {}

    def find(self, table_id: int, key: object) -> object | None:
        """What was worked out of a table, if that was from what the key tells."""
        known = table_id in self._own
        entry = self._own[table_id] if known else self._cache.find(table_id)
        return entry.value if entry is not None and entry.key == key else None

    def put(self, table_id: int, key: object, value: object, size: int) -> None:
        """Cache what was worked out of a table, in place of what was before."""
        self._own[table_id] = Entry(key, value, size)

    def drop(self, table_id: int) -> None:
        """Cache nothing of a table, which may be another now under the same key."""
        self._own[table_id] = None

    def clear(self) -> None:
        """Begin another cache: who began before goes on with the one that was, and it with them."""
        self._cache = TableCache()
        self._own = {}

    def copy(self) -> CacheView:
        """The same, to go back to."""
        return CacheView(self._cache, dict(self._own))

    def publish(self) -> TableCache:
        """Let others see it; the cache that they are to use from now on."""
        for table_id, entry in self._own.items():
            self._cache.put(table_id, entry)
        return self._cache
