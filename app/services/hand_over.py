"""On the server: what a phone did without a network is taken over, all of it exactly once."""

from __future__ import annotations

from app import store
from app.rules.errors import Stale
from app.services import effects, quotas
from app.services.effects import SentForm
from app.services.outbox import Receipt, bound
from app.services.tables import Access, NoPen, find_access, hash_secret
from app.store.copies import TableCopy
from app.store.database import Connection
from app.store.receipts import ReceiptRow

__all__ = ["admit", "bound", "find_receipt", "is_done", "open_from", "save_receipt"]


def open_from(connection: Connection, link: str, copy: TableCopy, pen: str) -> bool:
    """Open a table as a phone did, under the link it chose, unless that is open; whether it was.

    `copy` has been checked. The phone's pen writes there.
    """
    if store.tables.find(connection, hash_secret(link)) is not None:
        return False
    table = store.tables.add(connection, hash_secret(link), "")
    store.copies.write(connection, table, copy)
    store.pens.add(connection, table.id, hash_secret(pen))
    return True


def admit(connection: Connection, link: str, browsers_pen: str, phones_pen: str) -> Access:
    """The table behind a link, for a browser that writes there, or whose phone does.

    Then its own pen writes there too: the answer that would have told it so may have been lost.
    Raises NotFound, NoPen.
    """
    access = find_access(connection, link, browsers_pen)
    if access.writes:
        return access
    if not find_access(connection, link, phones_pen).writes:
        raise NoPen("no_pen")
    quotas.check_pens(connection, access.id)
    store.pens.add(connection, access.id, hash_secret(browsers_pen))
    return find_access(connection, link, browsers_pen)


def find_receipt(connection: Connection, link: str, phone: str) -> Receipt:
    """How far a phone's changes of a table are in; empty where none are."""
    table = store.tables.find(connection, hash_secret(link))
    row = store.receipts.find(connection, table.id, hash_secret(phone)) if table else None
    return Receipt(row.number, row.seq) if row else Receipt()


def save_receipt(connection: Connection, table_id: int, phone: str, number: int) -> Receipt:
    """Record that a phone's changes up to a number are in."""
    seq = store.tables.find_version(connection, table_id)
    row = ReceiptRow(number, seq)
    store.receipts.save(connection, table_id, hash_secret(phone), row)
    return Receipt(number, seq)


def is_done(connection: Connection, table_id: int, seq: int, form: SentForm, effect: str) -> bool:
    """Whether a form is carried out already that a phone carried out at version `seq`.

    It was sent here at first, and the answer never came. Then the table is just one version
    further, which did the same. Raises Stale where it is neither there nor at version `seq`.
    """
    version = store.tables.find_version(connection, table_id)
    if version == seq:
        return False
    if version != seq + 1 or effects.describe_newest(connection, table_id, form) != effect:
        raise Stale("stale")
    return True
