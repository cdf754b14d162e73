"""Idempotency keys: a request that is sent again because its answer was lost changes nothing."""

from __future__ import annotations

import hashlib

from flask import request

from app.http import cookies
from app.http.limits import client_address
from app.rules.errors import BadFile
from app.services.play import IdempotentRequest
from app.services.tables import Write, new_link
from app.store.log import Key

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


def read_change_key(write: Write) -> Key | None:
    """The key of a change, and what it asks. Raises BadFile where it carries no key that is one."""
    key = read_key()
    if key is None:
        return None
    sent = f"{write.pen} {key}".encode("utf-8", "surrogatepass")
    return Key(hashlib.sha256(sent).digest(), hashlib.sha256(_content().encode()).digest())


def read_opening() -> IdempotentRequest:
    """The opening of a table, by its sender as far as that can be told; without a key, a new one.

    Raises BadFile as `read_key`.
    """
    return IdempotentRequest(_sender(cookies.pen()), read_key() or new_link(), _content())


def _content() -> str:
    """What this request asks."""
    return f"{request.method} {request.path} {hashlib.sha256(request.get_data()).hexdigest()}"


def _sender(cookie: str | None) -> str:
    """Who sends this, where no pen tells."""
    return repr([client_address(), cookie, *(request.headers.get(name) for name in _TELLTALE)])
