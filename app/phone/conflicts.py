"""Conflicts: others wrote at a table while changes waited on this phone, which keeps both versions.

This phone's goes on being played at under the table's link; the server's stands beside it, as
another table that nobody writes at. What becomes of the two, a person decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

import msgspec

from app.phone import replicas
from app.phone.replicas import Phone, Waiting, find_touched, servers_link
from app.rules.amendment import ANY_STEP, Moment, moment_of
from app.rules.errors import ChicagoError, NotAllowed, Stale
from app.rules.events import Event
from app.rules.state import GameState
from app.services import people, sheets
from app.services.commit import Change, Now, Step, commit
from app.services.fold import Entry, MendBody, ReviseBody, decode, fold
from app.services.instances import instance_of
from app.services.play import Mend
from app.services.sheets import Sheet
from app.services.tables import Access, NotFound, Write, add_pen, find_access, hash_secret, new_link
from app.store import clock, log
from app.store.connection import Connection
from app.store.database import Database
from app.store.log import Key
from app.sync.incoming import Incoming, LogRow, read_mended, rename_called


class RecordedEvent(msgspec.Struct, frozen=True):
    """An event that counts, by version `seq` of the table: in which game, and when."""

    seq: int
    number: int
    moment: Moment
    event: Event
    at: str


class Version(msgspec.Struct, frozen=True):
    """A version of a table: its newest game, and what became of it since the two parted.

    `recorded` counts in it and was not there before; `taken_back` was there, and counts no more.
    So many changes recorded or undid payments.
    """

    sheet: Sheet
    recorded: tuple[RecordedEvent, ...]
    taken_back: tuple[Event, ...]
    payments: int


class Divergence(msgspec.Struct, frozen=True):
    """A table of which this phone and the server have different versions.

    `row` tells why. `base` is how it stood when they parted, None where the server never had it.
    `there` is None where it is not here: not fetched yet, or there is none for this phone.
    """

    row: Waiting
    base: GameState | None
    here: Version
    there: Version | None


class Misfit(msgspec.Struct, frozen=True):
    """A change that was made here, and no longer fits what stands there.

    `event` is what it recorded, None for any other change. `reason` is None where it belongs to
    another moment.
    """

    at: str
    event: Event | None
    reason: ChicagoError | None


class Addition(msgspec.Struct, frozen=True):
    """What comes of adding this phone's changes to what the server has: how many, and not which."""

    sheet: Sheet
    added: int
    misfits: tuple[Misfit, ...]


class _OnlyTried(Exception):
    """What was tried is not to be."""


def read_divergence(db: Database, link: str) -> Divergence:
    """Both versions of a table. Raises NotAllowed where it is in no conflict."""
    with db.snapshot() as connection:
        row, other = _find_conflict(connection, link), _find_other(connection, link)
        mine, base = find_access(connection, link, None), None
        with suppress(NotFound):
            base = sheets.read_sheet_at(connection, mine, row.base).state
        here = _read_version(connection, mine, row.base)
        there = _read_version(connection, other, row.base) if other else None
        return Divergence(row, base, here, there)


def _find_conflict(connection: Connection, link: str) -> Waiting:
    """A table that is in conflict. Raises NotAllowed where it is not."""
    row = replicas.find(connection, link)
    if row is None or not row.conflict:
        raise NotAllowed("no_conflict")
    return row


def _find_other(connection: Connection, link: str) -> Access | None:
    """The server's version of a table, None where it is not here."""
    try:
        return find_access(connection, servers_link(link), None)
    except NotFound:
        return None


def _read_version(connection: Connection, table: Access, base: int) -> Version:
    settings = log.read_settings(connection, table.id)
    return Version(
        sheets.load_sheet(connection, table),
        tuple(_find_recorded(connection, table, base)),
        tuple(_find_gone(connection, table, base)),
        sum(row.seq > base and row.kind in ("pay", "unpay") for row in settings),
    )


def _find_recorded(connection: Connection, table: Access, base: int) -> Iterator[RecordedEvent]:
    """The events that count, of versions after the base."""
    for number in sorted(find_touched(connection, table.id, base)):
        # Its start may have been undone.
        with suppress(NotFound):
            game, names = sheets.load_game(connection, table, number)
            sheet = sheets.make_sheet(table, game, names)
            for entry, event, before in zip(
                game.entries, sheet.game.events, sheet.states, strict=False
            ):
                if entry.seq > base:
                    yield RecordedEvent(entry.seq, number, moment_of(before), event, entry.at)


def _find_gone(connection: Connection, table: Access, base: int) -> Iterator[Event]:
    """The events that counted at a version, and do not now."""
    for number in sorted(find_touched(connection, table.id, base)):
        now = fold(log.read_game(connection, table.id, number)).games.get(number)
        for entry, event in _read_events(connection, table, number, base):
            if now is None or entry not in now.entries:
                yield event


def _read_events(
    connection: Connection, table: Access, number: int, seq: int
) -> list[tuple[Entry, Event]]:
    """What was recorded in a game, and counted at a version."""
    game = fold(log.read_game(connection, table.id, number, seq)).games.get(number)
    if game is None:
        return []
    events = sheets.play(game, sheets.load_newest(connection, table).names).events
    return [*zip(game.entries, events, strict=True)]


def make_own_table(db: Database, link: str) -> str:
    """Let this phone's version be a table of its own, and return its link.

    It is pushed with all that was ever played there; the table's link leads to the server's version
    from now on. Raises NotAllowed where there is no conflict.
    """
    new = new_link(instance_of(link))
    with db.transaction() as connection:
        row = _find_conflict(connection, link)
        _move(connection, row.table_id, new, None)
        connection.table("tables").update(row.table_id, {"created_at": clock.now()})
        _follow_servers(connection, link, replicas.read_phone(db))
    return new


def keep_servers(db: Database, link: str) -> bool:
    """Let the server's version stand, and forget what waited here; whether there is one.

    Where the server has none for this phone, the table is forgotten here. Raises NotAllowed where
    there is no conflict, or the server's version has not been fetched yet.
    """
    with db.transaction() as connection:
        row, other = _find_conflict(connection, link), _find_other(connection, link)
        if other is None and row.conflict not in ("gone", "no_pen"):
            raise NotAllowed("not_fetched")
        replicas.drop(connection, row.table_id)
        _follow_servers(connection, link, replicas.read_phone(db))
        return other is not None


def _follow_servers(connection: Connection, link: str, phone: Phone) -> None:
    """Let the server's version, if it is here, be the table at its link; this phone writes."""
    other = _find_other(connection, link)
    if other is not None:
        _move(connection, other.id, link, other.seq)
        add_pen(connection, other.id, phone.pen)


def _move(connection: Connection, table_id: int, link: str, base: int | None) -> None:
    values = {"link": link, "link_hash": hash_secret(link), "base_seq": base}
    connection.table("tables").update(table_id, {**values, "conflict": None, "reason": None})


def try_to_add(db: Database, link: str) -> Addition:
    """What would come of `add_mine`; nothing is changed. Raises NotAllowed."""
    with suppress(_OnlyTried), db.transaction() as connection:
        tried = _add(db, connection, link)
        raise _OnlyTried
    return tried


def add_mine(db: Database, link: str) -> Addition:
    """Add what waits here to what the server has; what no longer fits is left out.

    Raises NotAllowed where there is no conflict, or the server's version is not here.
    """
    with db.transaction() as connection:
        return _add(db, connection, link)


class _Added(Change, frozen=True):
    """A change that was made here, if it would do the same there.

    `place` is where an event was recorded; `before` are the events of a game that was mended then.
    """

    incoming: Incoming
    place: RecordedEvent | None
    before: Sequence[Event]

    def make(self, now: Now) -> Step | None:
        """Make it again. Raises Stale where it would do something else."""
        row = self.incoming.row
        if row.kind == "mend":
            return self._mend(now).make(now)
        if row.kind == "record" and self.place is not None:
            sheet, place = now.sheet, self.place.moment
            moment, anywhere = moment_of(sheet.state), isinstance(self.place.event, ANY_STEP)
            same = moment.deal == place.deal if anywhere else moment == place
            if sheet.number != self.place.number or not same:
                raise Stale("stale")
        return self.incoming.make(now)

    def _mend(self, now: Now) -> Mend:
        """The same entries, and behind them what others recorded since."""
        row, count = self.incoming.row, len(self.before)
        events = sheets.load_sheet(now.connection, now.table, row.game).game.events
        if list(events[:count]) != list(self.before):
            raise Stale("stale")
        entries = read_mended(decode(row.text, MendBody).entries, self.incoming.names or {})
        return Mend(row.game, [*entries, *range(count, len(events))], range(count))


def _add(db: Database, connection: Connection, link: str) -> Addition:
    row, other = _find_conflict(connection, link), _find_other(connection, link)
    if other is None:
        raise NotAllowed("not_fetched")
    phone, mine = replicas.read_phone(db), find_access(connection, link, None)
    waiting = _find_effective(replicas.read_waiting(connection, phone, row), row.base)
    settings = fold(log.read_game(connection, mine.id, 0, row.base))
    names = people.find_names(connection, mine.id, settings)
    places = {each.seq: each for each in _find_recorded(connection, mine, row.base)}
    befores = {
        each.seq: [event for _, event in _read_events(connection, mine, each.game, each.seq - 1)]
        for each in waiting
        if each.kind == "mend"
    }
    paid = _read_version(connection, other, row.base).payments
    replicas.drop(connection, row.table_id)
    _follow_servers(connection, link, phone)
    write, seqs, misfits = Write(link, phone.pen), dict[int, int](), list[Misfit]()
    for each in waiting:
        place, before = places.get(each.seq), befores.get(each.seq, [])
        try:
            # What was paid may be what others have noted too.
            if paid and each.kind in ("pay", "unpay"):
                raise Stale("stale")
            change = _Added(Incoming(each.renumber(seqs), names), place, before)
            seqs[each.seq] = commit(db, write, change, Key(each.key, each.request), each.at).seq
        except ChicagoError as fault:
            reason = None if isinstance(fault, Stale) else fault
            at, event = clock.write_time(each.at), place.event if place else None
            misfits.append(Misfit(at, event, reason))
        else:
            if each.kind == "revise":
                names = rename_called(names, decode(each.text, ReviseBody).called)
    sheet = sheets.load_sheet(connection, find_access(connection, link, None))
    return Addition(sheet, len(waiting) - len(misfits), tuple(misfits))


def _find_effective(rows: Sequence[LogRow], base: int) -> list[LogRow]:
    """The rows that count, and what undoes, or brings again, something of before a version."""
    steps: dict[int | None, list[LogRow]] = {}
    for each in rows:
        if each.kind in ("undo", "redo"):
            steps.setdefault(each.target, []).append(each)
    # Undone and redone it is as it was.
    odd = {target: each[-1] for target, each in steps.items() if len(each) % 2}
    return [
        each
        for each in rows
        if (odd.get(each.target) == each and int(each.text) <= base)
        or not (each.kind in ("undo", "redo") or each.seq in odd)
    ]
