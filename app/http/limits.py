"""Rate limits by address where they matter: nobody at a kitchen table notices them.

Limited are new tables, uploads, links and erasures, and guesses at links and pens. A flood of
anything else is a front server's business: docs/SERVER.md.
"""

import ipaddress
import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus

import msgspec
from cachetools import LRUCache
from flask import Flask, Response, current_app, g, request
from werkzeug.exceptions import TooManyRequests

from app.store import clock

IPV6_PREFIX, LONGEST_ADDRESS = 64, 64
MAX_CLIENTS = 50_000
# Where an application keeps it; without one nothing is limited.
LIMITER = "limiter"


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


# Behind one address there may be a kitchen, or a club with thirty tables. An evening needs one new
# table, a tournament thirty.
NEW_TABLES = RateLimit(300, 1)
# Files read in: a club brings its tables from elsewhere, one by one, and nobody else ever so many.
IMPORTS = RateLimit(60, 1 / 30)
# All games of a table packed into one file, which takes seconds: now and then somebody keeps one.
EXPORTS = RateLimit(20, 1 / 30)
# Links that take a phone's tables along: somebody with a new phone makes one or two.
TRANSFERS = RateLimit(90, 1 / 20)
# Painting a picture holds everybody up for some 100 ms: the library does not release Python's lock.
# One serves all of a table, and a club's thirty tables may all end at once.
PICTURES = RateLimit(30, 1 / 2)
# Names, games and tables that are forgotten: a small file is written anew each time.
ERASURES = RateLimit(60, 1 / 10)
# What readers say of an entry or a debt goes to every phone at the table: a slip of the keeper's
# is said once or twice an evening, by each of eight.
NOTES = RateLimit(60, 1 / 5)
# Links and pens that do not fit. Nobody guesses 128 bits; this ends the noise of trying.
BAD_SECRETS = RateLimit(300, 2)


def register(app: Flask) -> None:
    """Hold requests to the limits, unless they are switched off."""
    if app.config["LIMITS"]:
        app.extensions[LIMITER] = RateLimiter()
        app.after_request(_limit_misses)


@contextmanager
def rate_limit(limit: RateLimit) -> Iterator[None]:
    """Do something, or decorate a view, that has a limit for this request's client.

    Raises TooManyRequests, which says how long to wait.
    """
    limiter: RateLimiter | None = current_app.extensions.get(LIMITER)
    if limiter and (wait := limiter.acquire(limit, client_address())):
        raise TooManyRequests(retry_after=math.ceil(wait))
    yield


def client_address() -> str:
    """The address that this request is counted for; of IPv6, the network of one household."""
    address = (request.remote_addr or "")[:LONGEST_ADDRESS]
    try:
        ip = ipaddress.IPv6Address(address)
    except ValueError:
        return address  # IPv4, or any text that a server in front sends
    if ip.ipv4_mapped:
        return address
    return str(ipaddress.IPv6Network((ip.packed, IPV6_PREFIX), strict=False))


def record_bad_secret() -> None:
    """Count this request as one whose secret did not fit, with any answer."""
    g.missed = True


def _limit_misses(response: Response) -> Response:
    """Count a link or a pen that did not fit.

    Only the misses are held up, not what comes after them: whoever plays with the address must
    not keep the others at the same table from writing.
    """
    is_miss = response.status_code in (HTTPStatus.UNAUTHORIZED, HTTPStatus.NOT_FOUND)
    if not g.get("missed") and not (is_miss and g.get("link")):
        return response
    try:
        with rate_limit(BAD_SECRETS):
            return response
    except TooManyRequests as error:
        return current_app.make_response(current_app.handle_user_exception(error))


_turn = threading.Lock()


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Run a long computation, or decorate a view with one; taps and the like come in between."""
    with _turn:
        clock.give_way()
        yield
