"""On a phone: every change of a table is kept in the outbox, until the server has it.

A change and its entry are one transaction, so what waits is neither more nor less than what was
done. The entries are the forms themselves: sent to the server from the same version of the same
table they do the same there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from app import store
from app.rules.errors import NotAllowed
from app.services import change_time, effects
from app.services.effects import SentForm
from app.services.serialization import to_json
from app.services.tables import Write, find_table, hash_secret, new_link, new_pen
from app.store import clock
from app.store.connection import Connection
from app.store.database import Database
from app.store.outbox import ChangeRow
from app.store.replicas import Conflict, PhoneRow, ReplicaRow, WaitingRow
from app.store.table_copy import TableCopy, without_statistics
from app.store.tables import TableRow

T = TypeVar("T")

# So many changes are handed over at a time.
MOST_CHANGES = 100


class Batch(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a phone hands over of one table: its opening, where the server has none, and changes."""

    link: str
    phone: str
    pen: str
    changes: list[ChangeRow]
    opening: TableCopy | None = None


class Receipt(msgspec.Struct, frozen=True):
    """The server's answer: the phone's changes up to `number` are in, and led to version `seq`.

    A refusal has a `message` besides.
    """

    number: int = 0
    seq: int = 0
    message: str = ""


class Status(msgspec.Struct, frozen=True):
    """What is only on this phone: so many entries, the first made at `since`, and at which tables.

    `only_here` are the links of tables of which something is nowhere else, `unopened` of those that
    the server has nothing of, `conflicts` of those for which a person has to decide, `held` of all.
    """

    waiting: int
    since: str | None
    only_here: list[str]
    unopened: list[str]
    conflicts: list[str]
    held: list[str]

    @property
    def links(self) -> list[str]:
        """The tables of which something is only here."""
        return list(dict.fromkeys([*self.only_here, *self.conflicts]))


def read_phone(db: Database) -> PhoneRow:
    """Who this phone is; decided when it is first asked."""
    row = store.replicas.find_phone(db.connection)
    if row is None:
        row = PhoneRow(new_link(), new_pen(), "", "", "{}")
        with db.transaction() as connection:
            store.replicas.save_phone(connection, row)
    return row


def save_phone(db: Database, row: PhoneRow) -> None:
    """Record who this phone is."""
    with db.transaction() as connection:
        store.replicas.save_phone(connection, row)


def open_here(db: Database, act: Callable[[], str]) -> str:
    """Open a table by `act`, which returns its link, so that the server gets it; returns that."""
    with db.transaction() as connection:
        link = act()
        table = find_table(connection, link)
        add_opening(connection, table, link)
    return link


def add_opening(connection: Connection, table: TableRow, link: str) -> None:
    """Let a table be one that the server has yet to open, as it is now."""
    opening = to_json(without_statistics(store.copies.read(connection, table.id)))
    replica = ReplicaRow(table.id, link, 0, opening, clock.now(), False, "", "")
    store.replicas.save(connection, replica)
    store.outbox.drop(connection, table.id)


def keep_change(
    db: Database,
    write: Write,
    read_form: Callable[[], SentForm],
    act: Callable[[], T],
    *,
    acknowledged: bool = False,
) -> T:
    """Do a change, and keep the form that asked for it. Raises what `act` raises, and NotFound.

    `read_form` is called once it is done. `acknowledged`: the server has carried it out already,
    and this phone only follows.
    """
    with db.transaction() as connection:
        table = find_table(connection, write.link)
        replica = store.replicas.find(connection, table.id)
        if replica is None:
            raise NotAllowed("needs_network")
        moment = change_time.bound(connection, table.id, clock.moment())
        with clock.stopped_at(moment):
            result = act()
        after = store.tables.find_version(connection, table.id)
        if acknowledged and not store.outbox.count(connection, table.id):
            store.replicas.save(connection, replace(replica, base_seq=after))
            return result
        form = read_form()
        effect = effects.describe(connection, table.id, form, result)
        at = clock.write_time(moment)
        change = ChangeRow(0, table.seq, form.path, form.fields, at, effect)
        store.outbox.add(connection, table.id, change)
    return result


def forget_here(db: Database, link: str, act: Callable[[], T]) -> T:
    """Erase something of a table that the server never heard of; then it never will of that.

    Raises NotAllowed where the server may have it, and what `act` raises.
    """
    replica = store.replicas.find_by_link(db.connection, link)
    if replica is None or replica.base_seq or replica.sent:
        raise NotAllowed("needs_network")
    result = act()
    with db.transaction() as connection:
        if (table := store.tables.find(connection, hash_secret(link))) is not None:
            add_opening(connection, table, link)
    return result


def read_status(db: Database) -> Status:
    """What is only on this phone."""
    rows = store.replicas.find_waiting(db.connection)
    waiting = [row for row in rows if row.changes or row.unopened]
    return Status(
        waiting=sum(row.changes + row.unopened for row in rows),
        since=min((row.since for row in waiting if row.since), default=None),
        only_here=[row.link for row in waiting],
        unopened=[row.link for row in rows if row.unopened],
        conflicts=[row.link for row in rows if row.conflict],
        held=[row.link for row in rows],
    )


def find_waiting(db: Database, link: str) -> WaitingRow | None:
    """What of a table is only on this phone, None where nothing is."""
    rows = store.replicas.find_waiting(db.connection)
    found = next((row for row in rows if row.link == link), None)
    return found if found and (found.changes or found.unopened or found.conflict) else None


def collect(db: Database) -> list[Batch]:
    """What is to be handed over now, of each table its oldest changes; not those in conflict."""
    phone = read_phone(db)
    with db.transaction() as connection:
        batches = []
        for row in store.replicas.find_all(connection):
            changes = store.outbox.find_all(connection, row.table_id, MOST_CHANGES)
            if row.conflict or not (changes or row.opening):
                continue
            store.replicas.note_sent(connection, row.table_id)
            batches.append(_batch(phone, row, changes))
    return batches


def _batch(phone: PhoneRow, row: ReplicaRow, changes: list[ChangeRow]) -> Batch:
    opening = msgspec.json.decode(row.opening, type=TableCopy) if row.opening else None
    return Batch(row.link, phone.name, phone.pen, changes, opening)


def note_done(db: Database, link: str, receipt: Receipt) -> None:
    """Drop what the server has by now of a table's changes."""
    with db.transaction() as connection:
        replica = store.replicas.find_by_link(connection, link)
        if replica is not None:
            _drop_done(connection, replica, receipt)


def note_conflict(db: Database, link: str, why: Conflict, receipt: Receipt) -> None:
    """Record why a table's changes cannot be handed over; those before are in by now."""
    with db.transaction() as connection:
        replica = store.replicas.find_by_link(connection, link)
        if replica is None:
            return
        left = _drop_done(connection, replica, receipt)
        if left.opening or store.outbox.count(connection, left.table_id):
            row = replace(left, conflict=why, reason=receipt.message)
            store.replicas.save(connection, row)


def _drop_done(connection: Connection, replica: ReplicaRow, receipt: Receipt) -> ReplicaRow:
    """Drop the changes that are in, unless that was known before; the replica as it is then.

    The server may have dated them otherwise, so its copy of the table is asked for.
    """
    first = next(iter(store.outbox.find_all(connection, replica.table_id, 1)), None)
    is_new = replica.opening or (first is not None and first.number <= receipt.number)
    if not (receipt.seq and is_new):
        return replica
    store.outbox.drop(connection, replica.table_id, receipt.number)
    row = replace(replica, base_seq=receipt.seq, opening=None, opened_at=None, sent=True)
    store.replicas.save(connection, row)
    return row
