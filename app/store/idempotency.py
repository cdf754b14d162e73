"""Rows of idempotency keys: requests that were carried out, each with the reply it got."""

from __future__ import annotations

import msgspec

from app.store.database import Connection, now


class ReplyRow(msgspec.Struct, frozen=True):
    """A request that carried a key, by its hash, and the reply it got."""

    request_hash: str
    status: int
    body: str


def find(connection: Connection, scope: str, key: str) -> ReplyRow | None:
    """The request that came with this key before; `scope` keeps senders' keys apart."""
    sql = "SELECT request_hash, status, body FROM idempotency_keys WHERE scope = ? AND key = ?"
    row = connection.execute(sql, [scope, key]).fetchone()
    return ReplyRow(*row) if row else None


def add(connection: Connection, link_hash: str, scope: str, key: str, reply: ReplyRow) -> None:
    """Record the reply to a request at the table behind a link, if there is one."""
    sql = """INSERT INTO idempotency_keys
            (table_id, scope, key, request_hash, status, body, created_at)
        SELECT id, ?, ?, ?, ?, ?, ? FROM tables WHERE link_hash = ?"""
    values = [scope, key, reply.request_hash, reply.status, reply.body, now(), link_hash]
    connection.execute(sql, values)
