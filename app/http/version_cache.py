"""A cache of what a table's versions look like: the newest for each audience, made once for all."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class _Slot(Generic[T]):
    """Where an audience's newest version is cached; `lock` is held while it is made."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.newest: tuple[int, T] | None = None
        self.size = 0


class VersionCache(Generic[T]):
    """The newest version for each audience, made once however many ask for it (single flight).

    At most `max_entries` are cached, and `max_size` of what `measure` says of each; the least
    recently used go first.
    """

    def __init__(
        self, max_entries: int, max_size: int = 0, measure: Callable[[T], int] = lambda _: 0
    ) -> None:
        self._max_entries, self._max_size, self._measure = max_entries, max_size, measure
        self._lock = Lock()
        self._slots: OrderedDict[object, _Slot[T]] = OrderedDict()
        self._size = 0

    def get(
        self, audience: object, version: int, make: Callable[[], tuple[int, T]]
    ) -> tuple[int, T]:
        """What an audience is to have of a version, or of a later one, with its number."""
        slot = self._find_slot(audience)
        with slot.lock:
            if slot.newest is None or slot.newest[0] < version:
                slot.newest = make()
                self._weigh(audience, slot)
            return slot.newest

    def find(self, audience: object, version: int) -> tuple[int, T] | None:
        """A version that is cached, or a later one, with its number; None where there is none."""
        newest = self._find_slot(audience).newest
        return newest if newest and newest[0] >= version else None

    def __len__(self) -> int:
        """For how many audiences something is cached."""
        return len(self._slots)

    def clear(self) -> None:
        """Hold nothing; what is being made just now serves whoever waits for it and is gone."""
        with self._lock:
            self._slots.clear()
            self._size = 0

    def _find_slot(self, audience: object) -> _Slot[T]:
        """An audience's slot, as the last of those that may be used again."""
        with self._lock:
            slot = self._slots.setdefault(audience, _Slot())
            self._slots.move_to_end(audience)
            if len(self._slots) > self._max_entries:
                self._evict()
            return slot

    def _weigh(self, audience: object, slot: _Slot[T]) -> None:
        """Account for a slot's new content, and make room for it."""
        size = self._measure(slot.newest[1]) if slot.newest else 0
        with self._lock:
            # Evicted meanwhile, it serves whoever waits for it and is gone.
            if self._slots.get(audience) is not slot:
                return
            self._size += size - slot.size
            slot.size = size
            while self._size > self._max_size:
                self._evict()

    def _evict(self) -> None:
        _, slot = self._slots.popitem(last=False)
        self._size -= slot.size
