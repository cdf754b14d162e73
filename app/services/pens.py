"""Who may write at a table: the pen is handed on by a link, held by several, and revoked."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Literal

from msgspec.structs import replace

from app import store
from app.services import quotas
from app.services.tables import (
    Access,
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

# How long a link gives a pen, by the clock on the wall. Where that is set back or forward by more
# meanwhile, the link is over; set back by less, it lives for at most as much longer.
LINK_LIFETIME = timedelta(minutes=15)

# Links that a table has at a time; an older one is as good as expired.
MAX_LINKS = 100

# What a link is worth: it gives one phone a pen, it has given it, it is too old, or it was revoked.
# One that never was is told from a revoked one by nobody.
LinkState = Literal["open", "used", "expired", "revoked"]


def hand_over(db: Database, write: Write) -> str:
    """Make a link's secret that gives one phone a pen.

    Raises NoPen, NotFound, and NotAllowed when as many write at the table as may.
    """
    secret = new_pen()
    with db.transaction() as connection:
        table = require_pen(connection, write)
        quotas.check_pens(connection, table.id)
        sql = "INSERT INTO pen_links (table_id, secret_hash, created_at) VALUES (?, ?, ?)"
        connection.execute(sql, [table.id, hash_secret(secret), now()])
        # Of too many, the oldest goes.
        sql = """DELETE FROM pen_links WHERE table_id = ?1 AND id <=
            (SELECT id FROM pen_links WHERE table_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)"""
        connection.execute(sql, [table.id, MAX_LINKS])
    return secret


def read_link_state(db: Database, table: Access, secret: str) -> LinkState:
    """What a link with `secret` is worth."""
    return _read_state(db.connection, table.id, secret)


def take(db: Database, link: str, secret: str, pen: str) -> LinkState:
    """Let a pen write, by a link with `secret`, which is used up; what it was worth.

    A pen that writes already leaves the link as it is: to ask twice is to ask once. Raises
    NotFound.
    """
    with db.transaction() as connection:
        table = find_access(connection, link, pen)
        if table.writes:
            return "open"
        state = _read_state(connection, table.id, secret)
        if state == "open":
            sql = "UPDATE pen_links SET used_at = ? WHERE table_id = ? AND secret_hash = ?"
            connection.execute(sql, [now(), table.id, hash_secret(secret)])
            store.pens.add(connection, table.id, hash_secret(pen))
    return state


def take_back(db: Database, write: Write) -> None:
    """Revoke every other pen; all links that gave one are dead from now on."""
    with db.transaction() as connection:
        # A change of the table like any other, so that every page learns of it.
        table = begin_change(connection, replace(write, seq=None))
        for kind in ("pens", "pen_links"):
            sql = f"""UPDATE {kind} SET revoked_at = ?
                WHERE table_id = ? AND secret_hash <> ? AND revoked_at IS NULL"""  # noqa: S608  # our own names
            connection.execute(sql, [now(), table.id, hash_secret(write.pen or "")])
        # Nor does a transfer that this phone has made bring its pen.
        sql = (
            "UPDATE transfers SET withheld = json_insert(withheld, '$[#]', ?) WHERE owner_hash = ?"
        )
        connection.execute(sql, [write.link, hash_secret(write.pen or "")])


def _read_state(connection: Connection, table_id: int, secret: str) -> LinkState:
    sql = """SELECT created_at, used_at FROM pen_links
        WHERE table_id = ? AND secret_hash = ? AND revoked_at IS NULL"""
    row = connection.execute(sql, [table_id, hash_secret(secret)]).fetchone()
    if row is None:
        return "revoked"
    created_at, used_at = row
    if used_at:
        return "used"
    age = datetime.now(UTC) - datetime.fromisoformat(created_at)
    return "open" if abs(age) <= LINK_LIFETIME else "expired"
