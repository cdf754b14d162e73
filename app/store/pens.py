"""Rows of pens: which secrets write at a table, and which links give or recover one."""

from __future__ import annotations

import msgspec

from app.store.clock import now
from app.store.connection import Connection

# Links that a table has at a time; an older one is as good as expired.
MAX_LINKS = 100


class LinkRow(msgspec.Struct, frozen=True):
    """A link that gives a pen to one phone; `used_at` is when it did."""

    id: int
    created_at: str
    used_at: str | None


class RecoveryRow(msgspec.Struct, frozen=True):
    """A table's recovery link; `used_at` is when it last gave a pen."""

    secret_hash: str
    created_at: str
    used_at: str | None


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


def revoke_others(connection: Connection, table_id: int, secret_hash: str) -> None:
    """Revoke every pen and every link that gives one, but for this secret's."""
    sql = """UPDATE {} SET revoked_at = ?
        WHERE table_id = ? AND secret_hash <> ? AND revoked_at IS NULL"""
    for kind in ("pens", "pen_links"):
        connection.execute(sql.format(kind), [now(), table_id, secret_hash])


def add_link(connection: Connection, table_id: int, secret_hash: str) -> None:
    """Add a link that gives a pen; of too many, the oldest goes."""
    sql = "INSERT INTO pen_links (table_id, secret_hash, created_at) VALUES (?, ?, ?)"
    connection.execute(sql, [table_id, secret_hash, now()])
    sql = """DELETE FROM pen_links WHERE table_id = ? AND id <=
        (SELECT id FROM pen_links WHERE table_id = ? ORDER BY id DESC LIMIT 1 OFFSET ?)"""
    connection.execute(sql, [table_id, table_id, MAX_LINKS])


def find_link(connection: Connection, table_id: int, secret_hash: str) -> LinkRow | None:
    """The link with this secret, None when there is none or it was revoked."""
    sql = """SELECT id, created_at, used_at FROM pen_links
        WHERE table_id = ? AND secret_hash = ? AND revoked_at IS NULL"""
    row = connection.execute(sql, [table_id, secret_hash]).fetchone()
    return LinkRow(*row) if row else None


def use_link(connection: Connection, link_id: int) -> None:
    """Use a link up."""
    connection.execute("UPDATE pen_links SET used_at = ? WHERE id = ?", [now(), link_id])


def drop_oldest(connection: Connection, table_id: int, most: int) -> None:
    """Leave a table so many pens: revoked ones go first, then those granted longest ago."""
    sql = """DELETE FROM pens WHERE id IN (SELECT id FROM pens WHERE table_id = ?
        ORDER BY revoked_at IS NULL DESC, granted_at DESC, id DESC LIMIT -1 OFFSET ?)"""
    connection.execute(sql, [table_id, most])


def save_recovery(connection: Connection, table_id: int, secret_hash: str) -> None:
    """Let a secret recover a table's pen, in place of the one that did before."""
    sql = (
        "INSERT OR REPLACE INTO recovery_links (table_id, secret_hash, created_at) VALUES (?, ?, ?)"
    )
    connection.execute(sql, [table_id, secret_hash, now()])


def find_recovery(connection: Connection, table_id: int) -> RecoveryRow | None:
    """A table's recovery link, None when there is none."""
    sql = "SELECT secret_hash, created_at, used_at FROM recovery_links WHERE table_id = ?"
    row = connection.execute(sql, [table_id]).fetchone()
    return RecoveryRow(*row) if row else None


def use_recovery(connection: Connection, table_id: int) -> None:
    """Record that a table's recovery link gave a pen, which nobody has seen yet."""
    sql = "UPDATE recovery_links SET used_at = ?, unseen = 1 WHERE table_id = ?"
    connection.execute(sql, [now(), table_id])


def is_recovery_unseen(connection: Connection, table_id: int) -> bool:
    """Whether a table's recovery link gave a pen, and nobody who wrote before has seen that."""
    sql = "SELECT 1 FROM recovery_links WHERE table_id = ? AND unseen"
    return connection.execute(sql, [table_id]).fetchone() is not None


def see_recovery(connection: Connection, table_id: int, secret_hash: str) -> None:
    """Record that the holder of a pen granted before has seen that the recovery link was used."""
    sql = """UPDATE recovery_links SET unseen = 0 WHERE table_id = ? AND EXISTS (SELECT 1 FROM pens
        WHERE table_id = recovery_links.table_id AND secret_hash = ? AND granted_at < used_at)"""
    connection.execute(sql, [table_id, secret_hash])


def delete_recovery(connection: Connection, table_id: int) -> None:
    """Let nothing recover a table's pen."""
    connection.execute("DELETE FROM recovery_links WHERE table_id = ?", [table_id])
