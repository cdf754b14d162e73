"""Pull and push: a phone follows the server's tables, and pushes its own rows of them.

Both have the same log up to a version, the phone's base. Its rows above that are made again as
changes, in order, and the answer is the server's rows since the base.
"""

import logging
import time
from collections.abc import Iterator, Mapping
from typing import Annotated, Literal, TypeVar

import msgspec
from flask import request
from msgspec import Meta
from msgspec.structs import replace
from werkzeug.exceptions import BadRequest

from app.http import cookies
from app.http.context import db
from app.http.limits import one_at_a_time
from app.rules.codes import BadFile, ChicagoError, Stale
from app.rules.names import decode, read_name, too_deep
from app.rules.presets import read_rules
from app.services import access, bounds, figures, phones, table_view
from app.services.access import (
    Access,
    NotFound,
    Write,
    add_pen,
    find_access,
    hash_secret,
    require_pen,
)
from app.services.commit import KeyReused, commit, derive, form_key
from app.services.opening import add_table
from app.services.rows import (
    UNREADABLE,
    LogRow,
    RemoteChange,
    Seq,
    is_same,
    open_incoming,
    read_rows,
)
from app.services.table_view import Fold
from app.store.database import Connection, Database

_log = logging.getLogger(__name__)
T = TypeVar("T")
# One entry each: "language", "rules NAME" (as a game file writes them), "away LINK".
Key = Annotated[str, Meta(max_length=110)]
Value = Annotated[str, Meta(max_length=20_000)]
State = Annotated[dict[Key, Value | None], Meta(max_length=200)]


# What bundles of before call an edit; within a body quotes are escaped.
OLD_EDITS = (b'"kind":"mend"', b'"kind":"revise"')


def read_body(body_type: type[T]) -> T:
    """The body of a request. Raises BadRequest."""
    data = request.get_data()
    if too_deep(data):
        raise BadRequest
    return read(body_type, data)


def read(body_type: type[T], data: bytes) -> T:
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


def find_changes(before: State, now: State) -> dict[str, str | None]:
    """Entries of a state that differ from before; None for those that are gone."""
    return {key: now.get(key) for key in before | now if before.get(key) != now.get(key)}


def apply(changes: State) -> set[str]:
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
                elif kind == "rules":
                    _keep_rules(name, value)
            except (BadFile, NotFound):
                unreadable.add(key)
    return unreadable


def _keep_rules(name: str, text: str | None) -> None:
    pen = cookies.get_or_create_pen()
    if text is None:
        phones.delete_rule_set(db(), pen, name)
    else:
        phones.save_rule_set(db(), pen, name, *read_rules(decode(text.encode())))


# So many rows are read at once.
SLICE = 100

# A link opens nothing any more, or the pen does not write there.
Gone = Literal["gone", "no_pen"]
# The last version of a table, and when it was made.
Head = tuple[int, str]
Link = Annotated[str, Meta(pattern=access.LINK)]
Name = Annotated[str, Meta(max_length=200)]
# As `swish.read_number` gives it.
SwishNumber = Annotated[str, Meta(pattern=r"^(07[0-9]{8}|123[0-9]{7})\Z")]
Person = tuple[Annotated[int, Meta(ge=1, le=bounds.MAX_NAMES)], Name, SwishNumber | None]


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


def find_behind(
    connection: Connection, pen: str, have: Mapping[str, int]
) -> tuple[list[tuple[Access, int]], dict[str, Gone], dict[str, Head]]:
    """Tables that have changed since the versions of a phone, with these, those gone, and `lost`.

    Version 0 is a table that the phone does not have.
    """
    behind, gone, lost = list[tuple[Access, int]](), dict[str, Gone](), dict[str, Head]()
    for link, base in have.items():
        try:
            table = find_access(connection, link, pen)
        except NotFound:
            if _was_here(connection, link):
                gone[link] = "gone"
            else:
                lost[link] = 0, ""
            continue
        if table.seq < base:
            lost[link] = table.seq, table.at
        elif not table.writes:
            gone[link] = "no_pen"
        elif table.seq != base:
            behind.append((table, base))
    return behind, gone, lost


def _was_here(connection: Connection, link: str) -> bool:
    """Whether anybody ever had a table under a link; one that is deleted leaves its row."""
    return connection.table("tables").count_where("link_hash = ?", [hash_secret(link)]) > 0


def write_replicas(db: Database, behind: list[tuple[Access, int]]) -> Iterator[bytes]:
    """Write a list of tables above versions."""
    opening = b"["
    for table, base in behind:
        yield opening
        yield from write_replica(db, table, base, table.seq)
        opening = b","
    yield b"]" if behind else b"[]"


def write_replica(db: Database, table: Access, base: int, last: int) -> Iterator[bytes]:
    """Write a table above a version, up to another; all of it where something was erased since.

    Others are served in between: what is erased meanwhile makes it older than the next erasure.
    Where a row cannot be read null ends it, which phones take for a table that they cannot read.
    """
    since = base if table.erased_seq <= base <= table.seq else 0
    # Of a few games a phone counts the figures itself.
    whole = not since and last == table.seq
    with one_at_a_time(), db.snapshot() as connection:
        known = read_people(connection, table.id)
        names = connection.table("seats").columns_dict if whole else {}
        columns = ", ".join(f"'{name}', {name}" for name in names)
        sql = f"SELECT json_group_array(json_object({columns})) FROM seats WHERE table_id = ? AND ?"  # noqa: S608  # our own names
        (seats,) = connection.execute(sql, [table.id, whole]).fetchone()
        head = Replica(table.link, since, last, table.erased_seq, known, msgspec.Raw(seats))
        text = msgspec.json.encode(head).removesuffix(b"]}")
    yield text
    comma = b""
    try:
        while since < last and (rows := _read_slice(db, table.id, since, last)):
            yield comma + msgspec.json.encode(rows)[1:-1]
            comma, since = b",", rows[-1].seq
    except UNREADABLE:
        _log.exception("a table cannot be sent")
        yield comma + b"null"
    yield b"]}"


def _read_slice(db: Database, table_id: int, since: int, last: int) -> list[LogRow]:
    """The next rows of a table; keys are between the server and the sender of a change."""
    with one_at_a_time(), db.snapshot() as connection:
        rows = read_rows(connection, table_id, since, last, SLICE)
    return [replace(row, key=None, request=None) for row in rows]


def read_people(connection: Connection, table_id: int) -> list[Person]:
    """Everybody at a table, by number."""
    sql = "SELECT number, name, swish FROM people WHERE table_id = ? ORDER BY number"
    return [*connection.execute(sql, [table_id]).fetchall()]


def push(db: Database, batch: Batch, pen: str, seconds: float) -> tuple[dict[int, int], Access]:
    """Accept a phone's rows, in order, for about so many seconds, or up to a refused one.

    Returns the versions that they have here, and the table. Raises Stale where others wrote since
    the base, NoPen, NotFound, KeyReused, and the first row's refusal; then nothing has changed.
    """
    deadline = time.monotonic() + seconds
    with db.transaction() as connection:
        _open(connection, batch, pen)
        table = require_pen(connection, Write(batch.link, pen))
        done, is_ours = _recognize(connection, table, batch, pen, deadline)
        if not (is_ours or done):
            raise Stale("stale")
        if is_ours:
            _add_people(connection, table.id, batch)
        seq = table.seq
        for row in batch.rows[len(done) :] if is_ours else ():
            if done and time.monotonic() > deadline:
                break
            try:
                change = RemoteChange(row.renumber(done))
                # At this version no key is known: one that comes again is of something else.
                write = Write(batch.link, pen, seq)
                done[row.seq] = seq = commit(db, write, change, row.hashes, row.at).seq
            except ChicagoError:
                if not done:
                    raise
                break
        return done, find_access(connection, batch.link, None)


def _open(connection: Connection, batch: Batch, pen: str) -> None:
    """Open a table under the link that a phone chose, where nobody ever had that."""
    first = batch.rows[0]
    if first.kind != "open" or batch.base or _was_here(connection, batch.link):
        return
    table_id = add_table(connection, batch.link, "")
    _add_people(connection, table_id, batch)
    names = table_view.find_names(connection, table_id, Fold())
    open_incoming(connection, table_id, add_pen(connection, table_id, pen), first, names)
    derive(connection, table_id)
    figures.recount_game(connection, table_id, max(1, first.game))


def _recognize(
    connection: Connection, table: Access, batch: Batch, pen: str, deadline: float
) -> tuple[dict[int, int], bool]:
    """The versions of a batch's first rows that are here, and whether all above its base is ours.

    A row is known by its key, or by that of the same form as the browser sent it here. Raises
    KeyReused for one that says something else. After the deadline no more is looked at.
    """
    done = dict[int, int]()
    sql = """SELECT seq, kind, key, body FROM changes
        WHERE table_id = ? AND seq > ? AND kind <> 'pens' ORDER BY seq LIMIT ?"""
    found = connection.execute(sql, [table.id, batch.base, len(batch.rows)]).fetchall()
    names = table_view.find_names(connection, table.id, Fold())
    # Rows of others behind all of it come with the next pull.
    for row, (seq, kind, key, body) in zip(batch.rows, found, strict=False):
        keys = (row.key, form_key(pen, row.request or b"").key)
        if not row.key or key not in keys or (done and time.monotonic() > deadline):
            return done, False
        # An erasure may have rewritten it.
        known = seq <= table.erased_seq or is_same(row.renumber(done), body, names)
        if kind != row.kind or not known:
            raise KeyReused("key_reused")
        done[row.seq] = seq
    return done, batch.base <= table.seq


def _add_people(connection: Connection, table_id: int, batch: Batch) -> None:
    """Give people the numbers that they have on a phone.

    Raises Stale where a phone has another name for a number, BadFile, NotAllowed.
    """
    names = table_view.find_names(connection, table_id, Fold())
    rows = [(table_id, number, read_name(name), swish) for number, name, swish in batch.people]
    if any(names.get(number, name) != name for _, number, name, _ in rows):
        raise Stale("stale")
    new = {number for number, *_ in batch.people} - names.keys()
    many = len(names) + len(new)
    bounds.check("too_many_people", many, bounds.MAX_NAMES)
    # They follow on each other, as far as any phone reads them.
    if new and max(new) > many:
        raise BadFile("not_a_table")
    if new:
        connection.newest.pop(table_id, None)
    sql = """INSERT INTO people (table_id, number, name, swish) VALUES (?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET swish = COALESCE(swish, excluded.swish)"""
    connection.conn.executemany(sql, rows)
