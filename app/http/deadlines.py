"""Deadlines for what a client sends and reads: sockets that let nobody take for ever."""

from __future__ import annotations

import errno
import math
import socket
import time
from collections.abc import Callable
from typing import BinaryIO

# A request has so long to arrive whole, however its bytes are spread, and so does what a client is
# sent to be read; what is large gets more time, but only as fast as this. A phone with one bar
# sends a photo faster.
SECONDS = 10.0
SLOWEST_BYTES_PER_SECOND = 65_536


class TooSlow(ConnectionResetError):
    """The deadline for a request has passed: its connection counts as lost."""


class DeadlineSocket(socket.socket):
    """A connection whose reads share one deadline, and whose writes have one each."""

    _deadline = math.inf
    _on_stream: Callable[[], None] | None = None
    _on_answered: Callable[[], None] | None = None
    # To whom the connection goes when the request at hand is over, with what that has to call when
    # it needs it no more.
    successor: Callable[[Callable[[], None]], None] | None = None
    # Whether a client that sends something during an answer has thereby ended it.
    is_over_when_readable = False

    def buffered(self) -> int:
        """How many bytes have been taken from the network that nobody has read."""
        return 0

    def when_streaming(self, act: Callable[[], None]) -> None:
        """Let `act` be called when the answer to the request at hand turns out to be a stream."""
        self._on_stream = act

    def begin_stream(self) -> None:
        """Say that the answer is a stream: it goes on for long and takes no time."""
        if self._on_stream:
            self._on_stream()

    def when_answered(self, act: Callable[[], None]) -> None:
        """Let `act` be called when the request at hand has been answered, or could not be."""
        before, self._on_answered = self._on_answered, act
        if before:
            before()

    def end_answer(self) -> None:
        """Say that the request at hand is over."""
        act, self._on_answered = self._on_answered, None
        if act:
            act()

    def hand_over(self, successor: Callable[[Callable[[], None]], None]) -> None:
        """Give the connection away: its thread can send nothing more."""
        self.successor = successor

    def start_deadline(self) -> None:
        """Give the request that is read from now on its time."""
        self._deadline = time.monotonic() + SECONDS

    def recv(self, size: int, flags: int = 0, /) -> bytes:
        """Receive what there is before the deadline; each byte that comes moves it a little.

        Raises TooSlow. With flags, or where nothing waits, as without a deadline.
        """
        if flags or not self.getblocking():
            return super().recv(size, flags)
        remaining = self._deadline - time.monotonic()
        if remaining <= 0:
            raise TooSlow(errno.ECONNRESET, "the request took too long to arrive")
        self.settimeout(None if math.isinf(remaining) else remaining)
        try:
            data = super().recv(size)
        except TimeoutError:
            raise TooSlow(errno.ECONNRESET, "the request took too long to arrive") from None
        self._deadline += len(data) / SLOWEST_BYTES_PER_SECOND
        return data

    def sendall(self, data: bytes, flags: int = 0, /) -> None:  # type: ignore[override]  # bytes are all that is sent
        """Send all of `data`. Raises BrokenPipeError when the client does not read it in time.

        And when the connection was given away: what would end the answer is not to be sent.
        """
        if self.successor:
            raise BrokenPipeError(errno.EPIPE, "the connection was handed over")
        self._limit_send(len(data))
        try:
            super().sendall(data, flags)
        except TimeoutError:
            raise BrokenPipeError(errno.EPIPE, "the client does not read") from None

    def sendfile(self, file: BinaryIO, offset: int = 0, count: int | None = None) -> int:  # type: ignore[override]  # files are all that is sent
        """Send a file. Raises BrokenPipeError when the client does not read it in time."""
        self._limit_send(count or 0)
        try:
            return super().sendfile(file, offset, count)
        except TimeoutError:
            raise BrokenPipeError(errno.EPIPE, "the client does not read") from None

    def _limit_send(self, size: int) -> None:
        self.settimeout(SECONDS + size / SLOWEST_BYTES_PER_SECOND)
