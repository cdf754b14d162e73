"""A throttle for long work: taps are answered while it goes on, and it ends with who asked."""

from __future__ import annotations

import time
from collections.abc import Callable

# For each second of work so many of rest, in which whoever waits for the processor gets it; and no
# longer rest than this at a time, in seconds.
REST_SHARE = 0.5
LONGEST_REST = 0.05


class Cancelled(Exception):
    """Nobody waits for the answer any more."""


class Throttle:
    """Holds work that comes in slices to a share of the processor.

    Python runs one thread at a time, and one that calculates gives way only every few
    milliseconds; a tap that reads and writes needs many turns. While this rests, taps have them
    all.
    """

    def __init__(self, is_cancelled: Callable[[], bool] = lambda: False) -> None:
        self._is_cancelled = is_cancelled
        self._since = time.perf_counter()

    def rest(self) -> None:
        """Rest after a slice of work. Raises Cancelled when there is nobody to go on for."""
        if self._is_cancelled():
            raise Cancelled
        worked = time.perf_counter() - self._since
        time.sleep(min(LONGEST_REST, REST_SHARE * worked))
        self._since = time.perf_counter()


def without_rest() -> None:
    """Go on at once, where nobody else is kept waiting."""
