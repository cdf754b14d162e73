"""Whoever waits to write gets their turn, however busy somebody else is."""

from collections import deque
from queue import Queue
from threading import TIMEOUT_MAX, Lock, Thread

from app.store.fair_lock import FairLock

WAITING = 5


class Told(deque[Lock]):
    """Those who wait, of whom each says that they do."""

    def __init__(self) -> None:
        super().__init__()
        self.came = Queue[None]()

    def append(self, turn: Lock) -> None:
        """Wait from now on."""
        super().append(turn)
        self.came.put(None)


def test_those_who_wait_come_in_the_order_in_which_they_asked() -> None:
    """Whoever gave up is passed over; when nobody waits any more the lock is free."""
    lock, order, waiting = FairLock(), list[int](), Told()
    lock._waiting = waiting  # noqa: SLF001  # nobody else can tell who waits
    assert lock.acquire(0)
    assert not lock.acquire(0)
    waiting.came.get()
    threads = []
    for number in range(WAITING):

        def take(number: int = number) -> None:
            assert lock.acquire(TIMEOUT_MAX)
            order.append(number)
            lock.release()

        threads.append(Thread(target=take, daemon=True))
        threads[-1].start()
        waiting.came.get()
    lock.release()
    for thread in threads:
        thread.join()
    assert order == list(range(WAITING))
    assert lock.acquire(0)
