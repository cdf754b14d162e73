"""Opening a table once: whoever asks again, the answer having been lost, is told the same table.

A link and a pen are stored nowhere. They are derived from what was asked with a random key that is
stored, so that they can be told again, for a while.
"""

from __future__ import annotations

import base64
import hmac
from collections.abc import Callable

from app.rules.errors import NotAllowed
from app.services import idempotency, tables
from app.services.idempotency import IdempotentRequest
from app.services.instances import name_link
from app.services.tables import LINK_BYTES, PEN_BYTES, NotFound
from app.store.database import Database

# Opens a table with a link and a pen made for it.
Opening = Callable[[str, str], object]

# A pen is told again only while a lost answer may still be asked for. A short key is soon guessed,
# or thought up by somebody else too.
RETRY_SECONDS, SHORT_KEY_RETRY_SECONDS = 600, 60
UNGUESSABLE = 16


def open_once(
    db: Database, ask: IdempotentRequest, act: Opening, instance: str, own_pen: str | None = None
) -> tuple[str, str]:
    """Open a table by `act`; returns its link and its pen, which is `own_pen` if there is one.

    The same content again, from the same sender under the same key, gets them again. Raises
    KeyReused for another content, and NotAllowed for a table that cannot be told again.
    """

    def secrets(nonce: bytes) -> tuple[str, str]:
        pen = own_pen or _derive("pen", ask, nonce, PEN_BYTES)
        return name_link(instance, _derive("link", ask, nonce, LINK_BYTES)), pen

    def act_with(nonce: bytes) -> str:
        link, pen = secrets(nonce)
        act(link, pen)
        return link

    seconds = RETRY_SECONDS if len(ask.key) >= UNGUESSABLE else SHORT_KEY_RETRY_SECONDS
    link, pen = secrets(idempotency.open_once(db, ask, act_with, seconds))
    _check(db, link, pen)
    return link, pen


def _check(db: Database, link: str, pen: str) -> None:
    """Raise NotAllowed where the pen was taken back, or the table is gone."""
    try:
        writes = tables.read_access(db, link, pen).writes
    except NotFound:
        writes = False
    if not writes:
        raise NotAllowed("key_too_old")


def _derive(purpose: str, ask: IdempotentRequest, nonce: bytes, length: int) -> str:
    text = repr([purpose, ask.sender, ask.key, ask.request])
    mac = hmac.digest(nonce, text.encode("utf-8", "surrogatepass"), "sha256")
    return base64.urlsafe_b64encode(mac[:length]).rstrip(b"=").decode()
