"""Idempotency keys: a request that is sent again because its answer was lost changes nothing."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable

from flask import current_app, request

from app.http.context import pool
from app.http.rate_limits import client_address
from app.rules.errors import BadFile, NotAllowed
from app.services import idempotency, tables
from app.services.idempotency import IdempotentRequest, Outcome
from app.services.tables import LINK_BYTES, PEN_BYTES, NotFound

HEADER = "Idempotency-Key"
LONGEST = 128
# A table's pen is told again only while a lost answer may still be asked for. A short key is soon
# guessed, or thought up by somebody else too.
RETRY_SECONDS, SHORT_KEY_RETRY_SECONDS = 600, 60
UNGUESSABLE = 16
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


def act_once(link: str, sender: str, key: str | None, act: Callable[[], Outcome]) -> Outcome:
    """Carry this request out; where it has a key, only the first time. Raises KeyReused."""
    if key is None:
        return act()
    return idempotency.once(pool(), IdempotentRequest(link, sender, key, _content()), act)


def open_once(
    key: str | None, cookie: str | None, act: Callable[[str, str], str]
) -> tuple[str, str]:
    """Open a table by `act`, with a link and a pen made for it; returns the two.

    The same request again gets them again, though they are stored nowhere, if it comes soon and
    from the same sender, as far as that can be told: `cookie` is the pen of its browser. Raises
    KeyReused, and NotAllowed for a table that cannot be told again.
    """
    if key is None:
        link, pen = tables.new_link(), tables.new_pen()
        return act(link, pen), pen
    seconds = RETRY_SECONDS if len(key) >= UNGUESSABLE else SHORT_KEY_RETRY_SECONDS
    ask = IdempotentRequest("", _sender(cookie), key, _content())
    nonce = idempotency.open_once(pool(), ask, lambda nonce: act(*_derive(ask, nonce)), seconds)
    link, pen = _derive(ask, nonce)
    _refuse_another_secret_key(link, pen)
    return link, pen


def _content() -> str:
    """What this request asks."""
    return f"{request.method} {request.path} {hashlib.sha256(request.get_data()).hexdigest()}"


def _sender(cookie: str | None) -> str:
    """Who sends this, where no pen tells."""
    return repr([client_address(), cookie, *(request.headers.get(name) for name in _TELLTALE)])


def _refuse_another_secret_key(link: str, pen: str) -> None:
    """Raise NotAllowed where these are not what the table was opened with, or not any more."""
    try:
        access = tables.read_access(pool(), link, pen)
    except NotFound:
        raise NotAllowed("key_too_old") from None
    if not access.writes:
        raise NotAllowed("key_too_old")


def _derive(ask: IdempotentRequest, nonce: bytes) -> tuple[str, str]:
    """The link and the pen of a table that was opened by a request, with a nonce."""
    return _secret("link", ask, nonce, LINK_BYTES), _secret("pen", ask, nonce, PEN_BYTES)


def _secret(purpose: str, ask: IdempotentRequest, nonce: bytes, length: int) -> str:
    key = current_app.secret_key
    secret = key if isinstance(key, bytes) else str(key).encode()
    text = repr([purpose, nonce.hex(), ask.sender, ask.key, ask.request])
    mac = hmac.digest(secret, text.encode("utf-8", "surrogatepass"), "sha256")
    return base64.urlsafe_b64encode(mac[:length]).rstrip(b"=").decode()
