"""Idempotency: a request that comes again, its answer having been lost, is carried out once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec

from app import store
from app.rules.errors import ChicagoError
from app.services.tables import hash_secret
from app.store.database import Pool
from app.store.idempotency import ReplyRow

T = TypeVar("T")


class KeyReused(ChicagoError):
    """An idempotency key came again with another request."""


class Reply(msgspec.Struct, frozen=True):
    """An answer to be given again: the HTTP status and the body."""

    status: int
    body: str


class IdempotentRequest(msgspec.Struct, frozen=True):
    """A request that carries an idempotency key: at which table, whose key, and what it asks.

    `sender` is a secret in the clear that keeps one sender's keys apart from another's.
    """

    link: str
    sender: str
    key: str
    request: str


DONE = Reply(200, "")


def once(pool: Pool, request: IdempotentRequest, act: Callable[[], Reply]) -> Reply:
    """Carry a request out, in one transaction; the same request again gets the first reply.

    A request that is refused, by what `act` raises, may be tried again. Raises KeyReused when
    the key came with another request before.
    """
    scope, digest = hash_secret(request.sender), hash_secret(request.request)
    with pool.transaction() as connection:
        before = store.idempotency.find(connection, scope, request.key)
        if before is None:
            reply = act()
            row = ReplyRow(digest, reply.status, reply.body)
            store.idempotency.add(connection, hash_secret(request.link), scope, request.key, row)
            return reply
    if before.request_hash != digest:
        raise KeyReused("key_reused")
    return Reply(before.status, before.body)


def perform(
    pool: Pool, request: IdempotentRequest, act: Callable[[], T], again: Callable[[], T]
) -> T:
    """Carry a request out once, and return what `act` does; if it was before, what `again` does.

    Only for changes that are refused from an old version of the table: of such a form only a
    repetition can be the same as another one.
    """
    results: list[T] = []

    def reply() -> Reply:
        results.append(act())
        return DONE

    once(pool, request, reply)
    return results[0] if results else again()
