"""Idempotency keys: a request that is sent again because its answer was lost changes nothing."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable

from flask import current_app, request

from app.http.context import pool
from app.rules.errors import BadFile
from app.services import idempotency, tables
from app.services.idempotency import IdempotentRequest, Reply
from app.services.tables import LINK_BYTES, PEN_BYTES

HEADER = "Idempotency-Key"
LONGEST = 128


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


def answer_once(link: str, sender: str, key: str | None, act: Callable[[], Reply]) -> Reply:
    """Carry this request out; where it has a key, only the first time. Raises KeyReused."""
    if key is None:
        return act()
    digest = hashlib.sha256(request.get_data()).hexdigest()
    content = f"{request.method} {request.path} {digest}"
    return idempotency.once(pool(), IdempotentRequest(link, sender, key, content), act)


def anonymous_sender() -> str:
    """Who sends this, where no pen tells: an address, which is stored in no readable form."""
    return _mac("sender", "").hex()


def new_table(key: str | None) -> tuple[str, str]:
    """A link and a pen that a repeated request gets again, though they are stored nowhere."""
    nonce = key or tables.new_pen()
    return (
        _base64(_mac("link", nonce)[:LINK_BYTES]),
        _base64(_mac("pen", nonce)[:PEN_BYTES]),
    )


def _mac(purpose: str, nonce: str) -> bytes:
    key = current_app.secret_key
    secret = key if isinstance(key, bytes) else str(key).encode()
    parts = [purpose, request.remote_addr or "", nonce, request.get_data().hex() if nonce else ""]
    return hmac.digest(secret, "\n".join(part.encode().hex() for part in parts).encode(), "sha256")


def _base64(secret: bytes) -> str:
    return base64.urlsafe_b64encode(secret).rstrip(b"=").decode()
