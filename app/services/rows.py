"""Rows of a table's log as they travel, and the change that each of them is made again as."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Annotated

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from app.rules.codes import BadFile, NotAllowed, Stale
from app.rules.events import read_any_event
from app.rules.gamefile import FORMAT, MAX_EVENTS, Game, read_game
from app.rules.names import read_name
from app.services import bounds, table_view
from app.services.access import NotFound
from app.services.commit import Change, ChangeContext, Proposal, bound
from app.services.edit import Edit, Item
from app.services.ledger import Ledger, Payment
from app.services.payments import PayInAdvance, Settle, Unpay
from app.services.people import Merge, Rename, Split
from app.services.play import Record, Redo, Start, Undo, check_currency
from app.services.table_view import (
    Body,
    EditBody,
    GameBody,
    LoggedPayment,
    PersonBody,
    decode,
    rename,
    to_json,
    write_numbers,
    write_setup,
)
from app.store import clock, log, schema
from app.store.database import Connection
from app.store.log import ChangeKind, ChangeRow, Key

MAX_ID, MAX_SEQ = 64, 10**15
UNREADABLE = (
    ValueError,
    LookupError,
    TypeError,
    RecursionError,
    OverflowError,
    msgspec.MsgspecError,
)

Seq = Annotated[int, Meta(ge=0, le=MAX_SEQ)]
Hash = Annotated[bytes, Meta(max_length=64)]
Names = Mapping[int, str]


class LogRow(msgspec.Struct, frozen=True, omit_defaults=True):
    """A row of the log; on its way to the server with its key."""

    seq: Seq
    kind: ChangeKind
    game: Annotated[int, Meta(ge=0, le=bounds.MAX_GAMES)]
    body: str
    at: Annotated[datetime, Meta(tz=True)]
    entries: Seq = 0
    key: Hash | None = None
    request: Hash | None = None

    @property
    def hashes(self) -> Key | None:
        """Its key in the log, if it has one."""
        return Key(self.key, self.request or b"") if self.key else None

    @property
    def target(self) -> int | None:
        """The version that the change takes back, or brings again; None for any other change."""
        return int(self.body) if self.kind in ("undo", "redo", "unpay") else None

    def renumber(self, seqs: Mapping[int, int]) -> LogRow:
        """The row where it and its target have other versions. Raises BadFile."""
        with untrusted_input():
            target = self.target
        body = self.body if target is None else str(seqs.get(target, target))
        return replace(self, seq=seqs.get(self.seq, self.seq), body=body)


def read_rows(
    connection: Connection, table_id: int, since: int, until: int = MAX_SEQ, limit: int = -1
) -> list[LogRow]:
    """The rows of a table above one version, up to another, the first of them up to a limit."""
    where = ("table_id = ? AND seq > ? AND seq <= ?", [table_id, since, until], "seq")
    rows = connection.table("changes").rows_where(*where, limit=limit)
    # Imported games of before have times as their files wrote them.
    times = ({**row, "at": datetime.fromisoformat(row["at"])} for row in rows)
    return [msgspec.convert(row, LogRow) for row in times]


def write_rows(connection: Connection, table_id: int, rows: Iterable[LogRow]) -> None:
    """Append rows to a table's log as they are."""
    connection.table("changes").insert_all(
        {**msgspec.structs.asdict(row), "at": clock.write_time(row.at), "table_id": table_id}
        for row in rows
    )


@contextmanager
def untrusted_input() -> Iterator[None]:
    """Read data of unknown origin. Raises BadFile where it cannot be read."""
    try:
        yield
    except UNREADABLE:
        raise BadFile("not_a_table") from None


class RemoteChange(Change, frozen=True):
    """A row of another log, made again.

    `names` are its people's by number, None where they have the numbers that they have here.
    """

    row: LogRow
    names: Names | None = None

    def make(self, now: ChangeContext) -> Proposal | None:
        """Check the change by the rules.

        Raises BadFile for an unreadable one; Stale where it would be another game, or take back
        another change; NotAllowed.
        """
        row, names = self.row, now.view.names if self.names is None else self.names
        newest = now.view.number
        if row.kind in ("start", "import") and row.game != newest + 1:
            raise Stale("stale")
        if row.kind == "import":
            return _import(now, row, names)
        with untrusted_input():
            change, target = _read(row, names, newest), row.target
        try:
            proposal = change.make(now)
        except NotFound as fault:
            raise BadFile(fault.code, **fault.values) from None
        if proposal and target is not None and proposal.body != str(target):
            raise Stale("stale")
        return proposal


def _read(row: LogRow, names: Names, newest: int) -> Change:
    match row.kind:
        case "record":
            return Record(rename(decode(row.body, Body), names))
        case "edit":
            return _read_edit(row, names, newest)
        case "start":
            begun = decode(row.body, GameBody)
            return Start(rename(begun.setup, names), begun.currency)
        case "undo":
            return Undo()
        case "redo":
            return Redo()
        case "pay":
            paid = decode(row.body, tuple[LoggedPayment, ...])
            return _RecordedPayments(
                tuple(Payment(names[p], names[q], *how) for p, q, *how in paid)
            )
        case "unpay":
            return Unpay(int(row.body))
        case "people":
            person = decode(row.body, PersonBody)
            name, other = names[person.person], person.same_as
            return Split(name) if other is None else Merge(name, names[other])
        case "rename":
            return Rename(decode(row.body, str))
    raise BadFile("not_a_table")


class _RecordedPayments(Settle, frozen=True):
    """Payments as they were, whatever was owed."""

    payments: tuple[Payment, ...]

    def choose(self, now: Ledger) -> Sequence[Payment]:
        """The payments. Raises as one in advance."""
        made = (
            PayInAdvance((each.payer, each.payee), each.way, each.ore) for each in self.payments
        )
        return [each for change in made for each in change.choose(now)]


def _read_items(body: EditBody, names: Names) -> list[Item]:
    """The entries of an edited game, each that is kept by its index. Raises BadFile."""
    items = list[Item]()
    for each in body.entries:
        if isinstance(each, dict):
            items.append(read_any_event(rename(each, names)))
        elif 0 <= each[0] <= each[1] <= MAX_EVENTS:
            items += range(*each)
        else:
            raise BadFile("not_a_table")
        if len(items) > MAX_EVENTS:
            raise BadFile("too_many_events", limit=MAX_EVENTS)
    return items


def _read_edit(row: LogRow, names: Names, newest: int) -> Edit:
    body: EditBody = decode(row.body, EditBody)
    if row.game:
        return Edit(row.game, entries=_read_items(body, names))
    if body.game != newest:
        raise Stale("stale")
    # Where no dealer is named, every player is tried.
    if body.setup is None or "dealer" not in body.setup:
        raise BadFile("not_a_table")
    after = rename_called(body, names)
    new = {name: after[number] for number, name in names.items() if after[number] != name}
    entries, agreed = _read_items(body, after), rename(body.setup, after)
    return Edit(entries=entries, agreed=agreed, names=new, currency=body.currency)


def rename_called(body: EditBody, names: Names) -> dict[int, str]:
    """Everybody's name once some go by others' names."""
    return {number: names[body.called.get(number, number)] for number in names}


def open_remote_table(
    connection: Connection, table_id: int, pen_id: int, row: LogRow, names: Names
) -> None:
    """Begin the log of a table. Raises BadFile, NotAllowed."""
    begun, game = _read_begun(row, names), max(1, row.game)
    at, text = bound(row.at), to_json(begun)
    if at == clock.EARLIEST and not begun.events:
        at = clock.now()
    first = ChangeRow(1, "open", game, text, at, None, bounds.weigh(text))
    log.append(connection, table_id, first, pen_id, row.hashes)


def _import(now: ChangeContext, row: LogRow, names: Names) -> Proposal:
    if not now.view.state.over:
        raise NotAllowed("still_playing")
    begun = _read_begun(row, names)
    check_currency(now, begun.currency)
    sql = f"""SELECT COUNT(*) FROM changes WHERE table_id = ?
        AND {schema.STARTS} AND undone IS NULL AND body ->> '$.id' = ?"""  # noqa: S608
    if now.connection.find_number(sql, now.table.id, begun.id):
        raise BadFile("not_a_table")
    return Proposal("import", row.game, to_json(begun), settings=True)


def _read_begun(row: LogRow, names: Names) -> GameBody:
    """The beginning of a game, with its events if it was played elsewhere.

    Raises BadFile, NotAllowed.
    """
    with untrusted_input():
        body: GameBody = decode(row.body, GameBody)
        game = _read_game(body, names)
        times = [bound(datetime.fromisoformat(at)) for _, at in body.events]
    bounds.check_points(game.states()[-1])
    if not 0 < len(body.id) <= MAX_ID:
        raise BadFile("not_a_table")
    numbers = table_view.numbers_of(names)
    entries = zip((write_numbers(event, numbers) for event in game.events), times, strict=True)
    # Only what opens a table has the table's name.
    name = read_name(body.name) if body.name and row.kind == "open" else ""
    setup = write_setup(game.setup, numbers)
    return replace(body, setup=setup, name=name, events=tuple(entries))


def _read_game(body: GameBody, names: Names) -> Game:
    events = [rename(event, names) for event, _ in body.events]
    return read_game({**rename(body.setup, names), "format": FORMAT, "events": events})


def is_same(row: LogRow, body: str, names: Names) -> bool:
    """Whether a row asks for what a change says; ids and times of games may differ.

    Raises BadFile, Stale.
    """
    other = replace(row, body=body)
    with untrusted_input():
        if row.kind in ("open", "import", "start"):
            games = [_read_game(decode(each.body, GameBody), names) for each in (row, other)]
            return games[0] == games[1]
        newest = decode(body, EditBody).game if row.kind == "edit" else 0
        changes = [_read(each, names, newest) for each in (row, other)]
        return row.target == other.target and changes[0] == changes[1]
