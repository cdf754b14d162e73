"""Telling those who watch a table that it has changed."""

from __future__ import annotations

import threading
from collections.abc import Callable


class Bell:
    """Rings when a table changes; whoever waits at that table is woken, nobody else."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[int, tuple[threading.Condition, int]] = {}
        self._rung: dict[int, int] = {}

    def ring(self, table_id: int, seq: int) -> None:
        """Tell that a table is now at version `seq`."""
        with self._lock:
            condition, _ = self._waiting.get(table_id, (None, 0))
            if condition is not None:
                self._rung[table_id] = max(seq, self._rung.get(table_id, 0))
        if condition is not None:
            with condition:
                condition.notify_all()

    def watch(self, table_id: int) -> Watch:
        """Begin to listen at a table; a change from now on is not missed."""
        with self._lock:
            condition, watchers = self._waiting.get(table_id, (threading.Condition(), 0))
            self._waiting[table_id] = (condition, watchers + 1)
        return Watch(condition, lambda: self._rung.get(table_id, 0), lambda: self._leave(table_id))

    def _leave(self, table_id: int) -> None:
        with self._lock:
            condition, watchers = self._waiting[table_id]
            if watchers > 1:
                self._waiting[table_id] = (condition, watchers - 1)
            else:
                del self._waiting[table_id]
                self._rung.pop(table_id, None)

    @property
    def watchers(self) -> int:
        """How many listen, at all tables together."""
        with self._lock:
            return sum(watchers for _, watchers in self._waiting.values())


class Watch:
    """One listener at one table."""

    def __init__(
        self, condition: threading.Condition, newest: Callable[[], int], leave: Callable[[], None]
    ) -> None:
        self._condition = condition
        self._newest = newest
        self._leave = leave

    def later_than(self, seq: int, seconds: float) -> bool:
        """Wait until the table is past version `seq`; False when nothing came within `seconds`."""
        with self._condition:
            return self._condition.wait_for(lambda: self.newest > seq, seconds)

    @property
    def newest(self) -> int:
        """The newest version rung for since somebody listens here, 0 if none."""
        return self._newest()

    def close(self) -> None:
        """Stop listening."""
        self._leave()
