"""Who may write at a table: the pen is handed on by a link, held by several, and taken back."""

from __future__ import annotations

from app.services.tables import NoPen, Write, hash_secret, new_pen, require_pen, table_id
from app.store.database import Pool


def hand_over(pool: Pool, write: Write) -> str:
    """Make a link's secret that gives a pen to whoever opens it. Raises NoPen, NotFound."""
    secret = new_pen()
    with pool.writing():
        pool.add_pen_link(require_pen(pool, write).id, hash_secret(secret))
    return secret


def take(pool: Pool, link: str, secret: str, pen: str) -> None:
    """Give a pen to whoever opened a link with `secret`. Raises NoPen when the link is dead."""
    with pool.writing():
        table = table_id(pool, link)
        if not pool.opens_pen_link(table, hash_secret(secret)):
            raise NoPen("no_pen")
        pool.give_pen(table, hash_secret(pen))


def take_back(pool: Pool, write: Write) -> None:
    """Take every other pen back; all links that gave one are dead from now on."""
    with pool.writing():
        pool.revoke_pens(require_pen(pool, write).id, hash_secret(write.pen or ""))
