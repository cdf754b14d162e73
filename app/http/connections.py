"""Connections by address: how many one may have open, and which of them makes room for a new one.

Everything here is used by the server's main loop alone, so nothing is locked.
"""

from __future__ import annotations

import socket
import time
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from gunicorn.http import get_parser
from gunicorn.workers.gthread import TConn

from app.http.deadlines import DeadlineSocket

# Thirty phones behind one router watch with one connection each, and the rest is for their taps.
MAX_PER_ADDRESS = 64
# All thirty load a page at once, each with six connections.
MAX_WAITING_PER_ADDRESS = 192
MAX_WAITING = 1000
# So many requests of an address are worked on at once, streams apart: Python's threads take turns,
# and one address that asks for everything at once must not have most of them.
MAX_BUSY_PER_ADDRESS = 4


class Stage:
    """Connections that wait for the same, the longest waiting first, each for so many seconds."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._since: dict[ClientConnection, float] = {}

    def __len__(self) -> int:
        """How many wait."""
        return len(self._since)

    def enter(self, connection: ClientConnection) -> None:
        """Let a connection wait here, from now on, and nowhere else."""
        if connection.stage:
            connection.stage.leave(connection)
        connection.stage = self
        self._since[connection] = time.monotonic()

    def leave(self, connection: ClientConnection) -> None:
        """Let a connection wait here no more."""
        self._since.pop(connection, None)
        connection.stage = None

    def since(self, connection: ClientConnection) -> float:
        """Since when a connection waits here."""
        return self._since[connection]

    def expired(self) -> Iterator[ClientConnection]:
        """The connections whose time is over; without those that leave while one goes through."""
        limit = time.monotonic() - self._seconds
        expired = []
        for connection, since in self._since.items():
            if since > limit:
                break
            expired.append(connection)
        return (connection for connection in expired if connection in self._since)


class Peer:
    """All connections of one address: those that are open, and those that wait unread.

    Of the open ones, `busy` have a thread, and those in `ready` wait for one with a whole head.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.open: set[ClientConnection] = set()
        self.waiting: deque[ClientConnection] = deque()
        self.ready: deque[ClientConnection] = deque()
        self.busy: set[ClientConnection] = set()

    def longest_quiet(self, *stages: Stage) -> ClientConnection | None:
        """The connection that may be closed for another, if there is one.

        It has sent nothing of a request, and has been in the first of these stages the longest.
        """
        for stage in stages:
            quiet = [c for c in self.open if c.stage is stage and not c.head]
            for connection in sorted(quiet, key=stage.since):
                if not connection.has_data():
                    return connection
        return None

    def remove(self, connection: ClientConnection) -> None:
        """Forget a connection that was closed."""
        self.open.discard(connection)
        for line in (self.waiting, self.ready):
            with suppress(ValueError):
                line.remove(connection)


class ClientConnection(TConn):  # type: ignore[misc]  # gunicorn publishes no types
    """A client's connection, the head of the request it is sending, and what it waits for."""

    sock: DeadlineSocket

    def __init__(self, peer: Peer, *args: Any) -> None:  # noqa: ANN401 - handed on
        super().__init__(*args)
        self.peer = peer
        self.stage: Stage | None = None
        self.head = bytearray()
        self.discarded = 0
        # Whether the request that is being answered may record something.
        self.records = False

    def init(self) -> None:
        """Get ready for the first request; TLS, if there is any, is spoken already."""
        if self.cfg.is_ssl and not self.initialized:
            self.parser = get_parser(self.cfg, self.sock, self.client)
        super().init()

    def has_data(self) -> bool:
        """Whether the client has sent something that is still to be read."""
        try:
            return bool(self.sock.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT))
        except OSError:
            return False
