"""Rows of idempotency keys: requests that were carried out, and where the table stood then.

No answer is kept, only what it takes to make it again. Secrets, keys and requests stand here as
hashes; see `app.services.idempotency` for what goes into them.
"""

from __future__ import annotations

import time

import msgspec

from app.store.connection import Connection

LIFETIME_SECONDS = 24 * 60 * 60
# How many expired rows a write takes with it: more than the one it adds.
PRUNE_ROWS = 8
# Refusals of one table that are kept: they change nothing, so nothing else bounds them.
MAX_REFUSALS = 1000

_COLUMNS = "id, request_hash, created_at, status, seq, game, refusal, nonce"


class Position(msgspec.Struct, frozen=True):
    """Where a table stood: its version, and the number of its newest game, 0 once that is gone."""

    seq: int
    game: int


class KeyRow(msgspec.Struct, frozen=True):
    """A request that carried a key; `created_at` is in seconds since 1970.

    `position` is where it left the table, `refusal` what it was told instead; both are None where
    its answer is the table as it is by now. `nonce` is kept of a request that opened the table.
    """

    id: int
    request_hash: bytes
    created_at: int
    status: int
    position: Position | None
    refusal: str | None
    nonce: bytes | None


def find(connection: Connection, key_hash: bytes) -> KeyRow | None:
    """The request that came with a key before."""
    sql = f"SELECT {_COLUMNS} FROM idempotency_keys WHERE key_hash = ?"  # noqa: S608  # our own SQL
    row = connection.execute(sql, [key_hash]).fetchone()
    if row is None:
        return None
    key_id, request_hash, created_at, status, seq, game, refusal, nonce = row
    position = None if seq is None else Position(seq, game)
    return KeyRow(key_id, request_hash, created_at, status, position, refusal, nonce)


def add(
    connection: Connection,
    link_hash: str,
    key_hash: bytes,
    request_hash: bytes,
    nonce: bytes | None = None,
) -> int | None:
    """Record a request at the table behind a link; its row's key, None where the key is known."""
    prune(connection)
    sql = """INSERT INTO idempotency_keys
            (table_id, key_hash, request_hash, created_at, status, nonce)
        SELECT id, ?, ?, ?, 200, ? FROM tables WHERE link_hash = ?
        ON CONFLICT (key_hash) DO NOTHING RETURNING id"""
    values = [key_hash, request_hash, int(time.time()), nonce, link_hash]
    row = connection.execute(sql, values).fetchone()
    return int(row[0]) if row else None


def set_position(connection: Connection, key_id: int, status: int, position: Position) -> None:
    """Record where a request left the table."""
    sql = "UPDATE idempotency_keys SET status = ?, seq = ?, game = ? WHERE id = ?"
    values = [status, position.seq, position.game, key_id]
    connection.execute(sql, values)


def set_refusal(connection: Connection, key_id: int, status: int, refusal: str) -> None:
    """Record what a request was told that was refused; the table's oldest refusals make room."""
    sql = "UPDATE idempotency_keys SET status = ?, refusal = ? WHERE id = ? RETURNING table_id"
    row = connection.execute(sql, [status, refusal, key_id]).fetchone()
    sql = """DELETE FROM idempotency_keys WHERE id IN (
        SELECT id FROM idempotency_keys WHERE table_id = ? AND refusal IS NOT NULL
        ORDER BY id DESC LIMIT -1 OFFSET ?)"""
    connection.execute(sql, [row[0], MAX_REFUSALS])


def drop_refusals(connection: Connection, table_id: int) -> None:
    """Drop what was refused at a table: refusals name people, and changed nothing."""
    sql = "DELETE FROM idempotency_keys WHERE table_id = ? AND refusal IS NOT NULL"
    connection.execute(sql, [table_id])


def prune(connection: Connection) -> None:
    """Delete some of the rows that have expired, the oldest first.

    Mostly there are none, and then to look for them takes a fraction of a DELETE with a subquery.
    """
    sql = "SELECT id FROM idempotency_keys WHERE created_at < ? ORDER BY created_at LIMIT ?"
    values = [int(time.time()) - LIFETIME_SECONDS, PRUNE_ROWS]
    if expired := connection.execute(sql, values).fetchall():
        connection.conn.executemany("DELETE FROM idempotency_keys WHERE id = ?", expired)
