"""Replicas: a phone's tables, each the server's rows up to its base, with waiting rows above.

A replica in conflict has the other version beside it: the server's rows since the base, as pulled.
"""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from http import HTTPStatus
from itertools import accumulate
from typing import Any, Literal

import msgspec
from msgspec.structs import asdict, replace
from werkzeug.exceptions import BadRequest

from app.http import cookies
from app.http.context import db
from app.offline.rows import (
    UNREADABLE,
    Batch,
    LogRow,
    Pull,
    Pulled,
    Receipt,
    Replica,
    apply_state,
    compare_states,
    read_message,
    read_people,
    read_rows,
    read_state,
)
from app.rules.codes import ChicagoError
from app.rules.edit import Moment
from app.services import figures
from app.services.access import add_pen, find_access, new_pen
from app.services.commit import derive
from app.services.opening import add_table
from app.services.table_view import load_newest, to_json
from app.store import clock, log
from app.store.database import Connection, Database
from app.store.files import DatabaseRefused, DriverError

_log = logging.getLogger(__name__)
# Errors of a table that cannot be read.
UNREADABLE_TABLE = (ChicagoError, DriverError, *UNREADABLE)
# Of a table so many rows, with so many bytes, are pushed at a time.
MOST_ROWS, MOST_BYTES = 100, 500_000
ConflictKind = Literal["", "stale", "no_pen", "gone", "refused"]


class Phone(msgspec.Struct, frozen=True):
    """The phone's own row: its session; the server's state, name, time zone and clock of last.

    `unread` are the links of tables that this release of the bundle cannot read. `saved` is when
    everything was last saved to a file.
    """

    session: dict[str, object]
    known: dict[str, str | None] = {}
    instance: str | None = None
    zone: str = clock.DEFAULT_ZONE
    heard: str = ""
    unread: list[str] = []
    saved: str = ""

    @property
    def pen(self) -> str:
        """The secret it writes with on its own tables."""
        return str(self.session["pen"])


class NotAdded(msgspec.Struct, frozen=True):
    """Something of this phone that does not stand behind the others' changes, and why, in words.

    `number` is its game, 0 for none; `moment` that of an entry.
    """

    number: int
    moment: Moment | None
    what: str
    why: str


class Merged(msgspec.Struct, frozen=True):
    """A conflict that was decided: so many changes were added, up to version `seq`."""

    seq: int
    added: int
    left_out: list[NotAdded]


class OtherVersion(msgspec.Struct, frozen=True):
    """The server's version of a table in conflict, None until it is pulled.

    `message`: why it refused ours, in words. `merged` is the last conflict, once it is decided.
    """

    message: str = ""
    other: Replica | None = None
    merged: Merged | None = None


class Waiting(msgspec.Struct, frozen=True):
    """A table on the phone, and how many changes above version `base` wait there, since when."""

    table_id: int
    link: str
    base: int
    conflict: ConflictKind
    parted: str | None
    changes: int
    since: str | None

    @property
    def never_pushed(self) -> bool:
        """Whether the server has none of it."""
        return not self.base

    @property
    def orphaned(self) -> bool:
        """Whether the server has no version of it for this phone."""
        return self.never_pushed or self.conflict in ("gone", "no_pen")

    @property
    def waiting(self) -> int:
        """The number of entries that wait, the opening of the table among them."""
        return self.changes + self.never_pushed

    @property
    def versions(self) -> OtherVersion:
        """The server's version beside this one, or what became of it."""
        return (
            msgspec.json.decode(self.parted, type=OtherVersion) if self.parted else OtherVersion()
        )


def require_sound(db: Database) -> None:
    """Raise DatabaseRefused for a database whose file is damaged."""
    (found,) = db.connection.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        raise DatabaseRefused("damaged", db.path)


def read_phone(db: Database) -> Phone:
    """The phone's own row; its pen is made when that is first asked for."""
    found = db.connection.execute("SELECT body FROM phone").fetchone()
    if found is not None:
        return msgspec.json.decode(found[0], type=Phone)
    phone = Phone({"pen": new_pen()})
    save_phone(db, phone)
    return phone


def save_phone(db: Database, phone: Phone) -> None:
    """Save the phone's own row."""
    with db.transaction() as connection:
        connection.table("phone").upsert({"id": 1, "body": to_json(phone)}, pk="id")


def find_waiting(connection: Connection) -> list[Waiting]:
    """Every table on the phone, with its waiting changes."""
    sql = """SELECT id, link, COALESCE(base_seq, 0), COALESCE(conflict, ''), parted,
            COUNT(seq) FILTER (WHERE kind NOT IN ('open', 'import', 'pens', 'forget', 'erase')),
            IIF(base_seq > 0, MIN(at), created_at)
        FROM tables LEFT JOIN changes ON table_id = id AND seq > COALESCE(base_seq, 0)
        WHERE EXISTS (SELECT 1 FROM changes WHERE table_id = id) GROUP BY id ORDER BY id"""
    return [Waiting(*row) for row in connection.execute(sql).fetchall()]


def find(connection: Connection, link: str) -> Waiting | None:
    """A table on the phone, None where it is not here."""
    return next((row for row in find_waiting(connection) if row.link == link), None)


def read_waiting(connection: Connection, pen: str, waiting: Waiting) -> list[LogRow]:
    """The rows of a table that wait, each with a key: a row that no form made gets one."""
    rows = []
    for row in read_rows(connection, waiting.table_id, waiting.base, keyed=True):
        made = f"{pen} {waiting.link} {row.seq} {row.at} {row.kind} {row.body}"
        key = sha256(made.encode()).digest()
        if row.kind not in ("pens", "forget", "erase"):
            rows.append(row if row.key else replace(row, key=key, request=key))
    return rows


def _acknowledge(
    connection: Connection, row: Waiting, copy: Replica, seqs: dict[int, int], waiting: list[LogRow]
) -> None:
    keyless = [replace(each, key=None, request=None) for each in waiting if each.seq in seqs]
    if to_json(keyless) == to_json(copy.rows):
        # The server has just the phone's rows: nothing has to be worked out anew.
        connection.table("tables").update(row.table_id, {"base_seq": copy.seq})
        return
    left = [each for each in waiting if each.seq not in seqs]
    seqs |= {each.seq: seq for seq, each in enumerate(left, copy.seq + 1)}
    follow(connection, row.table_id, copy, [each.renumber(seqs) for each in left])


def note_conflict(
    connection: Connection, row: Waiting, conflict: ConflictKind | None, parted: OtherVersion | None
) -> None:
    """Let a table be in conflict, or not, and keep this beside it."""
    values = {"conflict": conflict, "parted": to_json(parted) if parted else None}
    connection.table("tables").update(row.table_id, values)


def take_tables(db: Database, pulled: Pulled) -> tuple[list[str], list[str]]:
    """Follow the server, but where something waits to be pushed.

    Returns the links of the tables that came, and of those that are `unread`.
    """
    came, unread = list[str](), list[str]()
    with db.transaction() as connection:
        known = {row.link: row for row in find_waiting(connection)}
        for raw in pulled.tables:
            link = msgspec.json.decode(raw, type=_Linked).link
            try:
                _take(db, known.get(link), msgspec.json.decode(raw, type=Replica))
                came.append(link)
            except UNREADABLE_TABLE:
                unread.append(link)
        for link, why in pulled.gone.items():
            if (row := known.get(link)) is None:
                continue
            if row.waiting:
                note_conflict(connection, row, row.conflict or why, row.versions)
            else:
                drop(connection, row.table_id)
        # What the server has no more waits again, all of it where that went on otherwise.
        sql = """UPDATE tables SET conflict = NULL, base_seq = COALESCE((SELECT seq FROM changes
            WHERE table_id = id AND seq = ?2 AND at = ?3), 0) WHERE link = ?1 AND base_seq > ?2"""
        for link, head in pulled.lost.items():
            connection.execute(sql, [link, *head])
    return came, unread


class _Linked(msgspec.Struct, frozen=True):
    link: str


class _DryRun(Exception):
    """The trial is over."""


@contextmanager
def trial(db: Database) -> Iterator[Connection]:
    """A transaction that is always rolled back."""
    with suppress(_DryRun), db.transaction() as connection:
        yield connection
        raise _DryRun


def _take(db: Database, row: Waiting | None, replica: Replica) -> None:
    """Follow a replica; nothing has changed where it cannot be read, which raises any error."""
    # The request may be older than the phone's newest rows.
    if row and (replica.since not in (0, row.base) or replica.seq < row.base):
        return
    if row and row.waiting and not row.conflict:
        return
    parted = row if row and row.conflict else None
    with trial(db) if parted else db.transaction():
        put(db, row, replica)
    if parted:
        versions = replace(parted.versions, other=replica)
        note_conflict(db.connection, parted, parted.conflict, versions)


def put(db: Database, row: Waiting | None, replica: Replica) -> None:
    """Put a whole replica in the place of a table, or beside the others, with this phone's pen.

    Raises any error where it cannot be read.
    """
    with db.transaction() as connection:
        table_id = row.table_id if row else add_table(connection, replica.link, "")
        follow(connection, table_id, replica)
        load_newest(connection, find_access(connection, replica.link, None))
        if row is None:
            add_pen(connection, table_id, read_phone(db).pen)


def follow(
    connection: Connection, table_id: int, copy: Replica, waiting: Sequence[LogRow] = ()
) -> None:
    """Let a table be as the server has it, with the waiting rows behind that."""
    rows, before = [*copy.rows, *waiting], find_touched(connection, table_id, copy.since)
    targets = {row.target for row in (*rows, *read_rows(connection, table_id, copy.since))}
    connection.table("changes").delete_where("table_id = ? AND seq > ?", [table_id, copy.since])
    connection.table("changes").insert_all(
        {**asdict(row), "at": clock.write_time(row.at), "table_id": table_id} for row in rows
    )
    log.refresh_undone(connection, table_id, filter(None, targets))
    if not waiting:
        # Names that were erased, or came by dropped rows, go too.
        connection.table("people").delete_where("table_id = ?", [table_id])
    sql = "INSERT OR REPLACE INTO people (table_id, number, name, swish) VALUES (?, ?, ?, ?)"
    connection.conn.executemany(sql, [(table_id, *person) for person in copy.people])
    values: dict[str, int | None] = {"base_seq": copy.seq, "erased_seq": copy.erased_seq}
    values["ledger_seq"] = copy.seq
    # Rows of before an erasure are not kept either.
    values |= {} if copy.since else {"parted": None}
    connection.table("tables").update(table_id, values)
    connection.versions[table_id] = rows[-1].seq if rows else copy.seq
    connection.newest.pop(table_id, None)
    connection.ledgers.pop(table_id, None)
    derive(connection, table_id)
    _follow_figures(connection, table_id, copy, before)


def _follow_figures(connection: Connection, table_id: int, copy: Replica, before: set[int]) -> None:
    """Count figures anew; those of a whole table came along, but for waiting games."""
    since = copy.since
    if seats := msgspec.json.decode(copy.seats, type=list[dict[str, Any]]):
        connection.table("seats").delete_where("table_id = ?", [table_id])
        connection.table("seats").insert_all({**row, "table_id": table_id} for row in seats)
        since, before = copy.seq, set()
    for number in before | find_touched(connection, table_id, since):
        figures.recount_game(connection, table_id, number)


def find_touched(connection: Connection, table_id: int, since: int) -> set[int]:
    """The numbers of the games whose figures changes above a version may have touched."""
    sql = """SELECT DISTINCT CASE WHEN done.kind = 'edit' AND done.game = 0
            THEN done.body ->> '$.game' ELSE done.game END
        FROM changes JOIN changes AS done ON done.table_id = changes.table_id AND done.seq =
            CASE WHEN changes.kind IN ('undo', 'redo') THEN CAST(changes.body AS INTEGER)
            ELSE changes.seq END
        WHERE changes.table_id = ? AND changes.seq > ?"""
    return {number for (number,) in connection.execute(sql, [table_id, since]).fetchall()} - {0}


def drop(connection: Connection, table_id: int) -> None:
    """Forget a table here, as if it had never been."""
    for name in ("changes", "people", "pens", "seats"):
        connection.table(name).delete_where("table_id = ?", [table_id])
    connection.table("tables").delete(table_id)
    connection.versions[table_id] = 0


# The meaning of a refusal for the changes that wait. Any other status is no answer.
CONFLICTS: dict[int, ConflictKind] = {
    HTTPStatus.OK: "",
    HTTPStatus.CONFLICT: "stale",
    HTTPStatus.UNAUTHORIZED: "no_pen",
    HTTPStatus.NOT_FOUND: "gone",
    HTTPStatus.UNPROCESSABLE_ENTITY: "refused",
    HTTPStatus.BAD_REQUEST: "refused",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "refused",
}


PULL, PUSH = "offline/replicas", "offline/tables/"


class Call(msgspec.Struct, frozen=True, omit_defaults=True):
    """A call of the server: its path below the start page, and its body.

    `pulled`: a pull came before it.
    """

    path: str
    body: str
    pulled: bool = False


class Answered(Call, frozen=True):
    """A call with its answer, whose status is 0 where none came."""

    status: int = 0
    text: str = ""


def talk(answers: Sequence[Answered]) -> tuple[list[Call], bool]:
    """Take the server's answers to the last calls; the next ones, and whether that was all.

    Pushing comes first: it waits for no table that cannot be pulled. A browser without a pen has
    one after the pull.
    """
    taken = [each for each in answers if take(each)]
    done = any(each.pulled for each in answers) or any(each.path == PULL for each in taken)
    calls = [] if answers and not taken else push(done)
    if not (calls or done or any(each.path == PULL for each in answers)):
        calls = [pull()]
    return calls, done


def push(pulled: bool = False) -> list[Call]:
    """The calls that push what waits, of each table the oldest rows; none of those in conflict.

    There may be more once the server has accepted these.
    """
    pen, calls = read_phone(db()).pen, list[Call]()
    with db().snapshot() as connection:
        for each in find_waiting(connection):
            if each.waiting and not each.conflict:
                rows = read_waiting(connection, pen, each)[:MOST_ROWS]
                sizes = accumulate(len(msgspec.json.encode(row)) for row in rows)
                fit = [row for row, size in zip(rows, sizes, strict=True) if size <= MOST_BYTES]
                known = read_people(connection, each.table_id)
                batch = Batch(each.link, each.base, known, fit or rows[:1])
                calls.append(Call(f"{PUSH}{each.link}", to_json(batch), pulled))
    return calls


def pull() -> Call:
    """The call that says which versions this phone has."""
    bases = {row.link: row.base for row in find_waiting(db().connection) if row.base}
    changes = compare_states(read_phone(db()).known, read_state())
    return Call(PULL, to_json(Pull(bases, changes)))


def take(answered: Answered) -> bool:
    """Take the server's answer to a call; whether it is one: else the same is sent again later."""
    try:
        if answered.path == PULL:
            _follow(answered)
        else:
            _receive(answered)
    except BadRequest:
        return False
    except UNREADABLE_TABLE:
        _log.exception("an answer of the server cannot be taken")
        return False
    return True


def _receive(answered: Answered) -> None:
    """Let accepted rows be as the server has them; the rest waits on, in conflict or not.

    Raises BadRequest.
    """
    receipt = read_message(Receipt, answered.text.encode())
    if answered.status not in CONFLICTS:
        raise BadRequest
    conflict, pen, seqs = CONFLICTS[answered.status], read_phone(db()).pen, receipt.seqs
    with db().transaction() as connection:
        row = find(connection, answered.path.removeprefix(PUSH))
        if row and conflict:
            other = None
            if conflict == "refused" and row.base:
                # Nobody else wrote there, so that no pull will bring it.
                erased = find_access(connection, row.link, None).erased_seq
                known = read_people(connection, row.table_id)
                other = Replica(row.link, row.base, row.base, erased, known)
            note_conflict(connection, row, conflict, OtherVersion(receipt.message, other))
        elif row and receipt.table:
            waiting = read_waiting(connection, pen, row)
            if seqs.keys() <= {each.seq for each in waiting}:
                _acknowledge(connection, row, receipt.table, seqs, waiting)


def _follow(answered: Answered) -> None:
    """Follow the server. Raises BadRequest."""
    pulled = read_message(Pulled, answered.text.encode())
    with db().transaction():
        phone = read_phone(db())
        now = replace(phone, instance=pulled.instance, zone=pulled.zone, heard=pulled.now)
        if follow_clock(now):
            # Games that were played belong to other evenings.
            figures.recount_all(db())
        came, unread = take_tables(db(), pulled)
        for link in reversed(came):
            if link not in cookies.tables():
                cookies.remember_table(link)
        unreadable = apply_state(compare_states(phone.known, pulled.state))
        # Else the next pull would say that this phone has changed them.
        known = pulled.state | {key: phone.known.get(key) for key in unreadable}
        save_phone(db(), replace(now, known=known, unread=unread))


def follow_clock(phone: Phone) -> bool:
    """Tell moments in the server's time zone, none before the last that was heard of it.

    Returns whether the zone is another than before.
    """
    before = clock.zone().key
    clock.set_floor(phone.heard)
    with suppress(clock.UnknownZone):
        clock.set_zone(clock.find_zone(phone.zone))
    return clock.zone().key != before
