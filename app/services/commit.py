"""Commit: the one way in which a table changes, for pages, programs and phones alike."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from hashlib import sha256
from typing import ClassVar

import msgspec

from app.rules.codes import NotAllowed, Stale
from app.services import access, bounds, figures, table_view
from app.services.access import Access, Write, find_access, require_pen
from app.services.table_view import Fold, TableView, find_names, fold, numbers_of
from app.store import clock, log
from app.store.database import Connection, Database
from app.store.files import IntegrityError
from app.store.log import ChangeKind, ChangeRow, Key


def form_key(pen: str, request: bytes) -> Key:
    """Idempotency key: hash of pen and request.

    A phone keeps the hash, from which the server derives the key of the form that its browser sent.
    """
    return Key(sha256(pen.encode() + b" " + request).digest(), request)


def find_version(connection: Connection, table: Access, key: Key) -> int | None:
    """The version of a table at which a change with this key was accepted, None for none.

    Raises NotAllowed for a key of another request.
    """
    seq, request = log.find_key(connection, table.id, key) or (None, key.request)
    if request != key.request:
        raise NotAllowed("key_reused")
    return seq


class ChangeContext(msgspec.Struct, frozen=True):
    """A table as a change finds it, within its transaction; the change leads to version `seq`."""

    connection: Connection
    table: Access
    view: TableView
    seq: int

    def number(self, new: Collection[str]) -> Mapping[str, int]:
        """Person numbers by name; unknown names get new ones. Raises NotAllowed for too many."""
        names, numbers = self.view.names, self.view.numbers
        if {*new} <= {*numbers}:
            return numbers
        added = add_names(self.connection, self.table.id, names, new)
        return numbers_of(added) | {**numbers}


class Proposal(msgspec.Struct, frozen=True):
    """A change's proposal: a row of the log, and the table's newest game after it.

    `view` is None where that is to be read anew. `headroom` entries more than usual are allowed.
    `changes_table` is whether the table's name, currency or people may change.
    """

    kind: ChangeKind
    game: int
    body: str
    view: TableView | None = None
    headroom: int = 0
    changes_table: bool = False


class Change(msgspec.Struct, frozen=True):
    """A change of a table, as somebody asks for it.

    One `of_ledger` is made from a page of money or people, which a tap does not make stale.
    """

    of_ledger: ClassVar[bool] = False

    def make(self, now: ChangeContext) -> Proposal | None:
        """Check it by the rules, and return its proposal; None where nothing changes.

        Raises NotAllowed, BadFile, NotFound.
        """
        raise NotImplementedError


def commit(
    db: Database, write: Write, change: Change, key: Key | None = None, at: datetime | None = None
) -> TableView:
    """Make a change, on disk when this ends; the table's newest game after it.

    With a key that was accepted before nothing changes, and the table is as that left it. `at` is
    when the change was made where that was earlier. Raises NotFound, NoPen, Stale, BadFile, and
    NotAllowed, by the rules or for a key of another request; then nothing has changed.
    """
    with db.transaction() as connection:
        table = require_pen(connection, write)
        # A repeated change was accepted at an older version.
        if key and write.seq != table.seq and (seq := find_version(connection, table, key)):
            return table_view.read_view_at(connection, table, seq)
        oldest = table.ledger_seq if change.of_ledger else table.seq
        if write.seq is not None and not oldest <= write.seq <= table.seq:
            # Pens and notes make nobody's page stale.
            oldest = max(log.find_newest(connection, table.id), table.erased_seq)
            if not oldest <= write.seq <= table.seq:
                raise Stale("stale")
        now = ChangeContext(
            connection, table, table_view.load_newest(connection, table), table.seq + 1
        )
        proposal = change.make(now)
        return _append(now, proposal, key, at) if proposal else now.view


def _append(
    now: ChangeContext, proposal: Proposal, key: Key | None, at: datetime | None
) -> TableView:
    entries = _count_entries(now, proposal)
    # An imported game may be older than the change before.
    last = clock.EARLIEST if proposal.kind == "import" else now.table.at
    moment = clamp_time(at, last) if at else clock.now()
    if not at and moment < clock.EARLIEST:
        moment = max(moment, now.table.at)
    row = ChangeRow(now.seq, proposal.kind, proposal.game, proposal.body, moment, None, entries)
    try:
        log.append(now.connection, now.table.id, row, now.table.pen_id, key)
    except IntegrityError:
        if at:
            raise NotAllowed("key_reused") from None
        log.append(now.connection, now.table.id, row, now.table.pen_id, _renew(now, key))
    if proposal.changes_table:
        derive(now.connection, now.table.id)
    if (view := proposal.view) is None:
        table = find_access(now.connection, now.table.link, None)
        view = table_view.load_newest(now.connection, table)
    if proposal.kind != "undo":
        bounds.check_points(view.state)
    now.connection.newest[now.table.id] = view
    if _moves_ledger(now.view, view, proposal):
        access.mark_ledger(now.connection, now.table.id, now.seq)
    # A game's figures follow it where it is over, or was; an edit of no one game is of the newest.
    number = proposal.game or (view.number if proposal.changes_table else 0)
    over = now.view.state.over or view.state.over
    if number and (over or number < view.number):
        figures.recount_game(now.connection, now.table.id, number)
    return view


def _renew(now: ChangeContext, key: Key | None) -> Key:
    """A key for a form whose key is known. Raises NotAllowed where that was for another.

    On a phone a version comes again with another past: the same tap at it is one more.
    """
    if key is None or not find_version(now.connection, now.table, key):
        raise NotAllowed("key_reused")
    return Key(sha256(key.key + now.seq.to_bytes(8, "big")).digest(), key.request)


def _moves_ledger(before: TableView, after: TableView, proposal: Proposal) -> bool:
    """Whether pages of the ledger may differ: not by what happens in the midst of a game."""
    is_midst = all(view.game.events and not view.state.over for view in (before, after))
    of_newest = proposal.game == before.number == after.number and not proposal.changes_table
    return not (is_midst and of_newest and before.state.players == after.state.players)


def _count_entries(now: ChangeContext, proposal: Proposal) -> int:
    """Count the entries of a table with one more change.

    Raises NotAllowed when it holds too many, or those changes do that are read together.
    """
    weight, log_entries = bounds.weigh(proposal.body), now.view.entry_count
    total = now.table.entry_count + weight
    bounds.check("table_full", total - proposal.headroom, bounds.MAX_ENTRIES)
    if proposal.kind in ("pay", "unpay"):
        return total
    if proposal.game != now.view.number:
        rows = log.read_all_of_game(now.connection, now.table.id, proposal.game)
        log_entries = bounds.count_entries(rows, proposal.game)
    log_entries += weight - proposal.headroom
    if proposal.game:
        bounds.check("game_full", log_entries, bounds.MAX_GAME_ENTRIES)
    else:
        bounds.check("table_full", log_entries, bounds.MAX_GAME_ENTRIES)
    return total


def derive(connection: Connection, table_id: int) -> None:
    """Derive a table's name, currency and people anew from its log."""
    number = log.find_newest_game(connection, table_id)
    opening = log.read_opening(connection, table_id)
    folded = fold([*opening, *log.read_game(connection, table_id, number)])
    currency = folded.games[number].body.currency
    connection.table("tables").update(table_id, {"name": folded.name, "currency": currency})
    derive_people(connection, table_id, folded)


def clamp_time(at: datetime, last: str = clock.EARLIEST) -> str:
    """A phone's timestamp, neither in the future nor before that of the change before."""
    return min(clock.now(), max(clock.write_time(at), last))


def add_names(
    connection: Connection, table_id: int, names: Mapping[int, str], new: Iterable[str]
) -> dict[int, str]:
    """Names by person number, with rows for new ones. Raises NotAllowed for too many."""
    numbered = number_names(names, new)
    insert_names(connection, table_id, {n: numbered[n] for n in numbered if n not in names})
    return numbered


def insert_names(connection: Connection, table_id: int, numbered: Mapping[int, str]) -> None:
    """Add people to a table by their new numbers."""
    sql = "INSERT INTO people (table_id, number, name) VALUES (?, ?, ?)"
    connection.conn.executemany(sql, [(table_id, *each) for each in numbered.items()])


def number_names(names: Mapping[int, str], new: Iterable[str]) -> dict[int, str]:
    """Names by person number, new ones with the next. Raises NotAllowed for too many."""
    known = {*names.values()}
    missing = dict.fromkeys(name for name in new if name not in known)
    numbered = dict(enumerate(missing, start=max(names, default=0) + 1))
    bounds.check("too_many_people", len(names) + len(numbered), bounds.MAX_NAMES)
    return {**names, **numbered}


def derive_people(connection: Connection, table_id: int, folded: Fold) -> None:
    """Update the rows of `people`: whose name each goes by, and which person it is.

    `called` and `same_as` are numbers with just that name, None for the row's own.
    """
    texts = find_names(connection, table_id)
    names = find_names(connection, table_id, folded.called)
    numbers = numbers_of(texts)
    merged = {names[one]: names[other] for one, other in folded.same_as.items()}
    sql = "UPDATE people SET called = ?, same_as = ? WHERE table_id = ? AND number = ?"
    for number, name in names.items():
        # New names may have made circles, which are left where they close.
        person, left = name, dict(merged)
        while person in left:
            person = left.pop(person)
        called = None if name == texts[number] else numbers[name]
        same_as = None if person == name else numbers[person]
        connection.execute(sql, [called, same_as, table_id, number])
