"""Idempotency keys: a request that is sent again because its answer was lost changes nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from flask import request

from app.http.context import db, instance
from app.http.limits import client_address
from app.rules.errors import BadFile
from app.services import idempotency, opening, tables
from app.services.idempotency import Completion, IdempotentRequest
from app.services.opening import Opening

HEADER = "Idempotency-Key"
LONGEST = 128
# What a program sends alike each time, and another behind the same address maybe not.
_TELLTALE = ("User-Agent", "Accept", "Accept-Encoding", "Accept-Language", "Authorization")


def read_key() -> str | None:
    """The key that this request carries. Raises BadFile when it is none."""
    header = request.headers.get(HEADER)
    if header is None:
        return None
    # A header's bytes arrive as Latin-1 whatever they were.
    key = header.encode("latin-1").decode("utf-8", "replace")
    if not 0 < len(key) <= LONGEST:
        raise BadFile("wrong_value", key=HEADER, value=key)
    return key


def act_once(link: str, sender: str, key: str | None, act: Callable[[], Completion]) -> Completion:
    """Carry this request out; where it has a key, only the first time. Raises KeyReused."""
    if key is None:
        return act()
    return idempotency.once(db(), IdempotentRequest(link, sender, key, _content()), act)


def open_once(key: str | None, cookie: str | None, act: Opening) -> tuple[str, str]:
    """Open a table by `act`, with a link and a pen made for it; returns the two.

    The same request again gets them again, if it comes soon and from the same sender, as far as
    that can be told: `cookie` is the pen of its browser. Raises KeyReused, and NotAllowed for a
    table that cannot be told again.
    """
    if key is None:
        link, pen = tables.new_link(instance()), tables.new_pen()
        act(link, pen)
        return link, pen
    ask = IdempotentRequest("", _sender(cookie), key, _content())
    return opening.open_once(db(), ask, act, instance())


def _content() -> str:
    """What this request asks."""
    return f"{request.method} {request.path} {hashlib.sha256(request.get_data()).hexdigest()}"


def _sender(cookie: str | None) -> str:
    """Who sends this, where no pen tells."""
    return repr([client_address(), cookie, *(request.headers.get(name) for name in _TELLTALE)])
