"""Replicas: the tables that a phone writes at, copied to it so that it can go on by itself."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from app import store
from app.services import outbox
from app.services.phone_state import PhoneState
from app.services.tables import NotFound, find_access, find_table, hash_secret
from app.services.zones import ZoneCopy
from app.store.connection import Connection
from app.store.database import Database
from app.store.replicas import PhoneRow, ReplicaRow
from app.store.table_copy import TableCopy
from app.store.tables import TableRow

# What is copied at a time: whoever asks again, with what has come, gets the rest.
MOST_BYTES = 2_000_000
# A table that stands in conflict has two versions here: this phone's, and under this link the
# server's, which nobody writes at.
_OTHER = "~server"


class Replica(msgspec.Struct, frozen=True):
    """A table as the server has it, and its link."""

    link: str
    table: TableCopy


class Replicas(msgspec.Struct, frozen=True):
    """What a phone is to know: its state, tables that differ from what it has, and links that died.

    `more`: there are other tables, which come to whoever asks again with these. `zone` is that of
    the server's evenings.
    """

    phone: PhoneState
    tables: list[Replica]
    gone: list[str]
    more: bool
    zone: ZoneCopy | None = None


def copy_tables(
    db: Database, pen: str | None, links: Collection[str], have: Mapping[str, int]
) -> tuple[list[Replica], bool]:
    """Copies of the tables behind links where a pen writes, and whether there are more of them.

    `have` are the versions that the phone has: of those only what has changed since.
    """
    copies: list[Replica] = []
    size = 0
    with db.snapshot() as connection:
        for link in links:
            copy = _copy(connection, link, pen, have.get(link))
            if copy is None:
                continue
            if size > MOST_BYTES:
                return copies, True
            copies.append(copy)
            size += len(msgspec.json.encode(copy))
    return copies, False


def _copy(connection: Connection, link: str, pen: str | None, seq: int | None) -> Replica | None:
    if not _writes(connection, link, pen):
        return None
    table = find_table(connection, link)
    if table.seq == seq:
        return None
    return Replica(link, store.copies.read(connection, table.id, seq))


def find_gone(db: Database, pen: str | None, links: Collection[str]) -> list[str]:
    """Which of these links open nothing any more, or nothing that this pen writes at."""
    with db.snapshot() as connection:
        return [link for link in links if not _writes(connection, link, pen)]


def _writes(connection: Connection, link: str, pen: str | None) -> bool:
    try:
        return find_access(connection, link, pen).writes
    except NotFound:
        return False


def find_versions(db: Database) -> dict[str, int]:
    """On a phone: which version of which table it has as the server had it.

    Where the server may have it otherwise, as with other times of its changes, there is none.
    """
    with db.snapshot() as connection:
        rows = store.replicas.find_all(connection)
        known = {row.link: _known_version(connection, row) for row in rows}
    return {link: seq for link, seq in known.items() if seq is not None}


def _known_version(connection: Connection, row: ReplicaRow) -> int | None:
    if row.conflict:
        other = store.tables.find(connection, hash_secret(other_link(row.link)))
        return other.seq if other else None
    return None if row.sent else row.base_seq or None


def other_link(link: str) -> str:
    """The link here of the server's version of a table that stands in conflict."""
    return link + _OTHER


def take_replicas(db: Database, replicas: Replicas) -> None:
    """On a phone: follow the server, but where changes wait to be handed over."""
    phone = outbox.read_phone(db)
    with db.transaction() as connection:
        known = {row.link: row for row in store.replicas.find_all(connection)}
        for replica in replicas.tables:
            _take(connection, phone, known.get(replica.link), replica)
        for link in replicas.gone:
            if (row := known.get(link)) is not None:
                _lose(connection, row)


def _take(
    connection: Connection, phone: PhoneRow, row: ReplicaRow | None, replica: Replica
) -> None:
    if row is None:
        table = store.tables.add(connection, hash_secret(replica.link), "")
        store.pens.add(connection, table.id, hash_secret(phone.pen))
        row = ReplicaRow(table.id, replica.link, replica.table.seq, None, None, False, "", "")
        _follow(connection, table, row, replica.table)
    elif row.conflict:
        take_other(connection, replica)
    elif not row.opening and not store.outbox.count(connection, row.table_id):
        table = find_table(connection, row.link)
        if table.seq <= replica.table.seq:
            _follow(connection, table, row, replica.table)


def _follow(connection: Connection, table: TableRow, row: ReplicaRow, copy: TableCopy) -> None:
    """Let a table be as the server has it; where that is not told whole, ask for all of it."""
    if _is_whole(connection, table, copy):
        store.copies.write(connection, table, copy)
        store.replicas.save(connection, replace(row, base_seq=copy.seq, sent=False))
    else:
        store.replicas.save(connection, replace(row, sent=True))


def _is_whole(connection: Connection, table: TableRow, copy: TableCopy) -> bool:
    """Whether the log of every game is in the copy, or here."""
    here = {(game.number, game.uid) for game in store.games.find_all_ever(connection, table.id)}
    return all(game.events is not UNSET or (game.number, game.uid) in here for game in copy.games)


def take_other(connection: Connection, replica: Replica) -> None:
    """Put the server's version of a table beside this phone's."""
    link = other_link(replica.link)
    table = store.tables.find(connection, hash_secret(link))
    table = table or store.tables.add(connection, hash_secret(link), "")
    if _is_whole(connection, table, replica.table):
        store.copies.write(connection, table, replica.table)
    else:
        store.tables.delete(connection, table.id)


def _lose(connection: Connection, row: ReplicaRow) -> None:
    """Forget a table that the server has no more for this phone; what waits stays, in conflict."""
    if row.base_seq == 0:
        return
    if store.outbox.count(connection, row.table_id):
        store.replicas.save(connection, replace(row, conflict=row.conflict or "gone"))
        return
    forget(connection, row)


def forget(connection: Connection, row: ReplicaRow) -> None:
    """Forget a table here, both versions of it where there are two."""
    other = store.tables.find(connection, hash_secret(other_link(row.link)))
    for table_id in (row.table_id, other.id if other else None):
        if table_id is not None:
            store.tables.delete(connection, table_id)
            connection.versions[table_id] = 0
