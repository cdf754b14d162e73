"""Who may write at a table: the pen is handed on by a link, held by several, and taken back."""

from __future__ import annotations

from app.store import Store
from app.tables import NoPen, NotFound, Write, hashed, new_pen


def hand_over(store: Store, write: Write) -> str:
    """Make a link's secret that gives a pen to whoever opens it. Raises NoPen, NotFound."""
    secret = new_pen()
    with store.writing():
        store.add_pen_link(_writable(store, write), hashed(secret))
    return secret


def take(store: Store, link: str, secret: str, pen: str) -> None:
    """Give a pen to whoever opened a link with `secret`. Raises NoPen when the link is dead."""
    with store.writing():
        table = store.table(hashed(link))
        if table is None:
            raise NotFound("no_such_table")
        if not store.opens_pen_link(table.id, hashed(secret)):
            raise NoPen("no_pen")
        store.give_pen(table.id, hashed(pen))


def take_back(store: Store, write: Write) -> None:
    """Take every other pen back; all links that gave one are dead from now on."""
    with store.writing():
        store.revoke_pens(_writable(store, write), hashed(write.pen or ""))


def _writable(store: Store, write: Write) -> int:
    """The key of the table that this pen writes at."""
    table = store.table(hashed(write.link))
    if table is None:
        raise NotFound("no_such_table")
    if write.pen is None or not store.holds_pen(table.id, hashed(write.pen)):
        raise NoPen("no_pen")
    return table.id
