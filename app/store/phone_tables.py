"""Rows of the tables that a phone knows; their links are encrypted with what only the phone has."""

from __future__ import annotations

import msgspec

from app.store.clock import now
from app.store.connection import Connection

# A phone knows so many tables, and of each table so many phones are remembered; the oldest go.
MAX_TABLES, MAX_PHONES = 500, 200


class PhoneTableRow(msgspec.Struct, frozen=True):
    """A table that a phone knows: the hash of its link, and the link encrypted."""

    table_id: int
    link_hash: str
    sealed_link: bytes
    put_away: bool


def keep(
    connection: Connection,
    owner_hash: str,
    table_id: int,
    sealed_link: bytes,
    put_away: bool | None,
) -> None:
    """Keep a table for a phone, as the newest; `put_away` is None to leave that as it is."""
    sql = """INSERT INTO phone_tables (owner_hash, table_id, sealed_link, kept_at, put_away)
        VALUES (?1, ?2, ?3, ?4, COALESCE(?5, 0))
        ON CONFLICT (owner_hash, table_id) DO UPDATE
        SET kept_at = excluded.kept_at, put_away = COALESCE(?5, put_away)"""
    connection.execute(sql, [owner_hash, table_id, sealed_link, now(), put_away])
    _drop_oldest(connection, "owner_hash", owner_hash, MAX_TABLES)
    _drop_oldest(connection, "table_id", table_id, MAX_PHONES)


def _drop_oldest(connection: Connection, column: str, value: str | int, most: int) -> None:
    sql = f"""DELETE FROM phone_tables WHERE id IN (SELECT id FROM phone_tables
        WHERE {column} = ? ORDER BY kept_at DESC, id DESC LIMIT -1 OFFSET ?)"""  # noqa: S608  # our own names
    connection.execute(sql, [value, most])


def find_all(connection: Connection, owner_hash: str) -> list[PhoneTableRow]:
    """The tables kept for a phone, the newest first."""
    sql = """SELECT table_id, link_hash, sealed_link, put_away
        FROM phone_tables JOIN tables ON tables.id = table_id
        WHERE owner_hash = ? ORDER BY kept_at DESC, phone_tables.id DESC"""
    rows = connection.execute(sql, [owner_hash]).fetchall()
    return [PhoneTableRow(row[0], row[1], row[2], bool(row[3])) for row in rows]
