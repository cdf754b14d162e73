"""Whoever waits to write gets their turn, however busy somebody else is."""

import threading
from collections.abc import Callable

from app.store.fair_lock import FairLock

WAITING = 5


def start(act: Callable[[], None]) -> threading.Thread:
    """Do something in a thread."""
    thread = threading.Thread(target=act, daemon=True)
    thread.start()
    return thread


def wait_until(lock: FairLock, waiting: int) -> None:
    """Return when so many wait for the lock."""
    pause = threading.Event()
    while len(lock._waiting) < waiting:  # noqa: SLF001  # nobody else can tell who waits
        pause.wait(0.001)


def test_those_who_wait_come_in_the_order_in_which_they_asked() -> None:
    """The first is first, though all are woken by one another."""
    lock, order = FairLock(), list[int]()
    assert lock.acquire(0)
    threads = []
    for number in range(WAITING):

        def take(number: int = number) -> None:
            assert lock.acquire(threading.TIMEOUT_MAX)
            order.append(number)
            lock.release()

        threads.append(start(take))
        wait_until(lock, number + 1)
    lock.release()
    for thread in threads:
        thread.join()
    assert order == list(range(WAITING))


def test_whoever_gives_up_is_passed_over() -> None:
    """The lock goes to the next, and is free when there is none."""
    lock = FairLock()
    assert lock.acquire(0)
    assert not lock.acquire(0.01)
    lock.release()
    assert lock.acquire(0)
