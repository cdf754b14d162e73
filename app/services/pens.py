"""Who may write at a table: the pen is handed on by a link, held by several, and revoked."""

from __future__ import annotations

from msgspec.structs import replace

from app import store
from app.services.tables import (
    NoPen,
    Write,
    begin_change,
    find_table,
    hash_secret,
    new_pen,
    require_pen,
)
from app.store.database import Pool


def hand_over(pool: Pool, write: Write) -> str:
    """Make a link's secret that gives a pen to whoever opens it. Raises NoPen, NotFound."""
    secret = new_pen()
    with pool.transaction() as connection:
        store.pens.add_link(connection, require_pen(connection, write).id, hash_secret(secret))
    return secret


def take(pool: Pool, link: str, secret: str, pen: str) -> None:
    """Give a pen to whoever opened a link with `secret`. Raises NoPen when the link is dead."""
    with pool.transaction() as connection:
        table = find_table(connection, link)
        if not store.pens.has_link(connection, table.id, hash_secret(secret)):
            raise NoPen("no_pen")
        store.pens.add(connection, table.id, hash_secret(pen))


def take_back(pool: Pool, write: Write) -> None:
    """Revoke every other pen; all links that gave one are dead from now on."""
    with pool.transaction() as connection:
        # A change of the table like any other, so that every page learns of it.
        table = begin_change(connection, replace(write, seq=None))
        store.pens.revoke_others(connection, table.id, hash_secret(write.pen or ""))
