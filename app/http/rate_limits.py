"""Rate limits by address: nobody at a kitchen table notices them, a flood is stopped.

Why this is not a library: docs/decisions/0005-own-rate-limits.md.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from http import HTTPStatus
from threading import Lock
from typing import ParamSpec, TypeVar

import msgspec
from flask import Flask, Response, current_app, g, request
from werkzeug.exceptions import TooManyRequests

from app.http.security import SAFE_METHODS

# Files of the application, and the health check: whoever is turned away takes a server for dead.
UNLIMITED = ("static", "kit.file", "health.health")
MAX_CLIENTS = 50_000

P = ParamSpec("P")
R = TypeVar("R")


class RateLimit(msgspec.Struct, frozen=True):
    """A token bucket: `burst` requests at once, and `per_second` more each second."""

    burst: int
    per_second: float


# Behind one address there may be a kitchen, or a club with thirty tables: somebody taps twice a
# second, everybody's phone comes back at once when the server was restarted, or a phone sends what
# it kept while it was offline.
READS = RateLimit(2000, 100)
WRITES = RateLimit(600, 20)
# An evening needs one new table, a tournament thirty.
NEW_TABLES = RateLimit(300, 1)
# Files read in: a club brings its tables from elsewhere, one by one, and nobody else ever so many.
IMPORTS = RateLimit(60, 1 / 30)
# Links that take a phone's tables along: somebody with a new phone makes one or two.
TRANSFERS = RateLimit(90, 1 / 20)
# Links and pens that do not fit. Nobody guesses 128 bits; this ends the noise of trying.
MISSES = RateLimit(300, 2)


class RateLimiter:
    """Token buckets, one for each limit and client, by the generic cell rate algorithm (GCRA).

    A bucket is stored as one number: the moment at which it will be full again.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._full_at: dict[tuple[RateLimit, str], float] = {}

    def acquire(self, limit: RateLimit, client: str) -> float:
        """Take one token; the seconds to wait for one if there is none, else 0."""
        with self._lock:
            now = self._clock()
            interval = 1 / limit.per_second
            full_at = max(now, self._full_at.pop((limit, client), now)) + interval
            wait = full_at - now - limit.burst / limit.per_second
            # Whoever has to wait takes nothing.
            self._full_at[limit, client] = full_at if wait <= 0 else full_at - interval
            self._evict(now)
        return max(0.0, wait)

    @property
    def size(self) -> int:
        """How many buckets are remembered."""
        with self._lock:
            return len(self._full_at)

    def _evict(self, now: float) -> None:
        """Drop the least recently used bucket when it is full, or when there are too many."""
        oldest = next(iter(self._full_at))
        if self._full_at[oldest] <= now or len(self._full_at) > MAX_CLIENTS:
            del self._full_at[oldest]


def register(app: Flask) -> None:
    """Hold every request to the limits, unless they are switched off."""
    if app.config["LIMITS"]:
        app.extensions["rate_limiter"] = RateLimiter()
        app.before_request(_limit_request)
        app.after_request(_limit_misses)


def rate_limit(limit: RateLimit) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorate a view that has a limit of its own, besides that of all reads or writes."""

    def decorate(view: Callable[P, R]) -> Callable[P, R]:
        @wraps(view)
        def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
            _acquire(limit)
            return view(*args, **kwargs)

        return wrapper

    return decorate


def client_address() -> str:
    """Whom this request is counted for; of IPv6, the network that one household has."""
    from app.http.address import network

    return network(request.remote_addr or "")


def _limit_request() -> None:
    if request.endpoint not in UNLIMITED:
        _acquire(READS if request.method in SAFE_METHODS else WRITES)


def note_miss() -> None:
    """Count this request as one whose secret did not fit, whatever its answer will be."""
    g.setdefault("missed", True)


@contextmanager
def count_miss(error: type[Exception]) -> Iterator[None]:
    """Count this request as one whose secret did not fit where an error says so, and pass it on."""
    try:
        yield
    except error:
        note_miss()
        raise


def _limit_misses(response: Response) -> Response:
    """Count a link or a pen that did not fit.

    Only the misses are held up, not what comes after them: whoever plays with the address must
    not keep the others at the same table from writing.
    """
    is_miss = response.status_code in (HTTPStatus.UNAUTHORIZED, HTTPStatus.NOT_FOUND)
    if not g.get("missed") and not (is_miss and "link" in (request.view_args or {})):
        return response
    try:
        _acquire(MISSES)
    except TooManyRequests as error:
        return current_app.make_response(current_app.handle_user_exception(error))
    return response


def _acquire(limit: RateLimit) -> None:
    """Take a token for this request's client. Raises TooManyRequests, which says how long."""
    limiter: RateLimiter | None = current_app.extensions.get("rate_limiter")
    if limiter and (wait := limiter.acquire(limit, client_address())):
        raise TooManyRequests(retry_after=math.ceil(wait))
