"""The exchange of tables between a phone and the server: pulled to it, and pushed from it.

Both have the same log up to a version, the phone's base. What waits on the phone are the rows above
it; the server makes each anew as a change, and answers with the rows that it has since the base.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from app.rules.errors import Stale
from app.rules.names import read_name
from app.services import figures, people, quotas
from app.services.commit import commit, derive, form_key
from app.services.fold import Fold, GameBody, decode
from app.services.tables import (
    Access,
    NoPen,
    NotFound,
    Write,
    add_pen,
    add_table,
    find_access,
    hash_secret,
)
from app.store.connection import Connection
from app.store.database import Database
from app.store.log import Key
from app.sync.incoming import Incoming, LogRow, find_numbers, open_incoming, read_outside
from app.sync.phone_state import PhoneState

# Bytes of tables that are pulled at a time.
MOST_BYTES = 2_000_000
MOST_VERSIONS = 10**15

Link = Annotated[str, Meta(pattern=r"^([a-z0-9]{1,8}\.)?[A-Za-z0-9_-]{22,64}\Z")]
Secret = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{22,64}\Z")]
Version = Annotated[int, Meta(ge=0, le=MOST_VERSIONS)]
# As `swish.read_number` gives it.
SwishNumber = Annotated[str, Meta(pattern=r"^(07[0-9]{8}|123[0-9]{7})\Z")]
Person = tuple[Annotated[int, Meta(ge=1, le=quotas.MAX_NAMES)], str, SwishNumber | None]


class Batch(msgspec.Struct, frozen=True):
    """What waits on a phone of one table, above version `base` (0: the server has none of it).

    `people` are all of the table's, with number, name and Swish number; `pen` is the phone's.
    """

    link: Link
    pen: Secret
    base: Version
    people: Annotated[list[Person], Meta(max_length=quotas.MAX_NAMES)]
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
    """The server's answer to a push: `seqs` leads from versions of rows that are in to those here.

    `table` is what the server has since the phone's base, up to the last of them; None where none
    is in. A refusal has a `message`.
    """

    seqs: dict[int, int] = {}
    table: Replica | None = None
    message: str = ""


class Pulled(msgspec.Struct, frozen=True):
    """What a phone is to know: its state, tables that differ from what it has, and dead links.

    `more`: other tables come to whoever asks again with these.
    """

    phone: PhoneState
    tables: list[Replica]
    gone: list[str]
    more: bool


def pull(
    db: Database, pen: str | None, have: Mapping[str, int | None], state: PhoneState
) -> Pulled:
    """Tables where a pen writes, above the versions that the phone has, None for none of it.

    Gone are those that it has where the link opens nothing any more, or the pen does not write.
    """
    pulled, size = Pulled(state, [], [], more=False), 0
    with db.snapshot() as connection:
        for link, base in have.items():
            table = _find(connection, link, pen)
            if table is None:
                pulled.gone.append(link)
            elif table.seq != base and size > MOST_BYTES:
                return replace(pulled, more=True)
            elif table.seq != base:
                pulled.tables.append(_read(connection, table, base or 0, table.seq))
                size += len(msgspec.json.encode(pulled.tables[-1]))
    return pulled


def _find(connection: Connection, link: str, pen: str | None) -> Access | None:
    try:
        table = find_access(connection, link, pen)
    except NotFound:
        return None
    return table if table.writes else None


def _read(connection: Connection, table: Access, base: int, last: int) -> Replica:
    """A table above a version, up to another; all of it where something has been erased since."""
    since = base if table.erased_seq <= base <= table.seq else 0
    # Of an older version nobody has the figures, and those of a few games a phone counts itself.
    has_seats = not since and last == table.seq
    seats = connection.table("seats").rows_where("table_id = ? AND ?", [table.id, has_seats])
    rows = read_rows(connection, table.id, since, last)
    # Keys are between the server and whoever made the change.
    keyless = [replace(row, key=b"", request=b"") for row in rows]
    known = read_people(connection, table.id)
    return Replica(table.link, since, last, table.erased_seq, keyless, known, [*seats])


def read_rows(
    connection: Connection, table_id: int, since: int, until: int = MOST_VERSIONS
) -> list[LogRow]:
    """The rows of a table from one version to another, with their keys."""
    where = ("table_id = ? AND seq > ? AND seq <= ?", [table_id, since, until], "seq")
    return [LogRow.of(row) for row in connection.table("changes").rows_where(*where)]


def read_people(connection: Connection, table_id: int) -> list[Person]:
    """Everybody at a table, by number."""
    sql = "SELECT number, name, swish FROM people WHERE table_id = ? ORDER BY number"
    return [*connection.execute(sql, [table_id]).fetchall()]


def push(db: Database, batch: Batch, pen: str, seconds: float) -> Receipt:
    """Take over what waits on a phone, in order, for about so many seconds; `pen` is its browser's.

    Raises Stale where others wrote since the base, NoPen, NotFound, and what the changes raise;
    then nothing has changed.
    """
    deadline = time.monotonic() + seconds
    with db.transaction() as connection:
        _open(connection, batch)
        table_id = _admit(connection, batch, pen)
        done, is_ours = _recognize(connection, table_id, batch, pen)
        if not is_ours:
            raise Stale("stale")
        for row in batch.rows[len(done) :]:
            _add_people(connection, table_id, batch, row)
            with read_outside():
                change = Incoming(row.renumber(done))
            key = Key(row.key, row.request)
            done[row.seq] = commit(db, Write(batch.link, pen), change, key, row.at).seq
            if time.monotonic() > deadline:
                break
        return _answer(connection, batch, done)


def read_receipt(db: Database, batch: Batch, pen: str) -> Receipt:
    """How much of a batch that was refused is in all the same, from before."""
    with db.snapshot() as connection:
        try:
            table = find_access(connection, batch.link, None)
        except NotFound:
            return Receipt()
        done, _ = _recognize(connection, table.id, batch, pen)
        return _answer(connection, batch, done) if done else Receipt()


def _answer(connection: Connection, batch: Batch, done: dict[int, int]) -> Receipt:
    """How far a batch is in, and what is here up to there."""
    table = find_access(connection, batch.link, None)
    return Receipt(done, _read(connection, table, batch.base, max(done.values())))


def _open(connection: Connection, batch: Batch) -> None:
    """Open a table under the link that a phone chose, where nobody ever had that."""
    first, where = batch.rows[0], ("link_hash = ?", [hash_secret(batch.link)])
    if first.kind != "open" or batch.base or connection.table("tables").count_where(*where):
        return
    table_id = add_table(connection, batch.link, "")
    pen_id = add_pen(connection, table_id, batch.pen)
    _add_people(connection, table_id, batch, first)
    names = people.find_names(connection, table_id, Fold())
    open_incoming(connection, table_id, pen_id, first, names)
    derive(connection, table_id)
    figures.recount(connection, table_id, max(1, first.game))


def _admit(connection: Connection, batch: Batch, pen: str) -> int:
    """The table's key, for a browser that writes there, or whose phone does.

    Then its own pen writes there too: the answer that would have told it so may have been lost.
    Raises NotFound, NoPen.
    """
    table = find_access(connection, batch.link, pen)
    if not table.writes:
        if not find_access(connection, batch.link, batch.pen).writes:
            raise NoPen("no_pen")
        quotas.check_pens(connection, table.id)
        add_pen(connection, table.id, pen)
    return table.id


def _recognize(
    connection: Connection, table_id: int, batch: Batch, pen: str
) -> tuple[dict[int, int], bool]:
    """At which versions the first rows of a batch are in, and whether all above its base is ours.

    A row is known by its key, or by that of the same form as its browser sent it here.
    """
    done = dict[int, int]()
    sql = """SELECT seq, kind, key, body FROM changes
        WHERE table_id = ? AND seq >= ? AND (kind <> 'pens' OR seq = ?) ORDER BY seq"""
    found = connection.execute(sql, [table_id, batch.base, batch.base])
    if batch.base and found.fetchone() is None:
        return done, False
    # What others wrote behind all of it comes with the next pull.
    for row, (seq, kind, key, body) in zip(batch.rows, found, strict=False):
        is_known = key in (row.key, form_key(pen, row.request).key) and kind == row.kind
        if not is_known or (kind == "start" and not _is_same(body, row.text)):
            return done, False
        done[row.seq] = seq
    return done, True


def _is_same(body: str, other: str) -> bool:
    """Whether two games begin alike: what was drawn by lot may have come out otherwise."""
    with read_outside():
        one, two = (decode(text, GameBody) for text in (body, other))
    return bool(one.setup == two.setup and one.currency == two.currency)


def _add_people(connection: Connection, table_id: int, batch: Batch, row: LogRow) -> None:
    """Give people whom a row is the first to name the numbers that they have on a phone.

    Raises Stale where a phone has another name for a number, BadFile, NotAllowed.
    """
    names = people.find_names(connection, table_id, Fold())
    most = max(find_numbers(msgspec.json.decode(row.body)), default=0)
    here = {number: person for number, *person in batch.people if number in names or number <= most}
    if any(names.get(number, name) != name for number, (name, _) in here.items()):
        raise Stale("stale")
    if here.keys() - names.keys():
        quotas.check("too_many_people", len(names | here), quotas.MAX_NAMES)
        connection.newest.pop(table_id, None)
    sql = """INSERT INTO people (table_id, number, name, swish) VALUES (?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET swish = COALESCE(swish, excluded.swish)"""
    rows = [(table_id, number, read_name(name), to_pay) for number, (name, to_pay) in here.items()]
    connection.conn.executemany(sql, rows)
