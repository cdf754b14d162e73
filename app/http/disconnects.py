"""Client disconnects, noticed at once while a thread is still at work on the answer."""

from __future__ import annotations

import selectors
import socket
from collections.abc import Callable

from app.http.deadlines import DeadlineSocket
from app.http.event_loop import EventLoop


class DisconnectMonitor:
    """Watches connections on which the client sends nothing more, and tells when one is closed."""

    def __init__(self, loop: EventLoop) -> None:
        self._loop = loop

    def watch(self, connection: socket.socket, on_disconnect: Callable[[], None]) -> None:
        """Call `on_disconnect`, from another thread, when the client closes the connection."""

        def check(_: int) -> None:
            # What is sent before the answer has ended says nothing about its end.
            self.forget(connection)
            if _is_closed(connection):
                on_disconnect()

        self._loop.watch(connection, selectors.EVENT_READ, check)

    def forget(self, connection: socket.socket) -> None:
        """Watch this connection no more."""
        self._loop.forget(connection)


def _is_closed(connection: socket.socket) -> bool:
    """Whether the other end has closed the connection; nothing is taken from it."""
    if isinstance(connection, DeadlineSocket) and connection.is_over_when_readable:
        return True
    try:
        return not connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return False
    except OSError:
        return True
