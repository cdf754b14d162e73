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
        self._started().register(connection, selectors.EVENT_READ, on_disconnect)

    def forget(self, connection: socket.socket) -> None:
        """Watch this connection no more."""
        with suppress(KeyError, ValueError):
            self._started().unregister(connection)

    def _started(self) -> selectors.BaseSelector:
        """The selector, with its thread started for the first connection."""
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
                # What is sent before the answer has ended says nothing about its end.
                self.forget(key.fileobj)  # type: ignore[arg-type]  # sockets are all that is watched
                if _is_closed(key.fileobj):  # type: ignore[arg-type]  # as above
                    key.data()


def _is_closed(connection: socket.socket) -> bool:
    """Whether the other end has closed the connection; nothing is taken from it."""
    try:
        return not connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return False
    except OSError:
        return True
