"""Telling those who watch a table that it has changed."""

from __future__ import annotations

import threading
import time
from collections import Counter


class TooMany(Exception):
    """As many listen already as the server has room for, or as one address may have."""


class Bell:
    """Rings when a table changes; whoever waits at that table is woken, nobody else."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._watches: dict[int, set[Watch]] = {}
        self._places: Counter[str] = Counter()

    def ring(self, table_id: int, seq: int) -> None:
        """Tell that a table is now at version `seq`."""
        with self._lock:
            for watch in self._watches.get(table_id, ()):
                watch.tell(seq)

    def watch(self, table_id: int, place: str = "", most: int = 0, most_here: int = 0) -> Watch:
        """Begin to listen at a table; a change from now on is not missed.

        `place` is where the listener sits. Raises TooMany when `most` listen, or `most_here`
        from that place; 0 is no limit.
        """
        with self._lock:
            if 0 < most <= self._places.total() or 0 < most_here <= self._places[place]:
                raise TooMany
            watch = Watch(self, table_id, place)
            self._watches.setdefault(table_id, set()).add(watch)
            self._places[place] += 1
        return watch

    def leave(self, watch: Watch) -> None:
        """Ring for this listener no more."""
        with self._lock:
            here = self._watches.get(watch.table_id, set())
            if watch not in here:
                return
            here.remove(watch)
            if not here:
                del self._watches[watch.table_id]
            self._places[watch.place] -= 1
            if not self._places[watch.place]:
                del self._places[watch.place]

    @property
    def watchers(self) -> int:
        """How many listen, at all tables together."""
        with self._lock:
            return self._places.total()


class Watch:
    """One listener at one table; `newest` is the newest version rung for since, 0 if none."""

    def __init__(self, bell: Bell, table_id: int, place: str) -> None:
        self._bell = bell
        self.table_id = table_id
        self.place = place
        self.newest = 0
        self.ended = False
        self._news = threading.Event()

    def tell(self, seq: int) -> None:
        """Wake the listener: the table is at version `seq`. Only the bell calls this."""
        self.newest = max(self.newest, seq)
        self._news.set()

    def end(self) -> None:
        """Wake the listener: nobody is there any more to be told."""
        self.ended = True
        self._news.set()

    def later_than(self, seq: int, seconds: float) -> bool:
        """Wait until the table is past version `seq`; False when nothing came within `seconds`.

        False as well, and at once, when the listener has gone.
        """
        deadline = time.monotonic() + seconds
        while not self.ended and self.newest <= seq:
            if not self._news.wait(max(0.0, deadline - time.monotonic())):
                break
            self._news.clear()
        return not self.ended and self.newest > seq

    def close(self) -> None:
        """Stop listening."""
        self._bell.leave(self)
