"""Incoming rows: a row of another log, checked as all that comes from outside, and made again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Annotated, Any

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from app.rules.balances import Payment
from app.rules.errors import BadFile, NotAllowed, Stale
from app.rules.events import read_any_event
from app.rules.gamefile import FORMAT, MAX_EVENTS, read_game
from app.rules.names import read_name
from app.services import people, quotas
from app.services.commit import Change, Now, Step, bound
from app.services.figures import MOST
from app.services.fold import Body, GameBody, Kept, MendBody, Paid, PersonBody, ReviseBody, decode
from app.services.ledger import Ledger
from app.services.payments import Settling, Unpay
from app.services.play import DraftItem, Mend, Record, Redo, Start, Undo
from app.services.revise import Revise
from app.services.serialization import NAMED, rename, to_json, write_numbers, write_setup
from app.services.settings import Merge, Rename, Split
from app.services.tables import NotFound
from app.store import clock, log
from app.store.connection import Connection
from app.store.log import Key, Kind, Row

MAX_ID = 64
# Every entry came to its moment where the change was made.
ANYWHERE = range(MAX_EVENTS)
# What may come of reading something that nobody wrote.
UNREADABLE = (ValueError, LookupError, TypeError, RecursionError, OverflowError)

Names = Mapping[int, str]


class LogRow(msgspec.Struct, frozen=True, omit_defaults=True):
    """A change as it travels; on its way to the server with its key."""

    seq: Annotated[int, Meta(ge=1, le=10**15)]
    kind: Kind
    game: Annotated[int, Meta(ge=0, le=quotas.MAX_GAMES)]
    body: msgspec.Raw
    at: Annotated[datetime, Meta(tz=True)]
    entries: Annotated[int, Meta(ge=0, le=10**15)] = 0
    key: Annotated[bytes, Meta(max_length=64)] = b""
    request: Annotated[bytes, Meta(max_length=64)] = b""

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> LogRow:
        """A row as the database has it."""
        at, body = datetime.fromisoformat(row["at"]), msgspec.Raw(row["body"].encode())
        keys = row["key"] or b"", row["request"] or b""
        return cls(row["seq"], row["kind"], row["game"], body, at, row["entries"], *keys)

    @property
    def text(self) -> str:
        """The body as the log has it."""
        return bytes(self.body).decode()

    @property
    def target(self) -> int | None:
        """The version that the change takes back, or brings again; None for any other change."""
        return int(self.text) if self.kind in ("undo", "redo", "unpay") else None

    def renumber(self, seqs: Mapping[int, int]) -> LogRow:
        """The same row where it, and its target, have other versions."""
        target = self.target
        body = self.body if target is None else msgspec.Raw(b"%d" % seqs.get(target, target))
        return replace(self, seq=seqs.get(self.seq, self.seq), body=body)

    @property
    def columns(self) -> dict[str, object]:
        """The row as the database has it, but for the table."""
        times = {"body": self.text, "at": clock.write_time(self.at)}
        keys = {"key": self.key or None, "request": self.request or None}
        return msgspec.structs.asdict(self) | times | keys


def find_numbers(value: object, *, named: bool = False) -> Iterator[int]:
    """The numbers of people that a body names."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from find_numbers(each, named=named or key in (*NAMED, "called"))
    elif isinstance(value, list):
        for each in value:
            yield from find_numbers(each, named=named)
    elif named and isinstance(value, int):
        yield value


class Incoming(Change, frozen=True):
    """A change that was made elsewhere, as whoever makes it here writes its versions.

    `names` are its people's by number, None where they have the numbers that they have here.
    """

    row: LogRow
    names: Names | None = None

    def make(self, now: Now) -> Step | None:
        """Make it again.

        Raises BadFile for what is none, or is not there; Stale where it would be another game, or
        take back something else; NotAllowed.
        """
        row, names = self.row, now.sheet.names if self.names is None else self.names
        newest = now.sheet.number
        if row.kind in ("start", "import") and row.game != newest + 1:
            raise Stale("stale")
        if row.kind == "import":
            return _import(now, row, names)
        with read_outside():
            change, target = _read(row, names, newest), row.target
        try:
            step = change.make(now)
        except NotFound as fault:
            raise BadFile(fault.code, **fault.values) from None
        if step and target is not None and step.body != str(target):
            raise Stale("stale")
        return step


def _read(row: LogRow, names: Names, newest: int) -> Change:
    match row.kind:
        case "record":
            return Record(rename(decode(row.text, Body), names))
        case "mend":
            body = decode(row.text, MendBody)
            return Mend(row.game, read_mended(body.entries, names), ANYWHERE)
        case "revise":
            return _read_revise(decode(row.text, ReviseBody), names, newest)
        case "start":
            begun = decode(row.text, GameBody)
            return Start(rename(begun.setup, names), begun.currency)
        case "undo":
            return Undo()
        case "redo":
            return Redo()
        case "pay":
            paid = decode(row.text, tuple[Paid, ...])
            return _Paid(tuple(Payment(names[p], names[q], *how) for p, q, *how in paid))
        case "unpay":
            return Unpay(int(row.text))
        case "people":
            person = decode(row.text, PersonBody)
            name, other = names[person.person], person.same_as
            return Split(name) if other is None else Merge(name, names[other])
        case "rename":
            return Rename(decode(row.text, str))
    raise BadFile("not_a_table")


class _Paid(Settling, frozen=True):
    """Payments as they were, whatever was owed."""

    payments: tuple[Payment, ...]

    def choose(self, now: Ledger) -> Sequence[Payment]:
        """The payments. Raises BadFile for one that is none."""
        known = now.people.numbers
        for paid in self.payments:
            between = paid.payer, paid.payee
            if not ({*between} <= {*known} and len({*between}) == 2 and 1 <= paid.ore <= MOST):
                raise BadFile("not_a_table")
        return self.payments


@contextmanager
def read_outside() -> Iterator[None]:
    """Read what anybody may have written. Raises BadFile where it cannot be read."""
    try:
        yield
    except (*UNREADABLE, msgspec.MsgspecError):
        raise BadFile("not_a_table") from None


def read_mended(entries: Iterable[Kept | Body], names: Names) -> list[DraftItem]:
    """The entries of a mended game, each that is kept by its index. Raises BadFile."""
    items = list[DraftItem]()
    for each in entries:
        if isinstance(each, dict):
            items.append(read_any_event(rename(each, names)))
        elif 0 <= each[0] <= each[1] <= MAX_EVENTS:
            items += range(*each)
        else:
            raise BadFile("not_a_table")
        if len(items) > MAX_EVENTS:
            raise BadFile("too_many_events", limit=MAX_EVENTS)
    return items


def _read_revise(body: ReviseBody, names: Names, newest: int) -> Revise:
    if body.game != newest:
        raise Stale("stale")
    after = rename_called(names, body.called)
    new = {name: after[number] for number, name in names.items() if after[number] != name}
    agreed, entries = rename(body.setup, after), read_mended(body.entries, after)
    return Revise(agreed, new, currency=body.currency, entries=entries, moved=ANYWHERE)


def rename_called(names: Names, called: Mapping[int, int]) -> dict[int, str]:
    """By which name everybody goes once some go by others' names."""
    return {number: names[called.get(number, number)] for number in names}


def _read_begun(row: LogRow, names: Names) -> GameBody:
    """How a game began, and all of it where it was played elsewhere. Raises BadFile, NotAllowed."""
    with read_outside():
        body: GameBody = decode(row.text, GameBody)
        events = [rename(event, names) for event, _ in body.events]
        setup = rename(body.setup, names)
        game = read_game({**setup, "format": FORMAT, "events": events})
        times = [bound(datetime.fromisoformat(at)) for _, at in body.events]
    game.states()
    if not 0 < len(body.id) <= MAX_ID:
        raise BadFile("not_a_table")
    numbers = people.numbers_of(names)
    events = [write_numbers(event, numbers) for event in game.events]
    name, entries = read_name(body.name) if body.name else "", zip(events, times, strict=True)
    setup = write_setup(game.setup, numbers)
    return replace(body, setup=setup, name=name, events=tuple(entries))


def open_incoming(
    connection: Connection, table_id: int, pen_id: int, row: LogRow, names: Names
) -> None:
    """Begin the log of a table. Raises BadFile, NotAllowed."""
    text = to_json(_read_begun(row, names))
    weight = quotas.add_entries(0, text)
    first = Row(1, "open", max(1, row.game), text, bound(row.at), None, weight)
    log.append(connection, table_id, first, pen_id, Key(row.key, row.request))


def _import(now: Now, row: LogRow, names: Names) -> Step:
    if not now.sheet.state.over:
        raise NotAllowed("still_playing")
    quotas.check("too_many_games", row.game, quotas.MAX_GAMES)
    body = to_json(_read_begun(row, names))
    return Step("import", row.game, body, None, row.game, 0, settings=True)
