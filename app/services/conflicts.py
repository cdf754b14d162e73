"""On a phone: a table at which others wrote while changes waited here. Both versions are kept.

This phone's goes on being played at under the table's link; the server's stands beside it, as
another table that nobody writes at. What becomes of the two, a person decides.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from app import store
from app.rules.errors import NotAllowed
from app.rules.events import Event
from app.services import outbox
from app.services.game_states import effective_events, replay_rows
from app.services.instances import instance_of
from app.services.replicas import other_link
from app.services.serialization import deserialize_event, names_in
from app.services.sheets import Sheet, load_sheet
from app.services.tables import find_table, hash_secret, new_link
from app.store.connection import Connection
from app.store.database import Database
from app.store.games import EventRow, GameRow
from app.store.payments import PaymentRow
from app.store.replicas import Conflict, ReplicaRow
from app.store.tables import TableRow


class RecordedEvent(msgspec.Struct, frozen=True):
    """An event that one version has and the other has not, in which game and deal, and when."""

    number: int
    deal: int
    event: Event
    at: str


class Version(msgspec.Struct, frozen=True):
    """A version of a table: its newest game, and what became of it since the two parted.

    `recorded` counts in it and was not there before; `taken_back` was there, and counts no more.
    Payments that were undone since are there too.
    """

    link: str
    sheet: Sheet
    recorded: tuple[RecordedEvent, ...]
    taken_back: tuple[Event, ...]
    payments: tuple[PaymentRow, ...]


class Divergence(msgspec.Struct, frozen=True):
    """A table of which this phone and the server have different versions, and why.

    `seq` is the version at which they parted, 0 where the server never had it. `changes` wait here;
    `reason` is why the server refused, in words. `there` is None where the server's is not here:
    not fetched yet, or there is none for this phone.
    """

    link: str
    why: Conflict
    reason: str
    seq: int
    changes: int
    here: Version
    there: Version | None


def read_divergence(db: Database, link: str) -> Divergence:
    """Both versions of a table. Raises NotAllowed where it is in no conflict."""
    with db.snapshot() as connection:
        row = find_conflict(connection, link)
        other = find_other(connection, link)
        return Divergence(
            link,
            row.conflict,
            row.reason,
            row.base_seq,
            store.outbox.count(connection, row.table_id),
            _read_version(connection, find_table(connection, link), link, row.base_seq),
            _read_version(connection, other, other_link(link), row.base_seq) if other else None,
        )


def find_conflict(connection: Connection, link: str) -> ReplicaRow:
    """The replica behind a link, which is in conflict. Raises NotAllowed where it is not."""
    row = store.replicas.find_by_link(connection, link)
    if row is None or not row.conflict:
        raise NotAllowed("no_conflict")
    return row


def find_other(connection: Connection, link: str) -> TableRow | None:
    """The server's version of a table, None where it is not here."""
    return store.tables.find(connection, hash_secret(other_link(link)))


def _read_version(connection: Connection, table: TableRow, link: str, seq: int) -> Version:
    games = store.games.find_all(connection, table.id)
    logs = [(game, store.games.find_events(connection, game.id)) for game in games]
    recorded = [
        each
        for game, rows in logs
        if any(row.seq > seq for row in rows)
        for each in _recorded(game, effective_events(rows), seq)
    ]
    counted = [event for game, rows in logs for event in _gone(connection, game, rows, seq)]
    sheet = load_sheet(connection, table)
    payments = store.payments.find_all(connection, table.id)
    new = [row for row in payments if max(row.seq, row.undone_seq or 0) > seq]
    return Version(link, sheet, tuple(recorded), tuple(counted), tuple(new))


def _recorded(game: GameRow, rows: list[EventRow], seq: int) -> Iterator[RecordedEvent]:
    """Of the events of a game that count those that came after a version."""
    played = replay_rows(game, rows)
    for row, event, before in zip(rows, played.game.events, played.states, strict=False):
        if row.seq > seq:
            yield RecordedEvent(game.number, before.deal.number, event, row.recorded_at)


def _gone(connection: Connection, game: GameRow, rows: list[EventRow], seq: int) -> Iterator[Event]:
    """The events of a game that counted at a version, and do not now."""
    if seq == 0 or all(row.status == "effective" for row in rows):
        return
    counted = store.games.find_counting_at(connection, game.id, seq)
    names = names_in(game.setup)
    for row in rows:
        if row.id in counted and row.status != "effective":
            yield deserialize_event(row.body, names)


def make_own_table(db: Database, link: str) -> str:
    """Let this phone's version be a table of its own, and return its link.

    It is handed over with all that was ever played there; the table's link leads to the server's
    version from now on. Raises NotAllowed where there is no conflict.
    """
    phone, new = outbox.read_phone(db), new_link(instance_of(link))
    with db.transaction() as connection:
        row, other = find_conflict(connection, link), find_other(connection, link)
        store.tables.change_link(connection, row.table_id, hash_secret(new))
        outbox.add_opening(connection, find_table(connection, new), new)
        if other is not None:
            _follow(connection, other, link, phone.pen)
    return new


def keep_servers(db: Database, link: str) -> None:
    """Let the server's version stand, and forget what waited here.

    Where the server has none for this phone, the table is forgotten here. Raises NotAllowed where
    there is no conflict, or the server's version has not been fetched yet.
    """
    phone = outbox.read_phone(db)
    with db.transaction() as connection:
        row, other = find_conflict(connection, link), find_other(connection, link)
        if other is None and row.conflict not in ("gone", "no_pen"):
            raise NotAllowed("not_fetched")
        store.tables.delete(connection, row.table_id)
        connection.versions[row.table_id] = 0
        if other is not None:
            _follow(connection, other, link, phone.pen)


def _follow(connection: Connection, other: TableRow, link: str, pen: str) -> None:
    """Let the server's version be the table at its link, where this phone writes."""
    store.tables.change_link(connection, other.id, hash_secret(link))
    store.pens.add(connection, other.id, hash_secret(pen))
    row = ReplicaRow(other.id, link, other.seq, None, None, False, "", "")
    store.replicas.save(connection, row)


def put_servers_in_place(connection: Connection, link: str) -> ReplicaRow:
    """Let a table be as the server has it, with nothing waiting; the replica as it is then.

    Raises NotAllowed where there is no conflict, or the server's version is not here.
    """
    row, other = find_conflict(connection, link), find_other(connection, link)
    if other is None:
        raise NotAllowed("not_fetched")
    copy = store.copies.read(connection, other.id)
    store.outbox.drop(connection, row.table_id)
    store.copies.write(connection, find_table(connection, link), copy)
    store.tables.delete(connection, other.id)
    new = replace(
        row, base_seq=copy.seq, opening=None, opened_at=None, sent=False, conflict="", reason=""
    )
    store.replicas.save(connection, new)
    return new
