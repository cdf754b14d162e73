"""Who may write at a table: the pen is handed on by a link, held by several, and taken back."""

from __future__ import annotations

from app.store import Store
from app.tables import NoPen, Write, hashed, new_pen, table_id, writable


def hand_over(store: Store, write: Write) -> str:
    """Make a link's secret that gives a pen to whoever opens it. Raises NoPen, NotFound."""
    secret = new_pen()
    with store.writing():
        store.add_pen_link(writable(store, write).id, hashed(secret))
    return secret


def take(store: Store, link: str, secret: str, pen: str) -> None:
    """Give a pen to whoever opened a link with `secret`. Raises NoPen when the link is dead."""
    with store.writing():
        table = table_id(store, link)
        if not store.opens_pen_link(table, hashed(secret)):
            raise NoPen("no_pen")
        store.give_pen(table, hashed(pen))


def take_back(store: Store, write: Write) -> None:
    """Take every other pen back; all links that gave one are dead from now on."""
    with store.writing():
        store.revoke_pens(writable(store, write).id, hashed(write.pen or ""))
