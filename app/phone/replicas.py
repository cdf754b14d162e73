"""A phone's tables: pulled from the server, and pushed to it, or in conflict with what it has.

The server has the rows of a table up to its base; those above it wait here.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from itertools import accumulate
from typing import Literal

import msgspec
from msgspec.structs import replace

from app.services import figures, people
from app.services.commit import derive
from app.services.fold import fold
from app.services.serialization import to_json
from app.services.tables import add_pen, add_table, new_pen
from app.store import log
from app.store.connection import Connection
from app.store.database import Database
from app.store.log import Kind
from app.sync.exchange import Batch, Pulled, Receipt, Replica, read_people, read_rows
from app.sync.incoming import LogRow
from app.sync.phone_state import PhoneState

# Of a table so many rows, with so many bytes, are pushed at a time.
MOST_ROWS, MOST_BYTES = 100, 500_000
# At these versions nothing was recorded.
MARKS: tuple[Kind, ...] = ("pens", "forget", "erase")
Conflict = Literal["", "stale", "no_pen", "gone", "refused"]
_SERVERS = "~server"


class Phone(msgspec.Struct, frozen=True):
    """Who a phone is: its pen, which is secret, and its language.

    `tables` are its links, and whether each is put away; `known` is its state as the server told it
    last.
    """

    pen: str
    language: str = ""
    tables: dict[str, bool] = {}
    known: PhoneState = PhoneState()


class Waiting(msgspec.Struct, frozen=True):
    """What of a table is only on this phone: so many changes above version `base`, since when.

    `unsent`: the server never heard of the table. `reason` is why it refused, in words.
    """

    table_id: int
    link: str
    base: int
    conflict: Conflict
    reason: str
    changes: int
    since: str | None
    unsent: bool

    @property
    def unopened(self) -> bool:
        """Whether the server has none of it."""
        return not self.base

    @property
    def waiting(self) -> int:
        """How many entries wait, the opening of the table among them."""
        return self.changes + self.unopened


class Status(msgspec.Struct, frozen=True):
    """What is only on this phone: so many entries, the first made at `since`, and at which tables.

    `only_here` are the links of tables of which something is nowhere else, `unopened` of those that
    the server has nothing of, `conflicts` of those for which a person has to decide, `held` of all.
    """

    waiting: int
    since: str | None
    only_here: list[str]
    unopened: list[str]
    conflicts: list[str]
    held: list[str]


def read_phone(db: Database) -> Phone:
    """Who this phone is; decided when it is first asked."""
    found = db.connection.execute("SELECT body FROM phone").fetchone()
    if found is not None:
        return msgspec.json.decode(found[0], type=Phone)
    phone = Phone(new_pen())
    save_phone(db, phone)
    return phone


def save_phone(db: Database, phone: Phone) -> None:
    """Record who this phone is."""
    with db.transaction() as connection:
        connection.table("phone").upsert({"id": 1, "body": to_json(phone)}, pk="id")


def find_waiting(connection: Connection) -> list[Waiting]:
    """What of each table here is only on this phone; the server's versions left out."""
    sql = f"""SELECT id, link, COALESCE(base_seq, 0), COALESCE(conflict, ''), COALESCE(reason, ''),
            COUNT(seq) FILTER (WHERE kind NOT IN {("open", "import", *MARKS)}),
            IIF(base_seq > 0, MIN(at), created_at), base_seq IS NULL
        FROM tables LEFT JOIN changes ON table_id = id AND seq > COALESCE(base_seq, 0)
        WHERE link NOT LIKE '%{_SERVERS}'
            AND EXISTS (SELECT 1 FROM changes WHERE table_id = id)
        GROUP BY id ORDER BY id"""  # noqa: S608  # of our own names alone
    return [Waiting(*row) for row in connection.execute(sql).fetchall()]


def find(connection: Connection, link: str) -> Waiting | None:
    """What of a table is only on this phone, None where the table is not here."""
    return next((row for row in find_waiting(connection) if row.link == link), None)


def read_status(db: Database) -> Status:
    """What is only on this phone."""
    rows = find_waiting(db.connection)
    here = [row for row in rows if row.waiting]
    return Status(
        waiting=sum(row.waiting for row in rows),
        since=min((row.since for row in here if row.since), default=None),
        only_here=[row.link for row in here],
        unopened=[row.link for row in rows if row.unopened],
        conflicts=[row.link for row in rows if row.conflict],
        held=[row.link for row in rows],
    )


def find_versions(db: Database) -> dict[str, int]:
    """Up to which version this phone has each table as the server has it; 0 for none of it."""
    with db.snapshot() as connection:
        bases = dict(connection.execute("SELECT link, base_seq FROM tables").fetchall())
        return {
            row.link: bases.get(servers_link(row.link), 0) if row.conflict else row.base
            for row in find_waiting(connection)
            if row.base
        }


def servers_link(link: str) -> str:
    """The link here of the server's version of a table that stands in conflict."""
    return link + _SERVERS


def collect(db: Database) -> list[Batch]:
    """What is to be pushed now, of each table its oldest rows; not those in conflict."""
    phone = read_phone(db)
    with db.transaction() as connection:
        # From now on the server may have them.
        connection.execute("UPDATE tables SET base_seq = 0 WHERE base_seq IS NULL")
        rows = [row for row in find_waiting(connection) if row.waiting and not row.conflict]
        return [_make_batch(connection, phone, row) for row in rows]


def _make_batch(connection: Connection, phone: Phone, waiting: Waiting) -> Batch:
    rows = read_waiting(connection, phone, waiting)[:MOST_ROWS]
    sizes = accumulate(len(row.text) for row in rows)
    rows = [row for row, size in zip(rows, sizes, strict=True) if size <= MOST_BYTES] or rows[:1]
    known = read_people(connection, waiting.table_id)
    if rows[0].kind == "open":
        # What came before it was erased, but by which names people go.
        settings = fold(log.read_game(connection, waiting.table_id, 0, rows[0].seq))
        names = people.find_names(connection, waiting.table_id, settings)
        known = [(number, names[number], to_pay) for number, _, to_pay in known]
    return Batch(waiting.link, phone.pen, waiting.base, known, rows)


def read_waiting(connection: Connection, phone: Phone, waiting: Waiting) -> list[LogRow]:
    """The rows of a table that wait, each with a key: what no form made gets one of its own.

    Of a table that was erased in part, what counts of before the opening stands behind that.
    """
    rows = read_rows(connection, waiting.table_id, waiting.base)
    gone = {row.seq for row in rows if row.kind in MARKS or '"setup":{}' in row.text}
    opening = next((row.seq for row in rows if row.kind == "open"), 1)
    if opening > 1:
        counting = log.read_settings(connection, waiting.table_id)
        kept = {row.seq for row in counting if row.kind in ("pay", "unpay", "people", "rename")}
        gone.update(row.seq for row in rows if row.seq < opening and row.seq not in kept)
        rows.sort(key=lambda row: row.kind != "open")
    known = [row for row in rows if row.seq not in gone and row.target not in {*gone, opening}]
    return [row if row.key else _with_key(phone, waiting.link, row) for row in known]


def _with_key(phone: Phone, link: str, row: LogRow) -> LogRow:
    text = f"{phone.pen} {link} {row.seq} {row.at} {row.kind} {row.text}"
    key = sha256(text.encode()).digest()
    return replace(row, key=key, request=key)


def note_done(db: Database, link: str, receipt: Receipt, why: Conflict = "") -> None:
    """Let what the server has by now be as it has it; the rest still waits, in conflict or not."""
    phone, seqs = read_phone(db), receipt.seqs
    with db.transaction() as connection:
        row = find(connection, link)
        if row is None:
            return
        waiting = read_waiting(connection, phone, row)
        if receipt.table is not None and seqs.keys() <= {each.seq for each in waiting}:
            left = [each for each in waiting if each.seq not in seqs]
            seqs |= {each.seq: seq for seq, each in enumerate(left, receipt.table.seq + 1)}
            _follow(connection, row.table_id, receipt.table, [each.renumber(seqs) for each in left])
        if why:
            values = {"conflict": why, "reason": receipt.message}
            connection.table("tables").update(row.table_id, values)


def note_acknowledged(db: Database, link: str) -> None:
    """Record that the server has what this phone has of a table."""
    sql = """UPDATE tables SET base_seq = (SELECT MAX(seq) FROM changes WHERE table_id = id)
        WHERE link = ?"""
    with db.transaction() as connection:
        connection.execute(sql, [link])


def take(db: Database, pulled: Pulled) -> None:
    """Follow the server, but where something waits to be pushed."""
    phone = read_phone(db)
    with db.transaction() as connection:
        known = {row.link: row for row in find_waiting(connection)}
        for replica in pulled.tables:
            _take(connection, phone, known.get(replica.link), replica)
        for row in filter(None, map(known.get, pulled.gone)):
            if row.waiting:
                values = {"conflict": row.conflict or "gone"}
                connection.table("tables").update(row.table_id, values)
            else:
                drop(connection, row.table_id)


def _take(connection: Connection, phone: Phone, row: Waiting | None, replica: Replica) -> None:
    """Follow the server at one table; beside this phone's version where that is in conflict."""
    is_conflict = row is not None and bool(row.conflict)
    if row is not None and row.waiting and not is_conflict:
        return
    link = servers_link(replica.link) if is_conflict else replica.link
    sql = "SELECT id, base_seq FROM tables WHERE link = ?"
    table_id, base = connection.execute(sql, [link]).fetchone() or (0, 0)
    # It may have been asked for before the phone had what it has now.
    if replica.since not in (0, base) or replica.seq < base:
        return
    if not table_id:
        table_id = add_table(connection, link, "")
        if not is_conflict:
            add_pen(connection, table_id, phone.pen)
    _follow(connection, table_id, replica)


def _follow(
    connection: Connection, table_id: int, copy: Replica, waiting: Sequence[LogRow] = ()
) -> None:
    """Let a table be as the server has it, and what waits stand behind that."""
    rows, before = [*copy.rows, *waiting], find_touched(connection, table_id, copy.since)
    targets = {row.target for row in (*read_rows(connection, table_id, copy.since), *rows)}
    connection.table("changes").delete_where("table_id = ? AND seq > ?", [table_id, copy.since])
    connection.table("changes").insert_all({**row.columns, "table_id": table_id} for row in rows)
    log.mark_again(connection, table_id, filter(None, targets))
    if not waiting:
        # Names that were erased, or came by what is dropped, go too.
        connection.table("people").delete_where("table_id = ?", [table_id])
    sql = "INSERT OR REPLACE INTO people (table_id, number, name, swish) VALUES (?, ?, ?, ?)"
    connection.conn.executemany(sql, [(table_id, *person) for person in copy.people])
    values = {"base_seq": copy.seq, "erased_seq": copy.erased_seq}
    connection.table("tables").update(table_id, values)
    connection.versions[table_id] = rows[-1].seq if rows else copy.seq
    connection.newest.pop(table_id, None)
    derive(connection, table_id)
    if copy.seats:
        connection.table("seats").delete_where("table_id = ?", [table_id])
        connection.table("seats").insert_all({**row, "table_id": table_id} for row in copy.seats)
    # All figures came along, but those of what waits.
    since, before = (copy.seq, set()) if copy.seats else (copy.since, before)
    for number in before | find_touched(connection, table_id, since):
        figures.recount(connection, table_id, number)


def find_touched(connection: Connection, table_id: int, since: int) -> set[int]:
    """The numbers of the games whose figures changes above a version may have touched."""
    sql = """SELECT DISTINCT CASE done.kind WHEN 'revise' THEN done.body ->> '$.game'
            ELSE done.game END
        FROM changes JOIN changes AS done ON done.table_id = changes.table_id AND done.seq =
            CASE WHEN changes.kind IN ('undo', 'redo') THEN CAST(changes.body AS INTEGER)
            ELSE changes.seq END
        WHERE changes.table_id = ? AND changes.seq > ?"""
    return {number for (number,) in connection.execute(sql, [table_id, since]).fetchall()} - {0}


def drop(connection: Connection, table_id: int) -> None:
    """Forget a version of a table here, as if it had never been."""
    for name in ("changes", "people", "pens", "seats"):
        connection.table(name).delete_where("table_id = ?", [table_id])
    connection.table("tables").delete(table_id)
    connection.versions[table_id] = 0
