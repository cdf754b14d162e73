"""Rows of tables: a link opens one, and its version grows by one with every change."""

from __future__ import annotations

import msgspec

from app.rules.currency import USUAL, Currency
from app.store.clock import now
from app.store.connection import Connection

_HOLDS_PEN = """EXISTS (SELECT 1 FROM pens
    WHERE table_id = tables.id AND secret_hash = ? AND revoked_at IS NULL)"""
_LOST_PEN = _HOLDS_PEN.replace("IS NULL", "IS NOT NULL")
# To be seen by those who wrote before: whoever got the pen by the link knows.
_RECOVERED = """EXISTS (SELECT 1 FROM recovery_links JOIN pens USING (table_id)
    WHERE table_id = tables.id AND unseen AND granted_at < used_at
    AND pens.secret_hash = ? AND revoked_at IS NULL)"""


class TableRow(msgspec.Struct, frozen=True):
    """A table: `seq` is its version, which grows by one with every change.

    `entries` is how much the table holds: one for every change, and what a change added beyond.
    """

    id: int
    name: str
    seq: int
    entries: int
    currency: Currency


class AccessRow(msgspec.Struct, frozen=True):
    """A table as somebody opens it; `writes` is whether their pen writes there.

    `lost` is whether that pen did, until it was taken back; `erased_seq` is the version at which
    something was erased last, 0 if nothing was; `recovered` whether a recovery link gave a pen
    later than this one, and nobody has looked since.
    """

    id: int
    name: str
    seq: int
    erased_seq: int
    currency: Currency
    writes: bool
    lost: bool
    recovered: bool


def add(connection: Connection, link_hash: str, name: str, currency: Currency = USUAL) -> TableRow:
    """Add a table, at version 1, with a key that no other ever had."""
    key = connection.execute("UPDATE newest_table SET id = id + 1 RETURNING id").fetchone()
    table = TableRow(int(key[0]), name, 1, 0, currency)
    sql = """INSERT INTO tables (id, link_hash, name, seq, created_at, currency)
        VALUES (?, ?, ?, ?, ?, ?)"""
    connection.execute(sql, [table.id, link_hash, table.name, table.seq, now(), currency])
    return table


def find(connection: Connection, link_hash: str) -> TableRow | None:
    """The table behind a link."""
    sql = "SELECT id, name, seq, entries, currency FROM tables WHERE link_hash = ?"
    row = connection.execute(sql, [link_hash]).fetchone()
    return TableRow(*row) if row else None


def is_gone(connection: Connection, link_hash: str) -> bool:
    """Whether a link led to a table that was deleted."""
    sql = "SELECT 1 FROM gone_links WHERE link_hash = ?"
    return connection.execute(sql, [link_hash]).fetchone() is not None


def find_access(connection: Connection, link_hash: str, pen_hash: str) -> AccessRow | None:
    """The table behind a link, and whether a pen writes there."""
    sql = f"""SELECT id, name, seq, erased_seq, currency, {_HOLDS_PEN}, {_LOST_PEN}, {_RECOVERED}
        FROM tables WHERE link_hash = ?"""  # noqa: S608  # our own SQL
    row = connection.execute(sql, [*[pen_hash] * 3, link_hash]).fetchone()
    if row is None:
        return None
    key, name, seq, erased_seq, currency, *flags = row
    writes, lost, recovered = map(bool, flags)
    return AccessRow(key, name, seq, erased_seq, currency, writes, lost, recovered)


def find_version(connection: Connection, table_id: int) -> int:
    """A table's version, 0 when it is gone."""
    row = connection.execute("SELECT seq FROM tables WHERE id = ?", [table_id]).fetchone()
    return int(row[0]) if row else 0


def find_by_key(connection: Connection, table_id: int) -> TableRow | None:
    """A table by its key."""
    sql = "SELECT id, name, seq, entries, currency FROM tables WHERE id = ?"
    row = connection.execute(sql, [table_id]).fetchone()
    return TableRow(*row) if row else None


def is_written_by(connection: Connection, table_id: int, pen_hash: str) -> bool:
    """Whether a table's newest version was made with this pen."""
    sql = "SELECT 1 FROM tables WHERE id = ? AND written_by = ?"
    return connection.execute(sql, [table_id, pen_hash]).fetchone() is not None


_LOG = """SELECT EXISTS (
    SELECT 1 FROM tables JOIN games ON games.table_id = tables.id
    LEFT JOIN events ON events.game_id = games.id
    WHERE tables.id = ?1
        AND tables.seq IN (started_seq, undone_seq, events.seq, events.until_seq)
    UNION ALL SELECT 1 FROM tables JOIN amendments ON amendments.table_id = tables.id
    WHERE tables.id = ?1 AND tables.seq IN (amendments.seq, until_seq)
    UNION ALL SELECT 1 FROM tables JOIN games ON games.table_id = tables.id
    JOIN undone_spans ON undone_spans.game_id = games.id
    WHERE tables.id = ?1 AND tables.seq = until_seq
    UNION ALL SELECT 1 FROM tables JOIN payments ON payments.table_id = tables.id
    WHERE tables.id = ?1 AND tables.seq IN (payments.seq, undone_seq))"""


def is_log_newest(connection: Connection, table_id: int) -> bool:
    """Whether a table's newest version is of its games or payments, not of its name or people."""
    return bool(connection.execute(_LOG, [table_id]).fetchone()[0])


def finish_erasure(connection: Connection, table_id: int) -> None:
    """Move a table on to its next version, at which nothing is left of what was erased."""
    sql = """UPDATE tables SET seq = seq + 1, erased_seq = seq + 1, written_by = NULL
        WHERE id = ? RETURNING seq"""
    connection.versions[table_id] = connection.execute(sql, [table_id]).fetchone()[0]


def advance(connection: Connection, link_hash: str, pen_hash: str) -> TableRow | None:
    """Move a table on to its next version; None when no such table is written with this pen."""
    sql = f"""UPDATE tables SET seq = seq + 1, entries = entries + 1, written_by = ?
        WHERE link_hash = ? AND {_HOLDS_PEN} RETURNING id, name, seq, entries, currency"""  # noqa: S608  # our own SQL
    row = connection.execute(sql, [pen_hash, link_hash, pen_hash]).fetchone()
    if row is None:
        return None
    table = TableRow(*row)
    connection.versions[table.id] = table.seq
    return table


_HAS_MONEY = """SELECT EXISTS (SELECT 1 FROM payments WHERE table_id = ?1)
    OR EXISTS (SELECT 1 FROM games WHERE table_id = ?1 AND setup ->> 'stake_ore' > 0)"""


def has_money(connection: Connection, table_id: int) -> bool:
    """Whether a game of a table is, or was, for money, or anything was ever paid."""
    return bool(connection.execute(_HAS_MONEY, [table_id]).fetchone()[0])


def change_currency(connection: Connection, table_id: int, currency: Currency) -> None:
    """Let a table's amounts be of another currency."""
    connection.execute("UPDATE tables SET currency = ? WHERE id = ?", [currency, table_id])


def rename(connection: Connection, table_id: int, name: str) -> None:
    """Give a table another name, or none."""
    connection.execute("UPDATE tables SET name = ? WHERE id = ?", [name, table_id])


def change_link(connection: Connection, table_id: int, link_hash: str) -> None:
    """Let another link open a table, and not the one that did."""
    connection.execute("UPDATE tables SET link_hash = ? WHERE id = ?", [link_hash, table_id])


def add_entries(connection: Connection, table_id: int, count: int) -> int:
    """Count what a change adds beyond the one entry that it is; returns what the table holds."""
    sql = "UPDATE tables SET entries = entries + ? WHERE id = ? RETURNING entries"
    return int(connection.execute(sql, [count, table_id]).fetchone()[0])


def delete(connection: Connection, table_id: int) -> None:
    """Delete a table and all that hangs on it."""
    connection.cache.drop(table_id)
    connection.execute("DELETE FROM payments WHERE table_id = ?", [table_id])
    connection.execute("DELETE FROM tables WHERE id = ?", [table_id])
