"""Token buckets: how many requests at once, and how many more each second."""

from __future__ import annotations

import time
from collections.abc import Callable

import msgspec
from cachetools import LRUCache

MAX_CLIENTS = 50_000


class RateLimit(msgspec.Struct, frozen=True):
    """A token bucket: `burst` requests at once, and `per_second` more each second."""

    burst: int
    per_second: float


class RateLimiter:
    """Token buckets, each stored as the moment at which it will be full again (GCRA)."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._full_at: LRUCache[tuple[RateLimit, str], float] = LRUCache(MAX_CLIENTS)

    def acquire(self, limit: RateLimit, client: str) -> float:
        """Take one token; the seconds to wait for one if there is none, else 0."""
        now = self._clock()
        full_at = max(now, self._full_at.get((limit, client), now)) + 1 / limit.per_second
        wait = full_at - now - limit.burst / limit.per_second
        if wait <= 0:
            self._full_at[limit, client] = full_at
        return max(0.0, wait)
