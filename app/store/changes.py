"""Publish/subscribe: the changes of a table reach those who watch it."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable


class TooManySubscribers(Exception):
    """As many subscribe already as the server has room for, or as one address may have."""


class ChangeFeed:
    """Publishes each change of a table to its subscribers.

    `on_publish` is called for each, in the thread that made the change. `deliver` calls what tells
    the subscribers, at once or when who made the change has been answered.
    """

    def __init__(self) -> None:
        self.on_publish: Callable[[], None] = lambda: None
        self.deliver: Callable[[Callable[[], None]], None] = lambda tell: tell()
        self._lock = threading.Lock()
        self._subscriptions: dict[int, set[Subscription]] = {}
        self._addresses: Counter[str] = Counter()

    def publish(self, table_id: int, seq: int) -> None:
        """Tell the subscribers that a table is now at version `seq`; 0: that it is deleted."""
        self.on_publish()
        with self._lock:
            some_listen = table_id in self._subscriptions
        if some_listen:
            self.deliver(lambda: self._tell(table_id, seq))

    def _tell(self, table_id: int, seq: int) -> None:
        with self._lock:
            for subscription in self._subscriptions.get(table_id, ()):
                subscription.tell(seq)

    def subscribe(
        self, table_id: int, address: str = "", limit: int = 0, limit_per_address: int = 0
    ) -> Subscription:
        """Begin to listen at a table; a change from now on is not missed.

        Raises TooManySubscribers when `limit` listen, or `limit_per_address` from that address;
        0 is no limit.
        """
        with self._lock:
            if (
                0 < limit <= self._addresses.total()
                or 0 < limit_per_address <= self._addresses[address]
            ):
                raise TooManySubscribers
            subscription = Subscription(self, table_id, address)
            self._subscriptions.setdefault(table_id, set()).add(subscription)
            self._addresses[address] += 1
        return subscription

    def unsubscribe(self, subscription: Subscription) -> None:
        """Publish to this subscription no more."""
        with self._lock:
            here = self._subscriptions.get(subscription.table_id, set())
            if subscription not in here:
                return
            here.remove(subscription)
            if not here:
                del self._subscriptions[subscription.table_id]
            self._addresses[subscription.address] -= 1
            if not self._addresses[subscription.address]:
                del self._addresses[subscription.address]

    @property
    def subscribers(self) -> int:
        """How many subscribe, to all tables together."""
        with self._lock:
            return self._addresses.total()


class Subscription:
    """One subscriber to one table; `newest` is the newest version published since, 0 if none.

    `wake` is called after each change, in the thread of whoever publishes: it must not wait.
    """

    def __init__(self, changes: ChangeFeed, table_id: int, address: str) -> None:
        self._changes = changes
        self.table_id = table_id
        self.address = address
        self.newest = 0
        self.deleted = False
        self.wake: Callable[[], object] = lambda: None

    def tell(self, seq: int) -> None:
        """Tell that the table is at version `seq`; 0: that it is deleted. The feed calls this."""
        self.newest = max(self.newest, seq)
        self.deleted = self.deleted or not seq
        self.wake()

    def close(self) -> None:
        """Unsubscribe."""
        self._changes.unsubscribe(self)
