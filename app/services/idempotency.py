"""A request that carries a key is carried out once, however often it comes."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from app.rules.errors import ChicagoError
from app.services.tables import hash_secret, table_id
from app.store.database import Pool, StoredReply


class KeyReused(ChicagoError):
    """An idempotency key came again with another request."""


class Reply(msgspec.Struct, frozen=True):
    """An answer as it was sent: the HTTP status and the body."""

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


def once(pool: Pool, keyed: IdempotentRequest, act: Callable[[], Reply]) -> Reply:
    """Carry a keyed request out once; the same request again gets the first answer.

    Raises KeyReused when the key came with another request before.
    """
    scope, asked = hash_secret(keyed.sender), hash_secret(keyed.request)
    with pool.writing():
        kept = pool.answer(scope, keyed.key)
        if kept is not None:
            if kept.request_hash != asked:
                raise KeyReused("key_reused")
            return Reply(kept.status, kept.body)
        reply = act()
        answer = StoredReply(asked, reply.status, reply.body)
        pool.keep_answer(table_id(pool, keyed.link), scope, keyed.key, answer)
        return reply
