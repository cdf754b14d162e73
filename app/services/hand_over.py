"""On the server: what a phone did without a network is taken over, all of it exactly once."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from app import store
from app.rules.errors import Stale
from app.services import effects, import_export, quotas
from app.services.effects import SentForm
from app.services.import_export import Rest
from app.services.outbox import Receipt
from app.services.tables import Access, NoPen, NotFound, find_access, hash_secret, new_link
from app.services.throttle import Throttle
from app.store.connection import Connection
from app.store.database import Pool
from app.store.receipts import ReceiptRow
from app.store.table_copy import TableCopy

# More entries than this are written in portions, each of so many games: whoever else writes waits
# no longer.
LARGE, GAMES_AT_ONCE = 2000, 10


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


def open_large(pool: Pool, link: str, copy: TableCopy, pen: str, rest: Rest) -> None:
    """Open a table that holds much as `open_from` does, others writing in between.

    Its link opens it when all of it is there. `rest` is called after each portion, and may end it
    by raising. What holds little, or is open already, is left to `open_from`. Raises Busy.
    """
    if copy.entries <= LARGE:
        return
    with import_export.one_at_a_time():
        import_export.discard_unfinished(pool, rest)
        try:
            _open_in_portions(pool, link, copy, pen, rest)
        finally:
            import_export.discard_unfinished(pool, Throttle().rest)


def _open_in_portions(pool: Pool, link: str, copy: TableCopy, pen: str, rest: Rest) -> None:
    with pool.transaction() as connection:
        if not _is_free(connection, link):
            return
        table = store.imports.add_unfinished_table(connection, new_link(), "")
        store.copies.write(connection, table, replace(copy, games=()))
        store.pens.add(connection, table.id, hash_secret(pen))
    for start in range(0, len(copy.games), GAMES_AT_ONCE):
        with pool.transaction() as connection:
            store.copies.add_games(connection, table.id, copy.games[start : start + GAMES_AT_ONCE])
        rest()
    with pool.transaction() as connection:
        if _is_free(connection, link):
            store.imports.finish_table(connection, table.id, hash_secret(link))


def _is_free(connection: Connection, link: str) -> bool:
    known = store.tables.find(connection, hash_secret(link)) is not None
    return not known and not store.tables.is_gone(connection, hash_secret(link))


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
