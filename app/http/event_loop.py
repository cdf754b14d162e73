"""An event loop: one thread waits for what many sockets can do, and calls whoever asked for it."""

from __future__ import annotations

import selectors
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Lock, Thread
from typing import TypeVar

TICK_SECONDS = 1.0

T = TypeVar("T")


class EventLoop:
    """Tells what connections are ready for, and the time once a second.

    It may be used from any thread. Its own begins with the first connection; what it calls must not
    wait. What that raises is logged, and the others are called all the same.
    """

    def __init__(self, log_error: Callable[[BaseException], None]) -> None:
        self._log_error = log_error
        self._lock = Lock()
        self._selector: selectors.BaseSelector | None = None
        self._ticks: list[Callable[[float], None]] = []

    def watch(self, connection: socket.socket, events: int, act: Callable[[int], None]) -> None:
        """Call `act` with those of `selectors.EVENT_…` that a connection is ready for.

        It is called again and again, until they are other events or the connection is forgotten.
        """
        selector = self._start()
        try:
            selector.register(connection, events, act)
        except KeyError:
            selector.modify(connection, events, act)

    def forget(self, connection: socket.socket) -> None:
        """Watch this connection no more."""
        with suppress(KeyError, ValueError):
            self._start().unregister(connection)

    def each_second(self, act: Callable[[float], None]) -> None:
        """Call `act` about once a second, with the time by the monotonic clock."""
        self._ticks.append(act)

    def _start(self) -> selectors.BaseSelector:
        with self._lock:
            if self._selector is None:
                self._selector = selectors.DefaultSelector()
                run = Thread(target=self._run, args=[self._selector], name="events", daemon=True)
                run.start()
            return self._selector

    def _run(self, selector: selectors.BaseSelector) -> None:
        due = time.monotonic() + TICK_SECONDS
        while True:
            for key, events in selector.select(max(0.0, due - time.monotonic())):
                if not self._call(key.data, events):
                    # It would be called again at once.
                    with suppress(KeyError, ValueError):
                        selector.unregister(key.fileobj)
            if (now := time.monotonic()) >= due:
                due = now + TICK_SECONDS
                for act in self._ticks:
                    self._call(act, now)

    def _call(self, act: Callable[[T], None], value: T) -> bool:
        try:
            act(value)
        except Exception as error:  # noqa: BLE001 - all who are connected depend on this thread
            self._log_error(error)
            return False
        return True
