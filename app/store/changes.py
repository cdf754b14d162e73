"""Publish/subscribe: the changes of a table reach those who watch it."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable


class TooManySubscribers(Exception):
    """As many subscribe already as the server has room for, or as one address may have."""


class ChangeFeed:
    """Publishes each change of a table to its subscribers; whoever waits there is woken.

    `on_publish` is called for each, in the thread that made the change.
    """

    def __init__(self) -> None:
        self.on_publish: Callable[[], None] = lambda: None
        self._lock = threading.Lock()
        self._subscriptions: dict[int, set[Subscription]] = {}
        self._addresses: Counter[str] = Counter()

    def publish(self, table_id: int, seq: int) -> None:
        """Tell the subscribers that a table is now at version `seq`; 0: that it is deleted."""
        self.on_publish()
        with self._lock:
            for subscription in self._subscriptions.get(table_id, ()):
                if seq:
                    subscription.notify(seq)
                else:
                    subscription.delete()

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

    It is `over` when the subscriber has disconnected, or the table is `deleted`.
    """

    def __init__(self, changes: ChangeFeed, table_id: int, address: str) -> None:
        self._changes = changes
        self.table_id = table_id
        self.address = address
        self.newest = 0
        self.over = False
        self.deleted = False
        self._wake = threading.Event()

    def notify(self, seq: int) -> None:
        """Wake the subscriber: the table is at version `seq`. Only the feed calls this."""
        self.newest = max(self.newest, seq)
        self._wake.set()

    def end(self) -> None:
        """Wake the subscriber: there is nothing more to wait for."""
        self.over = True
        self._wake.set()

    def delete(self) -> None:
        """Wake the subscriber: there is no such table any more."""
        self.deleted = True
        self.end()

    def wait_for_newer(self, seq: int, seconds: float) -> bool:
        """Wait until the table is past version `seq`; False when nothing came within `seconds`.

        False as well, and at once, when the subscription is over.
        """
        deadline = time.monotonic() + seconds
        while not self.over and self.newest <= seq:
            if not self._wake.wait(max(0.0, deadline - time.monotonic())):
                break
            self._wake.clear()
        return not self.over and self.newest > seq

    def close(self) -> None:
        """Unsubscribe."""
        self._changes.unsubscribe(self)
