"""Idempotency: a request that comes again, its answer having been lost, is carried out once.

Answers are not kept but made again: the log tells how a table stood at each of its versions.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import time
from collections.abc import Callable
from typing import TypeVar

import msgspec

from app import store
from app.rules.errors import ChicagoError, NotAllowed
from app.services.sheets import Sheet, read_sheet_at
from app.services.tables import NotFound, hash_secret
from app.store.database import Database
from app.store.idempotency import KeyRow, Position

T = TypeVar("T")

HASH_BYTES, NONCE_BYTES = 16, 32


class KeyReused(ChicagoError):
    """An idempotency key came again with another request."""


class Completion(msgspec.Struct, frozen=True):
    """What became of a request: the HTTP status, and the table as it left it or the refusal.

    `refusal` is the answer to a request that was refused, None to one that was carried out.
    """

    status: int
    sheet: Sheet | None
    refusal: str | None = None


class IdempotentRequest(msgspec.Struct, frozen=True):
    """A request that carries an idempotency key: at which table, whose key, and what it asks.

    `sender` keeps one sender's keys apart from another's. It holds a secret in the clear where
    there is one, so that nobody can guess from the database what was asked.
    """

    link: str
    sender: str
    key: str
    request: str

    def key_hash(self) -> bytes:
        """By what the database knows this sender's key."""
        return _hash(self.sender, self.key)

    def request_hash(self) -> bytes:
        """By what the database tells this request from others with its key."""
        return _hash(self.sender, self.key, self.request)


def _hash(*parts: str) -> bytes:
    text = json.dumps(parts).encode()
    return hashlib.blake2b(text, digest_size=HASH_BYTES).digest()


def once(db: Database, request: IdempotentRequest, act: Callable[[], Completion]) -> Completion:
    """Carry a request out, in one transaction; the same request again has the first completion.

    A refusal is a completion too, where `act` returns it; a request that is refused by what `act`
    raises may be tried again. Raises KeyReused when the key came with another request before,
    NotFound when the game that it was about has been deleted since.
    """
    with db.transaction() as connection:
        link_hash, key_hash = hash_secret(request.link), request.key_hash()
        key_id = store.idempotency.add(connection, link_hash, key_hash, request.request_hash())
        if key_id is not None:
            completion = act()
            _save(db, key_id, completion)
            return completion
        return _completion(db, request, _find_same(db, request))


def _save(db: Database, key_id: int, completion: Completion) -> None:
    """Keep of a completion what it takes to tell it again."""
    connection = db.connection
    if completion.refusal is not None:
        store.idempotency.set_refusal(connection, key_id, completion.status, completion.refusal)
    elif (sheet := completion.sheet) is not None:
        position = Position(sheet.seq, sheet.number)
        store.idempotency.set_position(connection, key_id, completion.status, position)


def _completion(db: Database, request: IdempotentRequest, row: KeyRow) -> Completion:
    """What became of a request, worked out again from the log."""
    at = row.position
    if at is None:
        return Completion(row.status, None, row.refusal)
    sheet = read_sheet_at(db, request.link, at.game, at.seq)
    return Completion(row.status, sheet)


def _find_same(db: Database, request: IdempotentRequest) -> KeyRow:
    """The row of this request as it came before. Raises KeyReused when it was another.

    Raises NotFound where no table keeps a key.
    """
    row = store.idempotency.find(db.connection, request.key_hash())
    if row is None:
        raise NotFound("no_such_table")
    if row.request_hash != request.request_hash():
        raise KeyReused("key_reused")
    return row


def perform(
    db: Database, request: IdempotentRequest, act: Callable[[], T], again: Callable[[], T]
) -> T:
    """Carry a request out once, and return what `act` does; if it was before, what `again` does.

    Only for changes that are refused from an old version of the table: of such a form only a
    repetition can be the same as another one.
    """
    results: list[T] = []

    def completion() -> Completion:
        results.append(act())
        return Completion(200, None)

    once(db, request, completion)
    return results[0] if results else again()


def open_once(
    db: Database, request: IdempotentRequest, act: Callable[[bytes], str], seconds: int
) -> bytes:
    """Open a table once; returns the nonce with which it was opened.

    `act` opens it, and returns its link, which follows from the nonce as the pen does; so the
    same request again, within `seconds`, can be told both though they are stored nowhere. Raises
    KeyReused, and NotAllowed when it comes later, since by then it may be a stranger's.
    """
    with db.transaction() as connection:
        row = store.idempotency.find(connection, request.key_hash())
        if row is None:
            nonce = secrets.token_bytes(NONCE_BYTES)
            link_hash, key_hash = hash_secret(act(nonce)), request.key_hash()
            request_hash = request.request_hash()
            store.idempotency.add(connection, link_hash, key_hash, request_hash, nonce)
            return nonce
    if row.request_hash != request.request_hash() or row.nonce is None:
        raise KeyReused("key_reused")
    if abs(time.time() - row.created_at) > seconds:
        raise NotAllowed("key_too_old")
    return row.nonce
