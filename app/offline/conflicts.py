"""Conflicts: others wrote at a table while changes waited on this phone.

There is one way: this phone's changes behind the others', each at its deal and step, as far as
they fit and are wanted. It is tried first, in a transaction that is rolled back. The phone goes on
being played at meanwhile.
"""

from collections.abc import Collection, Iterable, Sequence

import msgspec
from msgspec.structs import replace

from app.offline.replicas import (
    LeftOut,
    Merged,
    Parted,
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
from app.rules.amendment import Moment, moment_of, require_moment
from app.rules.errors import ChicagoError, NotAllowed, Stale
from app.rules.events import Event
from app.rules.state import GameState
from app.services import people, table_view
from app.services.commit import Change, Now, Proposal, commit
from app.services.fold import Body, LoggedEntry, ReviseBody, decode, fold, to_json
from app.services.play import Undo
from app.services.rows import Incoming, LogRow, Names, read_rows, rename_called
from app.services.table_view import TableView, UndoItem
from app.services.tables import Access, Write, find_access
from app.store import clock, log
from app.store.connection import Connection
from app.store.database import Database
from app.store.log import ChangeRow

_EDITS = ("mend", "revise")
_PAYMENTS = ("pay", "unpay")


class Written(msgspec.Struct, frozen=True):
    """Something that was written since the two versions parted, as undo names it.

    `row` is the change, for an entry of a game one that records it; `number` its game, 0 for none,
    and `moment` that of an entry. A change to what is older stays with its own version, where
    others wrote too.
    """

    row: LogRow
    what: UndoItem
    number: int
    moment: Moment | None = None
    of_older: bool = False


class Tried(msgspec.Struct, frozen=True):
    """Something of this phone, whether it was wanted, and why it does not fit.

    `place` is its number among all of it, from 0.
    """

    place: int
    written: Written
    wanted: bool
    reason: ChicagoError | None = None

    @property
    def added(self) -> bool:
        """Whether it stands behind the others' changes."""
        return self.wanted and self.reason is None


class Merge(msgspec.Struct, frozen=True):
    """This phone's changes behind the others': the table here, theirs, and both together.

    `seen` names the two versions that were put together.
    """

    seen: str
    here: TableView
    there: TableView
    view: TableView
    theirs: list[Written]
    mine: list[Tried]


def preview(
    db: Database, link: str, wanted: Collection[int] | None = None, seen: str = ""
) -> tuple[Waiting, Merge | None]:
    """A table in conflict, and what putting mine behind theirs would do.

    That is None where theirs is not here: not pulled yet, or none for this phone. Raises NotAllowed
    where the table is in no conflict, and Stale as `add_mine`.
    """
    row, merge = _find_conflict(db.connection, link), None
    if row.versions.other:
        with trial(db):
            merge = add_mine(db, link, wanted, seen)
    return row, merge


def _find_conflict(connection: Connection, link: str) -> Waiting:
    row = find(connection, link)
    if row is None or not row.conflict:
        raise NotAllowed("no_conflict")
    return row


def add_mine(
    db: Database, link: str, wanted: Collection[int] | None = None, seen: str = ""
) -> Merge:
    """Put this phone's changes behind the others': all that fit, or the `wanted` of them by place.

    Raises NotAllowed where there is no conflict, or theirs is not here; Stale where either is
    another version than was `seen`.
    """
    pen = read_phone(db).pen
    with db.transaction() as connection:
        row = _find_conflict(connection, link)
        if (other := row.versions.other) is None:
            raise NotAllowed("not_fetched")
        here = table_view.load_view(connection, find_access(connection, link, None))
        now = f"{here.seq} {other.seq}"
        if seen not in ("", now):
            raise Stale("stale")
        rows = read_waiting(connection, pen, row)
        alone = {_game_of(each) for each in rows if each.kind in _EDITS}
        if alone:
            with trial(db):
                follow(connection, row.table_id, other)
                alone -= find_touched(connection, row.table_id, row.base)
        mine, names = _list_written(connection, row, rows, alone), _read_names(connection, row)
        follow(connection, row.table_id, other)
        note_conflict(connection, row, None, None)
        theirs = _list_written(connection, row, read_rows(connection, row.table_id, row.base))
        there = table_view.load_view(connection, find_access(connection, link, None))
        paid = any(each.row.kind in _PAYMENTS for each in theirs)
        behind = _Behind(db, Write(link, pen), names, paid)
        chosen = range(len(mine)) if wanted is None else wanted
        tried = [behind.put(place, each, place in chosen) for place, each in enumerate(mine)]
        view = table_view.load_view(connection, find_access(connection, link, None))
        return Merge(now, here, there, view, theirs, tried)


def _read_names(connection: Connection, row: Waiting) -> Names:
    """Everybody's name when the two versions parted, those who are new here among them."""
    settings = fold(log.read_game(connection, row.table_id, 0, row.base))
    return people.find_names(connection, row.table_id, settings)


class _Behind:
    """Changes of this phone that are put behind the others', in order.

    `names` are this phone's; others may have `paid`.
    """

    def __init__(self, db: Database, write: Write, names: Names, paid: bool) -> None:
        self.db, self.write, self.names, self.paid = db, write, names, paid
        self.seqs, self.broken = dict[int, int](), set[int]()

    def put(self, place: int, written: Written, wanted: bool) -> Tried:
        """Make a change again, or say why it does not fit."""
        reason = None
        try:
            if wanted:
                self._make(written)
        except ChicagoError as fault:
            reason = fault
        if written.moment is None and not (wanted and reason is None):
            self.broken.add(written.number)
        return Tried(place, written, wanted, reason)

    def _make(self, written: Written) -> None:
        row = written.row
        # What is made again as it was needs all that came before it in its game, and a payment may
        # be the one that others have noted too.
        stands = written.moment or written.number not in self.broken - {0}
        if written.of_older or not stands or (self.paid and row.kind in _PAYMENTS):
            raise Stale("stale")
        change = _Added(Incoming(row.renumber(self.seqs), self.names), written)
        seq = commit(self.db, self.write, change, row.hashes, row.at).seq
        self.seqs[row.seq] = seq
        if row.kind == "revise":
            self.names = rename_called(decode(row.body, ReviseBody), self.names)


class _Added(Change, frozen=True):
    """A change that was made here, at the moment it belongs to."""

    incoming: Incoming
    written: Written

    def make(self, now: Now) -> Proposal | None:
        """Make it again. Raises NotAllowed where its moment is another, and as Incoming."""
        written = self.written
        if written.moment and isinstance(written.what, Event):
            view = table_view.load_view(now.connection, now.table, written.number)
            require_moment(view.state, written.what, written.moment)
        return self.incoming.make(now)


def _list_written(
    connection: Connection, row: Waiting, rows: Sequence[LogRow], alone: Collection[int] = ()
) -> list[Written]:
    """What rows have written since the two versions parted, by a table's present log.

    Games that were edited are listed by their entries, as they stand now; but those that are
    `alone` by the rows themselves.
    """
    table = find_access(connection, row.link, None)
    names = table_view.load_newest(connection, table).names
    found, listed = list[Written](), set[int]()
    rows = _find_effective(rows, row.base)
    for each in rows:
        number = _game_of(each)
        if each.kind not in ("record", *_EDITS) or number in alone:
            found += _list_row(connection, table, each, names)
        elif number not in listed:
            listed.add(number)
            found += _list_game(connection, table, number, row.base, rows)
    return found


def _list_game(
    connection: Connection, table: Access, number: int, base: int, rows: Iterable[LogRow]
) -> list[Written]:
    """The entries of a game since a version, and its edits where they changed what was older."""
    was, before = _read_game(connection, table, number, base)
    setup, now = _read_game(connection, table, number)
    by_seq = {each.seq: each for each in rows if each.kind in ("record", *_EDITS)}
    found = list[Written]()
    for entry, event, state in now:
        if row := by_seq.get(entry.seq):
            if row.kind in _EDITS:
                body = to_json(entry.body)
                row = replace(row, kind="record", game=number, body=body, key=None, request=None)
            found.append(Written(row, event, number, moment_of(state)))
    left = [entry for entry, *_ in now]
    if setup != was or any(entry not in left for entry, *_ in before):
        names = table_view.load_newest(connection, table).names
        for row in by_seq.values():
            if row.kind in _EDITS and _game_of(row) == number:
                found += _list_row(connection, table, row, names, of_older=True)
    return found


def _read_game(
    connection: Connection, table: Access, number: int, until: int | None = None
) -> tuple[Body | None, list[tuple[LoggedEntry, Event, GameState]]]:
    """A game as it counts, or counted at a version: its setup, and each entry's event and state."""
    folded = fold(log.read_game(connection, table.id, number, until))
    if (game := folded.games.get(number)) is None:
        return None, []
    view = table_view.make_view(table, game, people.find_names(connection, table.id, folded))
    return game.body.setup, [*zip(game.entries, view.game.events, view.states, strict=False)]


def _game_of(row: LogRow) -> int:
    """The number of the game that a change is of, 0 for none."""
    if row.kind == "revise":
        body: ReviseBody = decode(row.body, ReviseBody)
        return body.game
    return row.game


def _list_row(
    connection: Connection, table: Access, row: LogRow, names: Names, *, of_older: bool = False
) -> list[Written]:
    """A change as undo names it; of an undo or redo, what that concerns, unless it was erased."""
    is_step = row.kind in ("undo", "redo")
    told = read_rows(connection, table.id, int(row.body) - 1, int(row.body)) if is_step else [row]
    found = list[Written]()
    for each in told:
        at = clock.write_time(each.at)
        what = table_view.describe(ChangeRow(each.seq, each.kind, each.game, each.body, at), names)
        if what is not None:
            found.append(Written(row, what, _game_of(each), of_older=of_older or is_step))
    return found


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
        or not (each.kind in ("undo", "redo", "pens", "forget", "erase") or each.seq in odd)
    ]


def note_merged(db: Database, link: str, merge: Merge, left_out: list[LeftOut]) -> None:
    """Keep what was not added, in words, until the next conflict."""
    with db.transaction() as connection:
        merged = Merged(merge.view.seq, merge.view.seq - merge.there.seq, left_out)
        if row := find(connection, link):
            note_conflict(connection, row, None, Parted(merged=merged))


def undo_merge(db: Database, link: str) -> None:
    """Take back all that was added; ordinary redo brings it again.

    Raises Stale where anything was written since, NotAllowed where there is nothing to take back.
    """
    with db.transaction() as connection:
        row = find(connection, link)
        merged = row.versions.merged if row else None
        if row is None or row.conflict or not merged or not merged.added:
            raise NotAllowed("nothing_to_undo")
        write = Write(link, read_phone(db).pen, merged.seq)
        for _ in range(merged.added):
            write = replace(write, seq=commit(db, write, Undo()).seq)
        note_conflict(connection, row, None, None)


def let_go(db: Database, link: str) -> None:
    """Forget a table here of which the server has none for this phone, with all that waits.

    Raises NotAllowed where it is in no such conflict.
    """
    with db.transaction() as connection:
        row = _find_conflict(connection, link)
        if not row.lost or row.versions.other:
            raise NotAllowed("no_conflict")
        drop(connection, row.table_id)
