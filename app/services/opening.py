"""Opening a table once: whoever asks again, the answer having been lost, is told the same table.

A link and a pen are stored nowhere. They are derived from what was asked with a random nonce that
is stored with the table for a day, so that they can be told again, for a while.
"""

from __future__ import annotations

import base64
import hmac
import json
import secrets
from contextlib import suppress
from datetime import timedelta

import msgspec

from app.rules.currency import USUAL, Currency
from app.rules.errors import NotAllowed
from app.rules.state import Setup
from app.services import play
from app.services.commit import KeyReused
from app.services.instances import name_link
from app.services.tables import LINK_BYTES, PEN_BYTES, NotFound, find_access, hash_secret
from app.store import clock
from app.store.connection import Connection
from app.store.database import Database
from app.store.log import Key

NONCE_BYTES = 32
# A pen is told again only while a lost answer may still be asked for. A short key is soon guessed,
# or thought up by somebody else too.
RETRY_SECONDS, SHORT_KEY_RETRY_SECONDS = 600, 60
UNGUESSABLE = 16
# So long a key opens no second table.
REMEMBERED = timedelta(days=1)


class IdempotentRequest(msgspec.Struct, frozen=True):
    """A request that carries an idempotency key: whose key, and what it asks.

    `sender` keeps one sender's keys apart from another's. It holds a secret in the clear where
    there is one, so that nobody can guess from the database what was asked.
    """

    sender: str
    key: str
    request: str

    @property
    def hashes(self) -> Key:
        """By what the database knows the key, and tells this request from others with it."""
        return Key(self._digest(b"", self.key), self._digest(b"", self.key, self.request))

    def derive(self, purpose: str, nonce: bytes, length: int) -> str:
        """Derive a secret of so many bytes."""
        digest = self._digest(nonce, purpose, self.key, self.request)
        return base64.urlsafe_b64encode(digest[:length]).rstrip(b"=").decode()

    def _digest(self, nonce: bytes, *parts: str) -> bytes:
        return hmac.digest(nonce, json.dumps([self.sender, *parts]).encode(), "sha256")


class NewTable(msgspec.Struct, frozen=True):
    """A table that is to be opened: its first game, its name and its currency."""

    setup: Setup
    name: str = ""
    currency: Currency = USUAL


def open_once(
    db: Database,
    ask: IdempotentRequest,
    new: NewTable,
    instance: str = "",
    own_pen: str | None = None,
) -> tuple[str, str]:
    """Open a table; returns its link and its pen, which is `own_pen` if there is one.

    The same content again, from the same sender under the same key, gets them again. Raises
    KeyReused for another content, and NotAllowed for a table that cannot be told again.
    """
    with db.transaction() as connection:
        known, hashes = _find_nonce(connection, ask), ask.hashes
        nonce = known or secrets.token_bytes(NONCE_BYTES)
        link = name_link(instance, ask.derive("link", nonce, LINK_BYTES))
        pen = own_pen or ask.derive("pen", nonce, PEN_BYTES)
        if not known:
            play.open_table(db, new.setup, new.name, pen, link, new.currency)
            sql = "UPDATE tables SET open_key = ?, open_request = ?, nonce = ? WHERE link_hash = ?"
            connection.execute(sql, [hashes.key, hashes.request, nonce, hash_secret(link)])
        with suppress(NotFound):
            if find_access(connection, link, pen).writes:
                return link, pen
    # It was taken back, or the table is gone.
    raise NotAllowed("key_too_old")


def _find_nonce(connection: Connection, ask: IdempotentRequest) -> bytes | None:
    """The nonce of the table that was opened by a request. Raises KeyReused, NotAllowed."""
    sql = """UPDATE tables SET open_key = NULL, open_request = NULL, nonce = NULL
        WHERE open_key IS NOT NULL AND created_at < ?"""
    connection.execute(sql, [clock.write_time(clock.moment() - REMEMBERED)])
    for row in connection.table("tables").rows_where("open_key = ?", [ask.hashes.key]):
        if row["open_request"] != ask.hashes.request:
            raise KeyReused("key_reused")
        seconds = RETRY_SECONDS if len(ask.key) >= UNGUESSABLE else SHORT_KEY_RETRY_SECONDS
        if clock.age(row["created_at"]) > timedelta(seconds=seconds):
            raise NotAllowed("key_too_old")
        return bytes(row["nonce"])
    return None
