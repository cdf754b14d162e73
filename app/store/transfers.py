"""Rows of transfers: links that bring what a phone knows to another phone, once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from app.store.clock import now
from app.store.connection import Connection

# To a phone of its own, or to the same phone's home screen.
Kind = Literal["phone", "install"]


class TransferRow(msgspec.Struct, frozen=True):
    """A transfer; `used_at` is when it went to a phone, `taken_by` the hash of that phone's secret.

    `owner_hash` is the hash of the secret of the phone that made it, `language` the code of what
    was chosen there.
    """

    id: int
    owner_hash: str
    language: str
    created_at: str
    used_at: str | None
    taken_by: str | None


class TransferTableRow(msgspec.Struct, frozen=True):
    """A table that a transfer brings: its link encrypted, and whether its pen comes along."""

    table_id: int
    link_hash: str
    sealed_link: bytes
    writes: bool
    put_away: bool


def add(
    connection: Connection, secret_hash: str, owner_hash: str, kind: Kind, language: str
) -> int:
    """Add a transfer, in place of what its phone had of this kind; returns its key."""
    delete(connection, owner_hash, kind)
    sql = """INSERT INTO transfers (secret_hash, owner_hash, kind, language, created_at)
        VALUES (?, ?, ?, ?, ?) RETURNING id"""
    values = [secret_hash, owner_hash, kind, language, now()]
    return int(connection.execute(sql, values).fetchone()[0])


def add_tables(
    connection: Connection,
    transfer_id: int,
    tables: Iterable[tuple[str, bytes, bool, bool]],
) -> None:
    """Let a transfer bring tables: the hash of each link, the link encrypted, `writes`, `put_away`.

    A table that is gone is passed over.
    """
    sql = """INSERT OR IGNORE INTO transfer_tables
            (transfer_id, table_id, sealed_link, writes, put_away)
        SELECT ?, id, ?, ?, ? FROM tables WHERE link_hash = ?"""
    for link_hash, sealed_link, writes, put_away in tables:
        connection.execute(sql, [transfer_id, sealed_link, writes, put_away, link_hash])


def find(connection: Connection, secret_hash: str, kind: Kind) -> TransferRow | None:
    """The transfer with this secret."""
    sql = """SELECT id, owner_hash, language, created_at, used_at, taken_by FROM transfers
        WHERE secret_hash = ? AND kind = ?"""
    row = connection.execute(sql, [secret_hash, kind]).fetchone()
    return TransferRow(*row) if row else None


def find_of_phone(connection: Connection, owner_hash: str, kind: Kind) -> TransferRow | None:
    """The transfer of this kind that a phone made."""
    sql = """SELECT id, owner_hash, language, created_at, used_at, taken_by FROM transfers
        WHERE owner_hash = ? AND kind = ?"""
    row = connection.execute(sql, [owner_hash, kind]).fetchone()
    return TransferRow(*row) if row else None


def find_tables(connection: Connection, transfer_id: int) -> list[TransferTableRow]:
    """The tables that a transfer brings, in their order."""
    sql = """SELECT table_id, link_hash, sealed_link, writes, put_away
        FROM transfer_tables JOIN tables ON tables.id = table_id
        WHERE transfer_id = ? ORDER BY transfer_tables.id"""
    rows = connection.execute(sql, [transfer_id]).fetchall()
    return [TransferTableRow(row[0], row[1], row[2], bool(row[3]), bool(row[4])) for row in rows]


def use(connection: Connection, transfer_id: int, taken_by: str) -> None:
    """Use a transfer up; what it brought is in it no longer."""
    sql = "UPDATE transfers SET used_at = ?, taken_by = ? WHERE id = ?"
    connection.execute(sql, [now(), taken_by, transfer_id])
    connection.execute("DELETE FROM transfer_tables WHERE transfer_id = ?", [transfer_id])


def delete(connection: Connection, owner_hash: str, kind: Kind) -> None:
    """Delete what a phone made of this kind."""
    sql = "DELETE FROM transfers WHERE owner_hash = ? AND kind = ?"
    connection.execute(sql, [owner_hash, kind])


def withhold_pens(connection: Connection, table_id: int) -> None:
    """Let no transfer that has been made bring the pen of a table."""
    connection.execute("UPDATE transfer_tables SET writes = 0 WHERE table_id = ?", [table_id])


def prune(connection: Connection, kind: Kind, empty_before: str, delete_before: str) -> None:
    """Empty the transfers of a kind that were made before a moment, delete those of still before.

    In between they are only known to have been.
    """
    sql = """DELETE FROM transfer_tables WHERE transfer_id IN
        (SELECT id FROM transfers WHERE kind = ? AND created_at < ?)"""
    connection.execute(sql, [kind, empty_before])
    sql = "DELETE FROM transfers WHERE kind = ? AND created_at < ?"
    connection.execute(sql, [kind, delete_before])
