"""Recovery: a link, kept apart from the phones, that gives the pen to whoever has lost it.

It is scoped to its table, works any number of times, and ends when another is made or it is turned
off. Taking the other pens back leaves it as it is.
"""

from __future__ import annotations

from datetime import date

import msgspec
from msgspec.structs import replace

from app import store
from app.services import quotas
from app.services.evening import evening_of
from app.services.tables import (
    Access,
    NoPen,
    Write,
    begin_change,
    find_access,
    hash_secret,
    new_pen,
    require_pen,
)
from app.store.clock import now
from app.store.connection import Connection
from app.store.database import Database


class Recovery(msgspec.Struct, frozen=True):
    """That a table has a recovery link: the day it was made, and the day it last gave a pen."""

    made_on: date
    used_on: date | None


def make_link(db: Database, write: Write) -> str:
    """Make a secret that recovers the table's pen; the one from before no longer does.

    It is stored hashed, so that it can be told only now. Raises NoPen, NotFound.
    """
    secret = new_pen()
    with db.transaction() as connection:
        table = require_pen(connection, write)
        sql = """INSERT OR REPLACE INTO recovery_links (table_id, secret_hash, created_at)
            VALUES (?, ?, ?)"""
        connection.execute(sql, [table.id, hash_secret(secret), now()])
    return secret


def turn_off(db: Database, write: Write) -> None:
    """Let no link recover the table's pen. Raises NoPen, NotFound."""
    with db.transaction() as connection:
        sql = "DELETE FROM recovery_links WHERE table_id = ?"
        connection.execute(sql, [require_pen(connection, write).id])


def find_recovery(db: Database, table: Access) -> Recovery | None:
    """The table's recovery link, None when it has none."""
    sql = "SELECT created_at, used_at FROM recovery_links WHERE table_id = ?"
    row = db.connection.execute(sql, [table.id]).fetchone()
    if row is None:
        return None
    created_at, used_at = row
    return Recovery(evening_of(created_at), evening_of(used_at) if used_at else None)


def is_valid(db: Database, table: Access, secret: str) -> bool:
    """Whether a secret recovers the table's pen."""
    return _fits(db.connection, table, secret)


def recover(db: Database, link: str, secret: str, pen: str) -> None:
    """Let a pen write, by the table's recovery link, and let those who write there know.

    A pen that writes already changes nothing. Where as many write as may, the pen that was granted
    first goes. Raises NoPen for a secret that does not recover the pen, and NotFound.
    """
    with db.transaction() as connection:
        table = find_access(connection, link, pen)
        if table.writes:
            return
        if not _fits(connection, table, secret):
            raise NoPen("no_pen")
        # First this: whoever has a pen of before is told.
        sql = "UPDATE recovery_links SET used_at = ?, unseen = 1 WHERE table_id = ?"
        connection.execute(sql, [now(), table.id])
        store.pens.add(connection, table.id, hash_secret(pen))
        store.pens.drop_oldest(connection, table.id, quotas.MAX_PENS)
        # A change of the table like any other, so that every page learns of it.
        begin_change(connection, Write(link, pen))


def see(db: Database, write: Write) -> None:
    """Record that who writes has seen that the recovery link was used. Raises NoPen, NotFound."""
    with db.transaction() as connection:
        table = begin_change(connection, replace(write, seq=None))
        # Only who held a pen before it was used has seen anything.
        sql = """UPDATE recovery_links SET unseen = 0 WHERE table_id = ? AND EXISTS
            (SELECT 1 FROM pens WHERE table_id = recovery_links.table_id
                AND secret_hash = ? AND granted_at < used_at)"""
        connection.execute(sql, [table.id, hash_secret(write.pen or "")])


def _fits(connection: Connection, table: Access, secret: str) -> bool:
    sql = "SELECT 1 FROM recovery_links WHERE table_id = ? AND secret_hash = ?"
    return connection.execute(sql, [table.id, hash_secret(secret)]).fetchone() is not None
