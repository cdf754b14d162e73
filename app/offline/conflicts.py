"""Conflicts: others wrote at a table while changes waited on this phone; a person decides.

The phone goes on being played at, with the server's rows beside it. Each way is tried first, in a
transaction that is rolled back.
"""

from collections.abc import Collection, Sequence

import msgspec
from msgspec.structs import replace

from app.offline.exchange import NO_SEATS, Replica, read_people
from app.offline.replicas import (
    ConflictKind,
    Waiting,
    drop,
    find,
    find_touched,
    follow,
    note_conflict,
    read_phone,
    read_waiting,
    trial,
)
from app.rules.amendment import ANY_STEP, Moment, moment_of
from app.rules.errors import ChicagoError, NotAllowed, Stale
from app.rules.events import Event
from app.rules.state import GameState
from app.services import people, table_view
from app.services.commit import Change, Now, Proposal, commit, derive
from app.services.fold import LoggedEntry, ReviseBody, decode, fold
from app.services.rows import Incoming, LogRow, read_rows, rename_called, write_rows
from app.services.table_view import TableView
from app.services.tables import (
    Access,
    Write,
    add_pen,
    add_table,
    find_access,
    instance_of,
    new_link,
)
from app.store import clock, log
from app.store.connection import Connection
from app.store.database import Database


class RecordedEvent(msgspec.Struct, frozen=True):
    """An event that counts, by version `seq` of the table: in which game, and when."""

    seq: int
    number: int
    moment: Moment
    event: Event
    at: str


class Version(msgspec.Struct, frozen=True):
    """A version of a table: its newest game, and its changes since the two parted.

    Events `recorded` count in it and were not there before; those `taken_back` were, and count no
    more. `payments` counts the changes that recorded or undid payments.
    """

    view: TableView
    recorded: list[RecordedEvent]
    taken_back: list[Event]
    payments: int


class LeftOut(msgspec.Struct, frozen=True):
    """A change made here that does not fit the server's version.

    `event` is None for any other change than a recorded event, `reason` for one that belongs to
    another moment.
    """

    at: str
    event: Event | None
    reason: ChicagoError | None


class Addition(msgspec.Struct, frozen=True):
    """The table with this phone's changes behind the server's: how many, and which do not fit."""

    view: TableView
    added: int
    left_out: list[LeftOut]


class Divergence(msgspec.Struct, frozen=True):
    """Both versions of a table, and both together.

    `base` is how it stood when they parted, None where the server never had it; `there` and
    `addition` are None where the server's is not here: not pulled yet, or none for this phone.
    """

    row: Waiting
    base: GameState | None
    here: Version
    there: Version | None
    addition: Addition | None


def read_divergence(db: Database, link: str) -> Divergence:
    """Both versions of a table. Raises NotAllowed where it is in no conflict."""
    there = addition = base = None
    with db.snapshot() as connection:
        row = _find_conflict(connection, link)
        here, other = _read_version(connection, row), row.versions.other
        if row.base:
            table = find_access(connection, link, None)
            base = table_view.read_view_at(connection, table, row.base).state
    if other:
        with trial(db) as connection:
            follow(connection, row.table_id, other)
            there = _read_version(connection, row)
        with trial(db):
            addition = add_mine(db, link)
    return Divergence(row, base, here, there, addition)


def _find_conflict(connection: Connection, link: str) -> Waiting:
    row = find(connection, link)
    if row is None or not row.conflict:
        raise NotAllowed("no_conflict")
    return row


def _read_version(connection: Connection, row: Waiting) -> Version:
    table, recorded, taken = find_access(connection, row.link, None), list[RecordedEvent](), []
    for number in sorted(find_touched(connection, row.table_id, row.base)):
        now = _read_entries(connection, table, number)
        recorded += [
            RecordedEvent(entry.seq, number, moment_of(before), event, entry.at)
            for entry, event, before in now
            if entry.seq > row.base
        ]
        left = [entry for entry, *_ in now]
        then = _read_entries(connection, table, number, row.base)
        taken += [event for entry, event, _ in then if entry not in left]
    settings = log.read_settings(connection, row.table_id)
    payments = sum(each.seq > row.base and each.kind in ("pay", "unpay") for each in settings)
    return Version(table_view.load_view(connection, table), recorded, taken, payments)


def _read_entries(
    connection: Connection, table: Access, number: int, until: int | None = None
) -> list[tuple[LoggedEntry, Event, GameState]]:
    """A game's entries that count, or counted at a version: each event, and the state before."""
    folded = fold(log.read_game(connection, table.id, number, until))
    if (game := folded.games.get(number)) is None:
        return []
    view = table_view.make_view(table, game, people.find_names(connection, table.id, folded))
    return [*zip(game.entries, view.game.events, view.states, strict=False)]


def add_mine(db: Database, link: str) -> Addition:
    """Put this phone's changes behind the server's; those that do not fit are left out.

    Ordinary undo takes them back. Raises NotAllowed where there is no conflict, or the server's
    version is not here.
    """
    pen = read_phone(db).pen
    with db.transaction() as connection:
        row = _find_conflict(connection, link)
        waiting = _find_effective(read_waiting(connection, pen, row), row.base)
        places = {each.seq: each for each in _read_version(connection, row).recorded}
        settings = fold(log.read_game(connection, row.table_id, 0, row.base))
        names = people.find_names(connection, row.table_id, settings)
        theirs = _find_other(row)
        follow(connection, row.table_id, theirs)
        note_conflict(connection, row, None, None)
        touched = find_touched(connection, row.table_id, row.base)
        paid = any(each.kind in ("pay", "unpay") for each in theirs.rows)
        write, seqs, left_out = Write(link, pen), dict[int, int](), list[LeftOut]()
        for each in waiting:
            place = places.get(each.seq)
            incoming = Incoming(each.renumber(seqs), names)
            change = _Added(incoming, place, touched, paid)
            try:
                seqs[each.seq] = commit(db, write, change, each.hashes, each.at).seq
            except ChicagoError as fault:
                reason = None if isinstance(fault, Stale) else fault
                event = place.event if place else None
                left_out.append(LeftOut(clock.write_time(each.at), event, reason))
            else:
                if each.kind == "revise":
                    names = rename_called(decode(each.body, ReviseBody), names)
        view = table_view.load_view(connection, find_access(connection, link, None))
        return Addition(view, len(seqs), left_out)


class _Added(Change, frozen=True):
    """A change that was made here, if it would do the same behind the server's.

    `place` is where an event was recorded; others `touched` games by number, and may have `paid`.
    """

    incoming: Incoming
    place: RecordedEvent | None
    touched: Collection[int]
    paid: bool

    def make(self, now: Now) -> Proposal | None:
        """Make it again. Raises Stale where it would do something else."""
        row = self.incoming.row
        number = decode(row.body, ReviseBody).game if row.kind == "revise" else row.game
        rewrites = row.kind in ("mend", "revise") and number in self.touched
        # A payment may be the one that others have noted too.
        paid = self.paid and row.kind in ("pay", "unpay")
        if rewrites or paid or not self._fits(now):
            raise Stale("stale")
        return self.incoming.make(now)

    def _fits(self, now: Now) -> bool:
        """Whether an event still belongs to its game, deal and step."""
        if self.place is None:
            return True
        moment, place = moment_of(now.view.state), self.place.moment
        anywhere = isinstance(self.place.event, ANY_STEP) and moment.deal == place.deal
        return now.view.number == self.place.number and (anywhere or moment == place)


def _find_effective(rows: Sequence[LogRow], base: int) -> list[LogRow]:
    """The rows that count, and those that undo, or bring again, a change of before a version."""
    steps: dict[int | None, list[LogRow]] = {}
    for each in rows:
        if each.kind in ("undo", "redo"):
            steps.setdefault(each.target, []).append(each)
    # Undone and redone it is as it was.
    odd = {target: each[-1] for target, each in steps.items() if len(each) % 2}
    return [
        each
        for each in rows
        if (odd.get(each.target) == each and int(each.body) <= base)
        or not (each.kind in ("undo", "redo") or each.seq in odd)
    ]


def keep_theirs(db: Database, link: str, own: str = "") -> bool:
    """Let the server's version count, without waiting changes; whether there is one.

    The version of here became the table `own`, if it did. Raises NotAllowed where there is no
    conflict, or the server's version is not pulled yet.
    """
    with db.transaction() as connection:
        row = _find_conflict(connection, link)
        if row.lost:
            drop(connection, row.table_id)
        else:
            _swap(connection, row, None, own)
        return not row.lost


def _swap(
    connection: Connection, row: Waiting, conflict: ConflictKind | None, own: str = ""
) -> None:
    """Let the other version of a table stand here, and keep this one in its place.

    This one goes where something has been erased since the two parted.
    """
    parted, other = row.versions, _find_other(row)
    rows = read_rows(connection, row.table_id, other.since)
    people = read_people(connection, row.table_id)
    this = replace(other, seq=row.base, rows=rows, people=people, seats=NO_SEATS)
    follow(connection, row.table_id, other)
    kept = replace(parted, other=this, own=own, conflict=row.conflict) if other.since else None
    note_conflict(connection, row, conflict, kept)


def _find_other(row: Waiting) -> Replica:
    if (other := row.versions.other) is None:
        raise NotAllowed("not_fetched")
    return other


def make_own_table(db: Database, link: str) -> str:
    """Make a table of its own of this phone's version, and let the server's count at the link.

    Returns the new table's link. Raises NotAllowed as `keep_theirs`.
    """
    new = new_link(instance_of(link))
    with db.transaction() as connection:
        row = _find_conflict(connection, link)
        _copy(connection, row.table_id, new, read_phone(db).pen)
        keep_theirs(db, link, new)
    return new


def _copy(connection: Connection, table_id: int, link: str, pen: str) -> None:
    """Copy the changes of a table that count to a new one, as its own."""
    # Of an erased game nothing is left but who went by which name.
    where = f"""table_id = ? AND undone IS NULL AND NOT {log.PASSED_OVER}
        AND NOT instr(body, '"setup":{{}}')"""
    found = connection.table("changes").rows_where(where, [table_id], "kind <> 'open', seq")
    rows = [msgspec.convert({**row, "key": None}, LogRow) for row in found]
    seqs, new = {row.seq: seq for seq, row in enumerate(rows, 1)}, add_table(connection, link, "")
    add_pen(connection, new, pen)
    write_rows(connection, new, (row.renumber(seqs) for row in rows))
    for name in ("people", "seats"):
        found = connection.table(name).rows_where("table_id = ?", [table_id])
        connection.table(name).insert_all([{**row, "table_id": new} for row in found])
    connection.versions[new] = len(rows)
    derive(connection, new)


def undo_choice(db: Database, link: str) -> None:
    """Go back to both versions after the server's was let count.

    A table that was made of ours is forgotten unless the server has it by now. Raises NotAllowed
    where there is nothing to go back to, or where changes wait again.
    """
    with db.transaction() as connection:
        row = find(connection, link)
        if row is None or row.conflict or row.waiting or not row.versions.other:
            raise NotAllowed("nothing_to_undo")
        _swap(connection, row, row.versions.conflict)
        if (own := find(connection, row.versions.own)) and own.unopened:
            drop(connection, own.table_id)
