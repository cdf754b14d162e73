"""Requests in progress: what can wait begins when nobody waits for an answer to what they record.

Python runs one thread at a time. One that renders is interrupted after 5 ms at the earliest, and a
change takes turns with it at each of its statements of SQL.
"""

from __future__ import annotations

import time
from threading import Condition


class RequestsInProgress:
    """Counts the requests that may record something and are being answered."""

    def __init__(self) -> None:
        self._count = 0
        self._none = Condition()

    def begin(self) -> None:
        """Count a request, which is being answered from now on."""
        with self._none:
            self._count += 1

    def end(self) -> None:
        """Count a request no more: it is answered, or could not be."""
        with self._none:
            self._count -= 1
            if not self._count:
                self._none.notify_all()

    def wait_for_none(self, until: float) -> bool:
        """Wait until none is in progress; False where some still are at `until` (monotonic)."""
        with self._none:
            return self._none.wait_for(lambda: not self._count, until - time.monotonic())
