"""Rows of pens: which secrets write at a table, and which links give one."""

from __future__ import annotations

from app.store.database import Connection, now


def add(connection: Connection, table_id: int, secret_hash: str) -> None:
    """Let whoever knows the secret write at a table."""
    sql = """INSERT INTO pens (table_id, secret_hash, granted_at) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET granted_at = excluded.granted_at, revoked_at = NULL"""
    connection.execute(sql, [table_id, secret_hash, now()])


def count(connection: Connection, table_id: int) -> int:
    """How many pens write at a table."""
    sql = "SELECT COUNT(*) FROM pens WHERE table_id = ? AND revoked_at IS NULL"
    return int(connection.execute(sql, [table_id]).fetchone()[0])


def revoke_others(connection: Connection, table_id: int, secret_hash: str) -> None:
    """Revoke every pen and every link that gives one, but for this secret's."""
    sql = """UPDATE {} SET revoked_at = ?
        WHERE table_id = ? AND secret_hash <> ? AND revoked_at IS NULL"""
    for kind in ("pens", "pen_links"):
        connection.execute(sql.format(kind), [now(), table_id, secret_hash])


def add_link(connection: Connection, table_id: int, secret_hash: str) -> None:
    """Add a link that gives a pen to whoever opens it."""
    sql = "INSERT INTO pen_links (table_id, secret_hash, created_at) VALUES (?, ?, ?)"
    connection.execute(sql, [table_id, secret_hash, now()])


def has_link(connection: Connection, table_id: int, secret_hash: str) -> bool:
    """Whether a link's secret gives a pen."""
    sql = """SELECT 1 FROM pen_links
        WHERE table_id = ? AND secret_hash = ? AND revoked_at IS NULL"""
    return connection.execute(sql, [table_id, secret_hash]).fetchone() is not None
