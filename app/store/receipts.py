"""Rows of receipts: how far the changes are in that a phone made without a network."""

from __future__ import annotations

import msgspec

from app.store.connection import Connection

# Of one table; the oldest go.
MAX_RECEIPTS = 200


class ReceiptRow(msgspec.Struct, frozen=True):
    """A phone's changes up to this `number` are in; the last of them led to version `seq`."""

    number: int
    seq: int


def find(connection: Connection, table_id: int, phone_hash: str) -> ReceiptRow | None:
    """How far a phone's changes of a table are in, None where it never handed any over."""
    sql = "SELECT number, seq FROM receipts WHERE table_id = ? AND phone_hash = ?"
    row = connection.execute(sql, [table_id, phone_hash]).fetchone()
    return ReceiptRow(*row) if row else None


def save(connection: Connection, table_id: int, phone_hash: str, receipt: ReceiptRow) -> None:
    """Record how far a phone's changes of a table are in."""
    sql = """INSERT INTO receipts (table_id, phone_hash, number, seq) VALUES (?, ?, ?, ?)
        ON CONFLICT (table_id, phone_hash)
        DO UPDATE SET number = excluded.number, seq = excluded.seq"""
    connection.execute(sql, [table_id, phone_hash, receipt.number, receipt.seq])
    sql = """DELETE FROM receipts WHERE id IN (
        SELECT id FROM receipts WHERE table_id = ? ORDER BY id DESC LIMIT -1 OFFSET ?)"""
    connection.execute(sql, [table_id, MAX_RECEIPTS])
