"""Rows of pens: which secrets write at a table."""

from __future__ import annotations

from app.store.clock import now
from app.store.connection import Connection


def add(connection: Connection, table_id: int, secret_hash: str) -> None:
    """Let whoever knows the secret write at a table."""
    sql = """INSERT INTO pens (table_id, secret_hash, granted_at) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET granted_at = excluded.granted_at, revoked_at = NULL"""
    connection.execute(sql, [table_id, secret_hash, now()])


def is_held(connection: Connection, table_id: int, secret_hash: str) -> bool:
    """Whether whoever knows the secret writes at a table."""
    sql = "SELECT 1 FROM pens WHERE table_id = ? AND secret_hash = ? AND revoked_at IS NULL"
    return connection.execute(sql, [table_id, secret_hash]).fetchone() is not None


def count(connection: Connection, table_id: int) -> int:
    """How many pens write at a table."""
    sql = "SELECT COUNT(*) FROM pens WHERE table_id = ? AND revoked_at IS NULL"
    return int(connection.execute(sql, [table_id]).fetchone()[0])


def drop_oldest(connection: Connection, table_id: int, most: int) -> None:
    """Leave a table so many pens: revoked ones go first, then those granted longest ago."""
    sql = """DELETE FROM pens WHERE id IN (SELECT id FROM pens WHERE table_id = ?
        ORDER BY revoked_at IS NULL DESC, granted_at DESC, id DESC LIMIT -1 OFFSET ?)"""
    connection.execute(sql, [table_id, most])
