"""Opening a table, once for each request."""

import base64
import hmac
import json
import secrets
from contextlib import suppress
from datetime import timedelta

import msgspec

from app.rules.codes import NotAllowed
from app.rules.settlement import USUAL, Currency
from app.rules.state import Setup
from app.services import bounds, commit, table_view
from app.services.access import (
    LINK_BYTES,
    PEN_BYTES,
    NotFound,
    add_pen,
    derive_game_id,
    find_access,
    hash_secret,
    name_link,
    new_link,
)
from app.services.table_view import GameBody, to_json, write_setup
from app.store import clock, log
from app.store.clock import now
from app.store.database import Connection, Database
from app.store.log import ChangeRow, Key


def open_table(
    db: Database,
    setup: Setup,
    name: str,
    pen: str,
    link: str | None = None,
    currency: Currency = USUAL,
) -> str:
    """Open a table, start its first game, and return its link."""
    link = link or new_link()
    with db.transaction() as connection:
        table_id = add_table(connection, link, name, currency)
        pen_id = add_pen(connection, table_id, pen)
        numbers = table_view.numbers_of(commit.add_names(connection, table_id, {}, setup.players))
        uid = derive_game_id(link, 1, 1)
        body = to_json(GameBody(uid, write_setup(setup, numbers), currency, name))
        row = ChangeRow(1, "open", 1, body, clock.now(), None, bounds.weigh(body))
        log.append(connection, table_id, row, pen_id)
    return link


NONCE_BYTES = 32
# A pen is told again only while a lost answer may still be asked for. A short key is soon guessed,
# or thought up by somebody else too.
RETRY_SECONDS, SHORT_KEY_RETRY_SECONDS = 600, 60
UNGUESSABLE = 16
# So long a key opens no second table.
REMEMBERED = timedelta(days=1)


class IdempotentRequest(msgspec.Struct, frozen=True):
    """A request with an idempotency key: its sender, the key, and its content.

    `sender` keeps one sender's keys apart from another's. It holds a secret in the clear where
    there is one, so that nobody can guess the request from the database.
    """

    sender: str
    key: str
    request: str

    @property
    def hashes(self) -> Key:
        """The hashes by which the database knows the key, and this request of all that carry it."""
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
    NotAllowed for another content, and for a table that cannot be told again.
    """
    with db.transaction() as connection:
        known, hashes = _find_nonce(connection, ask), ask.hashes
        nonce = known or secrets.token_bytes(NONCE_BYTES)
        link = name_link(instance, ask.derive("link", nonce, LINK_BYTES))
        pen = own_pen or ask.derive("pen", nonce, PEN_BYTES)
        if not known:
            open_table(db, new.setup, new.name, pen, link, new.currency)
            sql = "UPDATE tables SET open_key = ?, open_request = ?, nonce = ? WHERE link_hash = ?"
            connection.execute(sql, [hashes.key, hashes.request, nonce, hash_secret(link)])
        with suppress(NotFound):
            if find_access(connection, link, pen).writes:
                return link, pen
    # It was taken back, or the table is gone.
    raise NotAllowed("key_too_old")


def has_opened(db: Database, ask: IdempotentRequest) -> bool:
    """Whether this very request has opened a table, which it is told again by `open_once`."""
    sql = "SELECT COUNT(*) FROM tables WHERE open_key = ? AND open_request = ?"
    return bool(db.connection.find_number(sql, ask.hashes.key, ask.hashes.request))


def _find_nonce(connection: Connection, ask: IdempotentRequest) -> bytes | None:
    """The nonce of the table that was opened by a request. Raises NotAllowed."""
    sql = """UPDATE tables SET open_key = NULL, open_request = NULL, nonce = NULL
        WHERE open_key IS NOT NULL AND created_at < ?"""
    connection.execute(sql, [clock.write_time(clock.utc_now() - REMEMBERED)])
    for row in connection.table("tables").rows_where("open_key = ?", [ask.hashes.key]):
        if row["open_request"] != ask.hashes.request:
            raise NotAllowed("key_reused")
        seconds = RETRY_SECONDS if len(ask.key) >= UNGUESSABLE else SHORT_KEY_RETRY_SECONDS
        if clock.age(row["created_at"]) > timedelta(seconds=seconds):
            raise NotAllowed("key_too_old")
        return bytes(row["nonce"])
    return None


def add_table(connection: Connection, link: str, name: str, currency: Currency = USUAL) -> int:
    """Add a table without changes; returns its key. A phone keeps its tables' links."""
    is_phone = connection.find_number("SELECT COUNT(*) FROM phone")
    row = {
        "link_hash": hash_secret(link),
        "name": name,
        "currency": currency,
        "created_at": now(),
        "erased_seq": 0,
        "ledger_seq": 1,
        "link": link if is_phone else None,
    }
    return int(str(connection.table("tables").insert(row).last_pk))
