"""Delivery of news: whoever watches a table is told of a change once who made it is answered.

What readers are sent is dear to make, and Python's threads take turns.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from flask import has_request_context, request

from app.http.deadlines import DeadlineSocket
from app.http.event_loop import EventLoop

# So long an answer is waited for.
LONGEST_SECONDS = 1.0


class Delivery:
    """Tells of changes when the requests that made them are over, or take long."""

    def __init__(self, loop: EventLoop) -> None:
        self._held: dict[Callable[[], None], float] = {}
        loop.each_second(self._tick)

    def __call__(self, tell: Callable[[], None]) -> None:
        """Tell of a change soon; at once where nobody waits for an answer."""
        connection = request.environ.get("gunicorn.socket") if has_request_context() else None
        if isinstance(connection, DeadlineSocket):
            self._held[tell] = time.monotonic()
            connection.when_answered(lambda: self._release(tell))
        else:
            tell()

    def _release(self, tell: Callable[[], None]) -> None:
        if self._held.pop(tell, None) is not None:
            tell()

    def _tick(self, now: float) -> None:
        for tell, since in list(self._held.items()):
            if now - since >= LONGEST_SECONDS:
                self._release(tell)
