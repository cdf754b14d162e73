"""Client disconnects, noticed at once by one thread that watches all streaming connections.

A thread that waits for news of a table would notice only when it next has something to send, and
until then be missing elsewhere.
"""

from __future__ import annotations

import selectors
import socket
from collections.abc import Callable
from contextlib import suppress
from threading import Lock, Thread


class DisconnectMonitor:
    """Watches connections on which the client sends nothing more, and tells when one is closed."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._selector: selectors.BaseSelector | None = None

    def watch(self, connection: socket.socket, on_disconnect: Callable[[], None]) -> None:
        """Call `on_disconnect`, from another thread, when the client closes the connection."""
        data = (connection, on_disconnect)
        self._start().register(connection, selectors.EVENT_READ, data)

    def forget(self, connection: socket.socket) -> None:
        """Watch this connection no more."""
        with suppress(KeyError, ValueError):
            self._start().unregister(connection)

    def _start(self) -> selectors.BaseSelector:
        """Return the selector; the first time, start the thread that waits on it."""
        with self._lock:
            if self._selector is None:
                self._selector = selectors.DefaultSelector()
                Thread(
                    target=self._run, args=[self._selector], name="disconnects", daemon=True
                ).start()
            return self._selector

    def _run(self, selector: selectors.BaseSelector) -> None:
        while True:
            for key, _ in selector.select():
                connection, on_disconnect = key.data
                # What is sent before the answer has ended says nothing about its end.
                self.forget(connection)
                if _is_closed(connection):
                    on_disconnect()


def _is_closed(connection: socket.socket) -> bool:
    """Whether the other end has closed the connection; nothing is taken from it."""
    try:
        return not connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return False
    except OSError:
        return True
