"""Conflicts: others wrote at a table while changes waited on this phone.

There is one way: this phone's changes behind the others', each at its deal and step, as far as
they fit and are wanted. It is tried first, in a transaction that is rolled back. The phone goes on
being played at meanwhile.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

import msgspec
from msgspec.structs import replace

from app.offline.replicas import (
    Merged,
    NotAdded,
    OtherVersion,
    Waiting,
    drop,
    find,
    follow,
    note_conflict,
    read_phone,
    read_waiting,
    trial,
)
from app.offline.rows import LogRow, Names, RemoteChange, read_rows, rename_called
from app.rules.codes import ChicagoError, NotAllowed, Stale
from app.rules.edit import Moment, moment_of, require_moment
from app.rules.events import Event
from app.services import table_view
from app.services.access import Access, Write, find_access
from app.services.commit import Change, ChangeContext, Proposal, commit
from app.services.play import Undo
from app.services.table_view import EditBody, TableView, UndoItem, decode, fold, to_json
from app.store import log
from app.store.database import Connection, Database
from app.store.log import ChangeRow

_PAYMENTS, _STEPS = ("pay", "unpay"), ("undo", "redo")


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


class MergeResult(msgspec.Struct, frozen=True):
    """This phone's changes behind the others': the table here, theirs, and both together.

    `seen` names the two versions that were put together.
    """

    seen: str
    here: TableView
    there: TableView
    view: TableView
    theirs: list[Written]
    mine: list[Tried]


def preview_merge(
    db: Database, link: str, wanted: Collection[int] | None = None, seen: str = ""
) -> MergeResult | None:
    """What putting mine behind theirs would do to a table in conflict.

    None where theirs is not here: not pulled yet, or none for this phone. Raises as `add_mine`.
    """
    merge = None
    if _find_conflict(db.connection, link).versions.other:
        with trial(db):
            merge = add_mine(db, link, wanted, seen)
    return merge


def _find_conflict(connection: Connection, link: str) -> Waiting:
    row = find(connection, link)
    if row is None or not row.conflict:
        raise NotAllowed("no_conflict")
    return row


def add_mine(
    db: Database, link: str, wanted: Collection[int] | None = None, seen: str = ""
) -> MergeResult:
    """Put this phone's changes behind the others': all that fit, or the `wanted` of them by place.

    Raises NotAllowed where there is no conflict, or theirs is not here; Stale where either is
    another version than was `seen`.
    """
    pen = read_phone(db).pen
    with db.transaction() as connection:
        row = _find_conflict(connection, link)
        if (other := row.versions.other) is None:
            raise NotAllowed("not_fetched")
        here = _load(connection, link)
        now = f"{here.seq} {other.seq}"
        if seen not in ("", now):
            raise Stale("stale")
        rows = read_waiting(connection, pen, row)
        alone = _find_alone(rows, [each for each in other.rows if each.seq > row.base])
        mine = _list_written(connection, row, rows, alone)
        settings = fold(log.read_game(connection, row.table_id, 0, row.base))
        names = table_view.find_names(connection, row.table_id, settings.called)
        follow(connection, row.table_id, other)
        note_conflict(connection, row, None, None)
        theirs = _list_written(connection, row, read_rows(connection, row.table_id, row.base))
        there = _load(connection, link)
        chosen = range(len(mine)) if wanted is None else wanted
        paid = any(each.row.kind in _PAYMENTS for each in theirs)
        tried = [*_put_behind(db, Write(link, pen), mine, chosen, names, paid)]
        view = _load(connection, link)
        return MergeResult(now, here, there, view, theirs, tried)


def _load(connection: Connection, link: str) -> TableView:
    return table_view.load_newest(connection, find_access(connection, link, None))


def _find_alone(rows: Iterable[LogRow], others: Sequence[LogRow]) -> set[int]:
    """The games that were edited in these rows and that others left alone."""
    if any(each.kind in _STEPS and not each.game for each in others):
        # It may have been an edit of any game.
        return set()
    edited = {_game_of(each) for each in rows if each.kind == "edit"}
    return edited - {_game_of(each) for each in others}


def _put_behind(
    db: Database,
    write: Write,
    mine: Sequence[Written],
    chosen: Collection[int],
    names: Names,
    paid: bool,
) -> Iterator[Tried]:
    """Make the changes of a phone again, with its names, where others may have `paid`."""
    seqs, broken, over = dict[int, int](), set[int](), dict[int, ChicagoError]()
    for place, each in enumerate(mine):
        row, wanted = each.row, place in chosen
        # What is made again as it was needs all that came before it in its game, and a payment may
        # be the one that others have noted too.
        lost = each.moment is None and each.number in broken
        stays = each.of_older or lost or (paid and row.kind in _PAYMENTS)
        change = _Added(RemoteChange(row.renumber(seqs), names), each, stays)
        try:
            if wanted and each.number not in over:
                seqs[row.seq] = commit(db, write, change, row.hashes, row.at).seq
            reason = over.get(each.number)
        except ChicagoError as fault:
            reason = fault
            if fault.code == "game_was_over":
                over[each.number] = fault
        tried = Tried(place, each, wanted, reason)
        if tried.added and row.kind == "edit":
            names = rename_called(decode(row.body, EditBody), names)
        if each.moment is None and each.number and not tried.added:
            broken.add(each.number)
        yield tried


class _Added(Change, frozen=True):
    """A change that was made here, at the moment it belongs to; one that `stays` is refused."""

    incoming: RemoteChange
    written: Written
    stays: bool

    def make(self, now: ChangeContext) -> Proposal | None:
        """Make it again. Raises as RemoteChange, and NotAllowed where its moment is another."""
        written = self.written
        if self.stays:
            raise Stale("stale")
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
        if each.kind not in ("record", "edit") or number in alone:
            found += _list_row(connection, table, each, names)
        elif number not in listed:
            listed.add(number)
            found += _list_game(connection, table, number, row.base, rows)
    return found


def _list_game(
    connection: Connection, table: Access, number: int, base: int, rows: Iterable[LogRow]
) -> list[Written]:
    """The entries of a game since a version, and its edits that changed what was older."""
    was = fold(log.read_game(connection, table.id, number, base)).games.get(number)
    game, names = table_view.load_game(connection, table, number)
    view = table_view.make_view(table, game, names)
    by_seq = {each.seq: each for each in rows if each.kind in ("record", "edit")}
    found = list[Written]()
    for entry, event, state in zip(game.entries, view.game.events, view.states, strict=False):
        if row := by_seq.get(entry.seq):
            if row.kind == "edit":
                body = to_json(entry.body)
                row = replace(row, kind="record", game=number, body=body, key=None, request=None)
            found.append(Written(row, event, number, moment_of(state)))
    kept = sum(entry.seq <= base for entry in game.entries)
    is_changed = was is not None and kept != len(was.entries)
    for row in by_seq.values():
        is_older = row.kind == "edit" and (is_changed or not row.game)
        if is_older and _game_of(row) == number:
            found += _list_row(connection, table, row, names, of_older=True)
    return found


def _game_of(row: LogRow) -> int:
    """The number of the game that a change is of, 0 for none."""
    if row.kind == "edit" and not row.game:
        body: EditBody = decode(row.body, EditBody)
        return body.game
    return row.game


def _list_row(
    connection: Connection, table: Access, row: LogRow, names: Names, *, of_older: bool = False
) -> list[Written]:
    """A change as undo names it; of an undo or redo, what that concerns, unless it was erased."""
    is_step = row.kind in _STEPS
    told = read_rows(connection, table.id, int(row.body) - 1, int(row.body)) if is_step else [row]
    changes = [ChangeRow(each.seq, each.kind, each.game, each.body, "") for each in told]
    items = (table_view.describe(each, names) for each in changes)
    number, of_older = _game_of(row), of_older or is_step
    return [Written(row, item, number, of_older=of_older) for item in items if item]


def _find_effective(rows: Sequence[LogRow], base: int) -> list[LogRow]:
    """The rows that count, and those that undo, or bring again, a change of before a version."""
    steps = {each.target: each for each in rows if each.kind in _STEPS}
    many = Counter(each.target for each in rows if each.kind in _STEPS)
    # Undone and redone it is as it was.
    odd = {target for target in many if many[target] % 2}
    older = [steps[target] for target in odd if target is not None and target <= base]
    passed = (*_STEPS, "pens", "forget", "erase")
    return [
        each for each in rows if each in older or (each.kind not in passed and each.seq not in odd)
    ]


def note_merged(db: Database, link: str, merge: MergeResult, left_out: list[NotAdded]) -> None:
    """Keep what was not added, in words, until the next conflict."""
    with db.transaction() as connection:
        merged = Merged(merge.view.seq, merge.view.seq - merge.there.seq, left_out)
        if row := find(connection, link):
            note_conflict(connection, row, None, OtherVersion(merged=merged))


def undo_merge(db: Database, link: str) -> None:
    """Take back all that was added; ordinary redo brings it again.

    Raises Stale where anything was written since, NotAllowed where there is nothing to take back.
    """
    with db.transaction() as connection:
        row = find(connection, link)
        merged = row.versions.merged if row else None
        if row is None or merged is None:
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
        if not row.orphaned or row.versions.other:
            raise NotAllowed("no_conflict")
        drop(connection, row.table_id)
