"""Publish/subscribe: the changes of a table reach those who watch it."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager


class Subscription:
    """One subscriber to one table, told of its newest version alone."""

    def __init__(self) -> None:
        self._changed = threading.Event()
        self._newest = 0

    def tell(self, seq: int) -> None:
        """Wake who waits: the table is at version `seq`, 0 where it is deleted."""
        self._newest = seq
        self._changed.set()

    def wait(self, seconds: float) -> int | None:
        """Wait for a change since the last one; None where there was none in that time."""
        if not self._changed.wait(seconds):
            return None
        self._changed.clear()
        return self._newest


class ChangeFeed:
    """Publishes each change of a table to its subscribers."""

    def __init__(self) -> None:
        self._subscriptions: dict[int, set[Subscription]] = defaultdict(set)

    @contextmanager
    def subscribe(self, table_id: int) -> Iterator[Subscription]:
        """Listen at a table; a change from now on is not missed."""
        subscription = Subscription()
        self._subscriptions[table_id].add(subscription)
        try:
            yield subscription
        finally:
            self._subscriptions[table_id].remove(subscription)
            if not self._subscriptions[table_id]:
                del self._subscriptions[table_id]

    def publish(self, table_id: int, seq: int) -> None:
        """Tell the subscribers that a table is now at version `seq`, 0 where it is deleted."""
        for subscription in self._subscriptions.get(table_id, ()):
            subscription.tell(seq)

    @property
    def subscribers(self) -> int:
        """How many subscribe, to all tables together."""
        return sum(map(len, self._subscriptions.values()))
