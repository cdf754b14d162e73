"""Pull and push: a phone follows the server's tables, and pushes its own rows of them.

Both have the same log up to a version, the phone's base. Its rows above that are made again as
changes, in order, and the answer is the server's rows since the base.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from app.http import cookies
from app.http.context import db
from app.rules.errors import BadFile, ChicagoError, Stale
from app.rules.json_input import decode
from app.rules.names import read_name
from app.rules.presets import read_rules
from app.services import figures, people, rule_sets, tables
from app.services.commit import commit, derive, form_key
from app.services.fold import Fold
from app.services.rows import (
    Incoming,
    LogRow,
    Seq,
    open_incoming,
    read_outside,
    read_rows,
)
from app.services.tables import (
    Access,
    NotFound,
    Write,
    add_pen,
    add_table,
    find_access,
    hash_secret,
    require_pen,
)
from app.store.connection import Connection
from app.store.database import Database

# One entry each: "language", "rules NAME" (as a game file writes them), "away LINK".
Key = Annotated[str, Meta(max_length=110)]
Value = Annotated[str, Meta(max_length=20_000)]
State = Annotated[dict[Key, Value | None], Meta(max_length=200)]


def read_state() -> dict[str, str | None]:
    """The state of the phone that asks."""
    texts = rule_sets.read_texts(db().connection, hash_secret(cookies.pen() or ""))
    away = [link for link, is_away in cookies.tables().items() if is_away]
    return {
        "language": cookies.language_choice(),
        **{f"rules {name}": text for name, text in texts.items()},
        **{f"away {link}": "" for link in away},
    }


def find_changes(before: State, now: State) -> dict[str, str | None]:
    """Entries of a state that differ from before; None for those that are gone."""
    return {key: now.get(key) for key in before | now if before.get(key) != now.get(key)}


def apply(changes: State) -> None:
    """Let the phone that asks have these entries; an unreadable one is passed over."""
    for key, value in changes.items():
        kind, _, name = key.partition(" ")
        with suppress(BadFile, NotFound):
            if kind == "language":
                cookies.choose_language(value or "")
            elif kind == "away":
                cookies.put_away(name, away=value is not None)
            elif kind == "rules":
                _keep_rules(name, value)


def _keep_rules(name: str, text: str | None) -> None:
    pen = cookies.take_pen()
    if text is not None:
        rule_sets.save(db(), pen, name, *read_rules(decode(text.encode())))
    for each in rule_sets.list_rule_sets(db(), pen) if text is None else ():
        if each.name == name:
            rule_sets.delete(db(), pen, each.id)


# Bytes of tables that are pulled at a time.
MOST_BYTES = 2_000_000

# A link opens nothing any more, or the pen does not write there.
Gone = Literal["gone", "no_pen"]
Link = Annotated[str, Meta(pattern=r"^([a-z0-9]{1,8}\.)?[A-Za-z0-9_-]{22,64}\Z")]
# As `swish.read_number` gives it.
SwishNumber = Annotated[str, Meta(pattern=r"^(07[0-9]{8}|123[0-9]{7})\Z")]
Person = tuple[Annotated[int, Meta(ge=1, le=tables.MAX_NAMES)], str, SwishNumber | None]


class Batch(msgspec.Struct, frozen=True):
    """A phone's rows of one table above version `base` (0: the server has none of it).

    `people` are all of the table's, with number, name and Swish number.
    """

    link: Link
    base: Seq
    people: Annotated[list[Person], Meta(max_length=tables.MAX_NAMES)]
    rows: Annotated[list[LogRow], Meta(min_length=1, max_length=500)]


class Replica(msgspec.Struct, frozen=True):
    """A table above version `since`, up to `seq`; of a whole one `seats` are the figures."""

    link: str
    since: int
    seq: int
    erased_seq: int
    rows: list[LogRow]
    people: list[Person]
    seats: list[dict[str, Any]]


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
    """Tables above the phone's versions, those that are gone, and the phone's state.

    `more`: the next pull, from these versions, gets other tables. Tables opened on the phone belong
    to the server `instance`; evenings are those of its time `zone`.
    """

    tables: list[Replica]
    gone: dict[str, Gone]
    more: bool
    state: State
    instance: str
    zone: str


def pull(
    db: Database, pen: str, have: Mapping[str, int]
) -> tuple[list[Replica], dict[str, Gone], bool]:
    """Tables above the versions that a phone has, those that are gone, and whether there is more.

    Version 0 is a table that the phone does not have.
    """
    tables, gone, size = list[Replica](), dict[str, Gone](), 0
    with db.snapshot() as connection:
        for link, base in have.items():
            try:
                table = find_access(connection, link, pen)
            except NotFound:
                gone[link] = "gone"
                continue
            if not table.writes:
                gone[link] = "no_pen"
            elif table.seq != base:
                if size > MOST_BYTES:
                    return tables, gone, True
                tables.append(read_replica(connection, table, base, table.seq))
                size += len(msgspec.json.encode(tables[-1]))
    return tables, gone, False


def read_replica(connection: Connection, table: Access, base: int, last: int) -> Replica:
    """A table above a version, up to another; all of it where something has been erased since."""
    since = base if table.erased_seq <= base <= table.seq else 0
    # Of a few games a phone counts the figures itself.
    whole = not since and last == table.seq
    seats = connection.table("seats").rows_where("table_id = ? AND ?", [table.id, whole])
    rows = read_rows(connection, table.id, since, last)
    # Keys are between the server and the sender of a change.
    keyless = [replace(row, key=None, request=None) for row in rows]
    known = read_people(connection, table.id)
    return Replica(table.link, since, last, table.erased_seq, keyless, known, [*seats])


def read_people(connection: Connection, table_id: int) -> list[Person]:
    """Everybody at a table, by number."""
    sql = "SELECT number, name, swish FROM people WHERE table_id = ? ORDER BY number"
    return [*connection.execute(sql, [table_id]).fetchall()]


def push(db: Database, batch: Batch, pen: str, seconds: float) -> Receipt:
    """Accept a phone's rows, in order, for about so many seconds, or up to a refused one.

    Raises Stale where others wrote since the base, NoPen, NotFound, and the first row's refusal;
    then nothing has changed.
    """
    deadline = time.monotonic() + seconds
    with db.transaction() as connection:
        _open(connection, batch, pen)
        write = Write(batch.link, pen)
        table = require_pen(connection, write)
        done, is_ours = _recognize(connection, table, batch, pen)
        if not (is_ours or done):
            raise Stale("stale")
        if is_ours:
            _add_people(connection, table.id, batch)
        for row in batch.rows[len(done) :] if is_ours else ():
            if done and time.monotonic() > deadline:
                break
            try:
                with read_outside():
                    change = Incoming(row.renumber(done))
                done[row.seq] = commit(db, write, change, row.hashes, row.at).seq
            except ChicagoError:
                if not done:
                    raise
                break
        table = find_access(connection, batch.link, None)
        return Receipt(done, read_replica(connection, table, batch.base, max(done.values())))


def _open(connection: Connection, batch: Batch, pen: str) -> None:
    """Open a table under the link that a phone chose, where nobody ever had that."""
    first, where = batch.rows[0], ("link_hash = ?", [hash_secret(batch.link)])
    if first.kind != "open" or batch.base or connection.table("tables").count_where(*where):
        return
    table_id = add_table(connection, batch.link, "")
    _add_people(connection, table_id, batch)
    names = people.find_names(connection, table_id, Fold())
    open_incoming(connection, table_id, add_pen(connection, table_id, pen), first, names)
    derive(connection, table_id)
    figures.recount(connection, table_id, max(1, first.game))


def _recognize(
    connection: Connection, table: Access, batch: Batch, pen: str
) -> tuple[dict[int, int], bool]:
    """The versions of a batch's first rows that are here, and whether all above its base is ours.

    A row is known by its key, or by that of the same form as the browser sent it here.
    """
    done = dict[int, int]()
    sql = """SELECT seq, kind, key FROM changes
        WHERE table_id = ? AND seq > ? AND kind <> 'pens' ORDER BY seq"""
    found = connection.execute(sql, [table.id, batch.base]).fetchall()
    # Rows of others behind all of it come with the next pull.
    for row, (seq, kind, key) in zip(batch.rows, found, strict=False):
        if kind != row.kind or key not in (row.key, form_key(pen, row.request or b"").key):
            return done, False
        done[row.seq] = seq
    return done, batch.base <= table.seq


def _add_people(connection: Connection, table_id: int, batch: Batch) -> None:
    """Give people the numbers that they have on a phone.

    Raises Stale where a phone has another name for a number, BadFile, NotAllowed.
    """
    names = people.find_names(connection, table_id, Fold())
    if any(names.get(number, name) != name for number, name, _ in batch.people):
        raise Stale("stale")
    new = {number for number, *_ in batch.people} - names.keys()
    tables.check("too_many_people", len(names) + len(new), tables.MAX_NAMES)
    if new:
        connection.newest.pop(table_id, None)
    sql = """INSERT INTO people (table_id, number, name, swish) VALUES (?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET swish = COALESCE(swish, excluded.swish)"""
    rows = [(table_id, number, read_name(name), swish) for number, name, swish in batch.people]
    connection.conn.executemany(sql, rows)
