"""A concurrency limit by address: dear answers are worked out one at a time, others stand in line.

Rate limits count requests, whatever they cost. This bounds what one address's requests cost at any
moment, so that the processor is left to everybody else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import wraps
from threading import BoundedSemaphore, Lock
from typing import ParamSpec, TypeVar

from flask import Flask, current_app
from werkzeug.exceptions import TooManyRequests

from app.http.rate_limits import client_address

# Python runs one thread at a time, so whoever waits here gets the page no later. The dearest page
# takes some 150 ms, an ordinary one ten: a club's phones that all look at once are served in turn.
AT_ONCE, IN_LINE = 1, 60
LONGEST_WAIT_SECONDS = 5.0
RETRY_SECONDS = 1

P = ParamSpec("P")
R = TypeVar("R")


class _Line:
    """Those of one address who are served and who wait."""

    def __init__(self, at_once: int) -> None:
        self.turn = BoundedSemaphore(at_once)
        self.length = 0


class ConcurrencyLimiter:
    """Lets `at_once` of each client go on, while others of the same client wait in line."""

    def __init__(
        self,
        at_once: int = AT_ONCE,
        in_line: int = IN_LINE,
        longest_wait: float = LONGEST_WAIT_SECONDS,
    ) -> None:
        self._at_once, self._most, self._longest_wait = at_once, at_once + in_line, longest_wait
        self._lock = Lock()
        self._lines: dict[str, _Line] = {}

    @contextmanager
    def slot(self, client: str) -> Iterator[None]:
        """Take a client's turn. Raises TooManyRequests where the line, or the wait, is too long."""
        line = self._join(client)
        try:
            if not line.turn.acquire(timeout=self._longest_wait):
                raise TooManyRequests(retry_after=RETRY_SECONDS)
            try:
                yield
            finally:
                line.turn.release()
        finally:
            self._leave(client, line)

    def _join(self, client: str) -> _Line:
        with self._lock:
            line = self._lines.setdefault(client, _Line(self._at_once))
            if line.length >= self._most:
                raise TooManyRequests(retry_after=RETRY_SECONDS)
            line.length += 1
            return line

    def _leave(self, client: str, line: _Line) -> None:
        with self._lock:
            line.length -= 1
            if not line.length:
                del self._lines[client]


def register(app: Flask) -> None:
    """Hold dear answers to the limit, unless limits are switched off."""
    if app.config["LIMITS"]:
        app.extensions["concurrency"] = ConcurrencyLimiter()


@contextmanager
def take_turn() -> Iterator[None]:
    """Take the turn of this request's client.

    Raises TooManyRequests where the line, or the wait, is too long.
    """
    limiter: ConcurrencyLimiter | None = current_app.extensions.get("concurrency")
    with limiter.slot(client_address()) if limiter else nullcontext():
        yield


def limit_concurrency(view: Callable[P, R]) -> Callable[P, R]:
    """Decorate a view whose answer is dear where a table has many games, or a game many events."""

    @wraps(view)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
        with take_turn():
            return view(*args, **kwargs)

    return wrapper
