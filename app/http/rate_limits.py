"""How much one address may ask for: nobody at a kitchen table notices, a flood is stopped."""

from __future__ import annotations

import ipaddress
import math
import time
from collections.abc import Callable
from http import HTTPStatus
from threading import Lock

import msgspec
from flask import Flask, Response, current_app, request
from werkzeug.exceptions import TooManyRequests

MOST_KEPT = 50_000
HOUSEHOLD = 64


class Rate(msgspec.Struct, frozen=True):
    """So many at once, and so many more each second."""

    at_once: int
    per_second: float


# Behind one address there may be a kitchen, or a club with thirty tables: somebody taps twice a
# second, everybody's phone comes back at once when the server was restarted, or a phone sends what
# it kept while it was offline.
READS = Rate(2000, 100)
WRITES = Rate(600, 20)
# An evening needs one new table, a tournament thirty.
NEW_TABLES = Rate(300, 1)
# Links and pens that do not fit. Nobody guesses 128 bits; this ends the noise of trying.
MISSES = Rate(300, 2)

_OPENING = ("api.tables.open_table", "new_table.open_table", "files.open_table")
_SAFE = ("GET", "HEAD", "OPTIONS")


class Meter:
    """Counts what each address does, and tells how long it has to wait.

    What is kept is one moment for each: when all it has spent will be given back (the generic
    cell rate algorithm).
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._restored: dict[tuple[Rate, str], float] = {}

    def spend(self, rate: Rate, who: str) -> float:
        """Count one more; the seconds until there is room for it, 0 when there is."""
        with self._lock:
            now = self._clock()
            restored = max(now, self._restored.pop((rate, who), now)) + 1 / rate.per_second
            wait = restored - now - rate.at_once / rate.per_second
            # Who has to wait spends nothing.
            self._restored[rate, who] = restored if wait <= 0 else restored - 1 / rate.per_second
            self._forget(now)
        return max(0.0, wait)

    @property
    def size(self) -> int:
        """How many addresses are remembered."""
        with self._lock:
            return len(self._restored)

    def _forget(self, now: float) -> None:
        """Drop the longest unseen address when it may start afresh, or when there are too many."""
        oldest = next(iter(self._restored))
        if self._restored[oldest] <= now or len(self._restored) > MOST_KEPT:
            del self._restored[oldest]


def register(app: Flask) -> None:
    """Hold every request to the limits, unless they are switched off."""
    if app.config["LIMITS"]:
        app.extensions["meter"] = Meter()
        app.before_request(_ask)
        app.after_request(_miss)


def client_address() -> str:
    """Whom this request is counted for; of IPv6, the network that one household has."""
    who = request.remote_addr or ""
    try:
        ip = ipaddress.ip_address(who)
    except ValueError:
        return who
    if ip.version == 4 or ip.ipv4_mapped:
        return who
    return str(ipaddress.ip_network((ip, HOUSEHOLD), strict=False))


def _ask() -> None:
    if request.endpoint == "static":
        return
    _spend(READS if request.method in _SAFE else WRITES)
    if request.endpoint in _OPENING:
        _spend(NEW_TABLES)


def _miss(response: Response) -> Response:
    """Count a link or a pen that did not fit.

    Only the misses are held up, not what comes after them: whoever plays with the address must
    not keep the others at the same table from writing.
    """
    missed = response.status_code in (HTTPStatus.UNAUTHORIZED, HTTPStatus.NOT_FOUND)
    if not missed or not request.view_args or "link" not in request.view_args:
        return response
    try:
        _spend(MISSES)
    except TooManyRequests as held:
        return current_app.make_response(current_app.handle_user_exception(held))
    return response


def _spend(rate: Rate) -> None:
    meter: Meter = current_app.extensions["meter"]
    wait = meter.spend(rate, client_address())
    if wait:
        raise TooManyRequests(retry_after=math.ceil(wait))
