"""What travels between a phone and its server: rows of logs, messages with them, and settings.

Both have the same log up to a version, the phone's base. Its rows above that are made again as
changes, in order, and the answer is the server's rows since the base.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Annotated, Literal, TypeVar

import msgspec
from flask import request
from msgspec import Meta
from msgspec.structs import replace
from werkzeug.exceptions import BadRequest

from app.http import cookies
from app.http.context import db
from app.rules.codes import BadFile, NotAllowed, Stale
from app.rules.events import read_any_event
from app.rules.gamefile import FORMAT, MAX_EVENTS, Game, read_game
from app.rules.names import decode as read_json
from app.rules.names import read_name, too_deep
from app.rules.presets import read_rules
from app.services import access, bounds, phones, table_view
from app.services.access import NotFound, hash_secret
from app.services.commit import Change, ChangeContext, Proposal, clamp_time
from app.services.edit import Edit, EditItem
from app.services.ledger import Ledger, Payment
from app.services.payments import PayInAdvance, Settle, Unpay
from app.services.people import Merge, Rename, Split
from app.services.play import Record, Redo, Start, Undo, check_currency
from app.services.table_view import (
    EditBody,
    GameBody,
    JsonObject,
    LoggedPayment,
    PersonBody,
    decode,
    rename,
    to_json,
    write_numbers,
    write_setup,
)
from app.store import clock, log
from app.store.database import Connection
from app.store.log import ChangeKind, ChangeRow, Key

Message = TypeVar("Message")
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

    def renumber(self, seqs: Mapping[int, int]) -> "LogRow":
        """The row where it and its target have other versions. Raises BadFile."""
        with untrusted_input():
            target = self.target
        body = self.body if target is None else str(seqs.get(target, target))
        return replace(self, seq=seqs.get(self.seq, self.seq), body=body)


def read_rows(
    connection: Connection,
    table_id: int,
    since: int,
    until: int = MAX_SEQ,
    limit: int = -1,
    *,
    keyed: bool = False,
) -> list[LogRow]:
    """The rows of a table above one version, up to another, the first of them up to a limit.

    Keys are between the server and the sender of a change: only those that are `keyed` have them.
    """
    where = ("table_id = ? AND seq > ? AND seq <= ?", [table_id, since, until], "seq")
    columns = "seq, kind, game, body, at, entries"
    columns += ", key, request" if keyed else ""
    rows = connection.table("changes").rows_where(*where, columns, limit)
    # Imported games of before have times as their files wrote them.
    times = ({**row, "at": datetime.fromisoformat(row["at"])} for row in rows)
    return [msgspec.convert(row, LogRow) for row in times]


# One entry each: "language", "rules NAME" (as a game file writes them), "away LINK".
State = Annotated[
    dict[Annotated[str, Meta(max_length=110)], Annotated[str, Meta(max_length=20_000)] | None],
    Meta(max_length=200),
]


# What bundles of before call an edit; within a body quotes are escaped.
OLD_EDITS = (b'"kind":"mend"', b'"kind":"revise"')


def read_body(body_type: type[Message]) -> Message:
    """The body of a request. Raises BadRequest."""
    data = request.get_data()
    if too_deep(data):
        raise BadRequest
    return read_message(body_type, data)


def read_message(body_type: type[Message], data: bytes) -> Message:
    """What a server or its phone wrote, however large. Raises BadRequest."""
    for kind in OLD_EDITS:
        data = data.replace(kind, b'"kind":"edit"')
    try:
        return msgspec.json.decode(data, type=body_type)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise BadRequest from None


def read_state() -> dict[str, str | None]:
    """The state of the phone that asks."""
    texts = phones.read_rule_sets(db().connection, hash_secret(cookies.pen() or ""))
    away = [link for link, is_away in cookies.tables().items() if is_away]
    return {
        "language": cookies.language_choice(),
        **{f"rules {name}": text for name, text in texts.items()},
        **{f"away {link}": "" for link in away},
    }


def compare_states(before: State, now: State) -> dict[str, str | None]:
    """Entries of a state that differ from before; None for those that are gone."""
    return {key: now.get(key) for key in before | now if before.get(key) != now.get(key)}


def apply_state(changes: State) -> set[str]:
    """Let the phone that asks have these entries; returns those that cannot be read."""
    unreadable = set[str]()
    with db().transaction():
        for key, value in changes.items():
            kind, _, name = key.partition(" ")
            try:
                if kind == "language":
                    cookies.choose_language(value or "")
                elif kind == "away":
                    cookies.archive(name, away=value is not None)
                elif kind == "rules" and value is not None:
                    rules = read_rules(read_json(value.encode()))
                    phones.save_rule_set(db(), cookies.get_or_create_pen(), name, *rules)
                elif kind == "rules":
                    phones.delete_rule_set(db(), cookies.pen(), name)
            except (BadFile, NotFound):
                unreadable.add(key)
    return unreadable


# A link opens nothing any more, or the pen does not write there.
Gone = Literal["gone", "no_pen"]
# The last version of a table, and when it was made.
Head = tuple[int, str]
Link = Annotated[str, Meta(pattern=access.LINK)]
# A number, a name, and a Swish number as `read_swish_number` gives it.
Person = tuple[
    Annotated[int, Meta(ge=1, le=bounds.MAX_NAMES)],
    Annotated[str, Meta(max_length=200)],
    Annotated[str, Meta(pattern=r"^(07[0-9]{8}|123[0-9]{7})\Z")] | None,
]


class Batch(msgspec.Struct, frozen=True):
    """A phone's rows of one table above version `base` (0: the server has none of it).

    `people` are all of the table's, with number, name and Swish number.
    """

    link: Link
    base: Seq
    people: Annotated[list[Person], Meta(max_length=bounds.MAX_NAMES)]
    rows: Annotated[list[LogRow], Meta(min_length=1, max_length=500)]


NO_SEATS = msgspec.Raw(b"[]")


class Replica(msgspec.Struct, frozen=True):
    """A table above version `since`, up to `seq`; of a whole one `seats` are the figures.

    Those are JSON: of thousands of games nothing is made in between.
    """

    link: str
    since: int
    seq: int
    erased_seq: int
    people: list[Person]
    seats: msgspec.Raw = NO_SEATS
    rows: list[LogRow] = []


class Receipt(msgspec.Struct, frozen=True):
    """The answer to a push: `seqs` leads from versions of accepted rows to those here.

    `table` is the server's since the phone's base, up to the last of them. A refusal has a
    `message` alone.
    """

    seqs: dict[int, int] = {}
    table: Replica | None = None
    message: str = ""


class Pull(msgspec.Struct, frozen=True):
    """The versions of a phone's tables, by link, and changes of its state."""

    have: Annotated[dict[str, Seq], Meta(max_length=1000)] = {}
    state: State = {}


class Pulled(msgspec.Struct, frozen=True):
    """Replicas of tables, those that are gone, and the phone's state.

    Of `lost` tables the server has less than the phone had of it, as after a backup was put back:
    its last version, 0 where it knows none, and when that was made. Tables opened on the phone
    belong to the server `instance`; evenings are those of its time `zone`, and it is `now` there.
    """

    tables: list[msgspec.Raw]
    gone: dict[str, Gone]
    state: State
    instance: str
    zone: str
    now: str = ""
    lost: dict[str, Head] = {}


def read_people(connection: Connection, table_id: int) -> list[Person]:
    """Everybody at a table, by number."""
    sql = "SELECT number, name, swish FROM people WHERE table_id = ? ORDER BY number"
    return [*connection.execute(sql, [table_id]).fetchall()]


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
            return Record(rename(decode(row.body, JsonObject), names))
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


def _read_items(body: EditBody, names: Names) -> list[EditItem]:
    """The entries of an edited game, each that is kept by its index. Raises BadFile."""
    items = list[EditItem]()
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
    at, text = clamp_time(row.at), to_json(begun)
    if at == clock.EARLIEST and not begun.events:
        at = clock.now()
    first = ChangeRow(1, "open", game, text, at, None, bounds.weigh(text))
    log.append(connection, table_id, first, pen_id, row.hashes)


def _import(now: ChangeContext, row: LogRow, names: Names) -> Proposal:
    if not now.view.state.over:
        raise NotAllowed("still_playing")
    begun = _read_begun(row, names)
    check_currency(now, begun.currency)
    if any(uid == begun.id for *_, uid in log.find_starts(now.connection, now.table.id)):
        raise BadFile("not_a_table")
    return Proposal("import", row.game, to_json(begun), changes_table=True)


def _read_begun(row: LogRow, names: Names) -> GameBody:
    """The beginning of a game, with its events if it was played elsewhere.

    Raises BadFile, NotAllowed.
    """
    with untrusted_input():
        body: GameBody = decode(row.body, GameBody)
        game = _read_game(body, names)
        times = [clamp_time(datetime.fromisoformat(at)) for _, at in body.events]
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
