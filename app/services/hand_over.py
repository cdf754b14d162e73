"""On the server: what a phone did without a network is taken over, all of it exactly once."""

from __future__ import annotations

import msgspec

from app import store
from app.rules.errors import Stale
from app.services import effects, quotas
from app.services.effects import SentForm
from app.services.outbox import Receipt
from app.services.tables import Access, NoPen, NotFound, find_access, hash_secret
from app.store.connection import Connection
from app.store.receipts import ReceiptRow
from app.store.table_copy import TableCopy


class FormEffect(msgspec.Struct, frozen=True):
    """What a form did on a phone, and from which version of the table."""

    seq: int
    effect: str


def open_from(connection: Connection, link: str, copy: TableCopy, pen: str) -> None:
    """Open a table as a phone did, under the link it chose, unless that is open.

    `copy` has been checked. The phone's pen writes there. Raises NotFound where a table that was
    deleted had that link: whoever read there would read here.
    """
    if store.tables.find(connection, hash_secret(link)) is not None:
        return
    if store.tables.is_gone(connection, hash_secret(link)):
        raise NotFound("no_such_table")
    table = store.tables.add(connection, hash_secret(link), "")
    store.copies.write(connection, table, copy)
    store.pens.add(connection, table.id, hash_secret(pen))


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


def is_done(
    connection: Connection, table_id: int, pen: str, form: SentForm, on_phone: FormEffect
) -> bool:
    """Whether a form is carried out already that a phone carried out, with its browser's pen.

    It was sent here at first, and the answer never came. Then the table is just one version
    further, by that pen, and the same was done. Raises Stale where it is neither there nor at the
    version that the form was sent from.
    """
    version = store.tables.find_version(connection, table_id)
    if version == on_phone.seq:
        return False
    own = store.tables.is_written_by(connection, table_id, hash_secret(pen))
    newest = effects.describe_newest(connection, table_id, form) if own else None
    if version != on_phone.seq + 1 or newest != on_phone.effect:
        raise Stale("stale")
    return True
