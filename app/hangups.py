"""Noticing at once that somebody who is being answered has gone.

A thread that waits for news of a table would notice only when it next has something to say, and
until then be missing elsewhere.
"""

from __future__ import annotations

import selectors
import socket
from collections.abc import Callable
from contextlib import suppress
from threading import Lock, Thread


class Hangups:
    """One thread that looks at all connections on which nothing more is expected to come."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._selector: selectors.BaseSelector | None = None

    def expect(self, connection: socket.socket, gone: Callable[[], None]) -> None:
        """Call `gone`, from another thread, when the other end closes the connection."""
        self._looking().register(connection, selectors.EVENT_READ, gone)

    def forget(self, connection: socket.socket) -> None:
        """Look at this connection no more."""
        with suppress(KeyError, ValueError):
            self._looking().unregister(connection)

    def _looking(self) -> selectors.BaseSelector:
        with self._lock:
            if self._selector is None:
                self._selector = selectors.DefaultSelector()
                Thread(
                    target=self._look, args=[self._selector], name="hangups", daemon=True
                ).start()
            return self._selector

    def _look(self, selector: selectors.BaseSelector) -> None:
        while True:
            for key, _ in selector.select():
                # What is sent before the answer has ended says nothing about its end.
                self.forget(key.fileobj)  # type: ignore[arg-type]  # sockets are all that is looked at
                if _closed(key.fileobj):  # type: ignore[arg-type]  # as above
                    key.data()


def _closed(connection: socket.socket) -> bool:
    try:
        return not connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return False
    except OSError:
        return True
