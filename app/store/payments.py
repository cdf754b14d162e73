"""Rows of payments; they name people by their keys, so that a name stands in one place."""

from __future__ import annotations

import msgspec

from app.rules.balances import PaymentWay
from app.store.clock import now
from app.store.connection import Connection
from app.store.tables import TableRow


class PaymentRow(msgspec.Struct, frozen=True):
    """One payment in öre; those of one settlement share their `seq`.

    `undone_seq` is None while the payment counts.
    """

    seq: int
    payer: str
    payee: str
    ore: int
    way: PaymentWay
    paid_at: str
    undone_seq: int | None


def add(
    connection: Connection, table: TableRow, between: tuple[int, int], ore: int, way: PaymentWay
) -> None:
    """Record a payment of `ore` öre between two people, the keys of payer and payee.

    The table's version is what joins the payments of one settlement.
    """
    sql = """INSERT INTO payments (table_id, seq, payer, payee, ore, way, paid_at)
        VALUES (?, ?, ?, ?, ?, ?, ?)"""
    connection.execute(sql, [table.id, table.seq, *between, ore, way, now()])


def find_all(connection: Connection, table_id: int) -> list[PaymentRow]:
    """Every payment ever recorded at a table, oldest first, those undone included."""
    sql = """SELECT p.seq, payer.name, payee.name, p.ore, p.way, p.paid_at, p.undone_seq
        FROM payments p JOIN people payer ON payer.id = p.payer
        JOIN people payee ON payee.id = p.payee WHERE p.table_id = ? ORDER BY p.id"""
    return [PaymentRow(*row) for row in connection.execute(sql, [table_id]).fetchall()]


def find_last_time(connection: Connection, table_id: int) -> str | None:
    """When the last payment of a table was recorded, None where there was none."""
    sql = "SELECT paid_at FROM payments WHERE table_id = ? ORDER BY id DESC LIMIT 1"
    row = connection.execute(sql, [table_id]).fetchone()
    return str(row[0]) if row else None


def undo(connection: Connection, table: TableRow, settlement: int) -> bool:
    """Mark the payments of a settlement as undone; False when there were none that count."""
    sql = """UPDATE payments SET undone_seq = ?
        WHERE table_id = ? AND seq = ? AND undone_seq IS NULL"""
    return bool(connection.execute(sql, [table.seq, table.id, settlement]).rowcount)


def count(connection: Connection, table_id: int) -> int:
    """How many payments were ever recorded at a table, those undone included."""
    sql = "SELECT COUNT(*) FROM payments WHERE table_id = ?"
    return int(connection.execute(sql, [table_id]).fetchone()[0])


def count_before(connection: Connection, table_id: int, moment: str) -> int:
    """How many payments were recorded before a moment."""
    sql = "SELECT count(*) FROM payments WHERE table_id = ? AND paid_at < ?"
    return int(connection.execute(sql, [table_id, moment]).fetchone()[0])
