"""A table and who may read and write at it. Nothing here knows the web."""

import hashlib
import re
import secrets
from collections.abc import Iterable
from typing import Literal

import msgspec

from app.rules.codes import ChicagoError, NotAllowed, ReasonCode
from app.rules.settlement import USUAL, Currency
from app.rules.state import GameState
from app.store import log
from app.store.clock import now
from app.store.connection import Connection
from app.store.database import Database
from app.store.log import ChangeKind, ChangeRow

LINK_BYTES = 16
PEN_BYTES = 32
# A pen writes; a link gives one phone a pen, a recovery link any that has lost it.
PenKind = Literal["pen", "link", "recovery"]

# In place of the version at which something was erased: the table is deleted.
DELETED = -1

_ACCESS = """SELECT tables.id, name, seq, erased_seq, ledger_seq, currency,
        IIF(revoked_at IS NULL, pens.id, NULL), revoked_at IS NOT NULL,
        revoked_at IS NULL AND EXISTS (SELECT 1 FROM pens AS found WHERE found.table_id = tables.id
            AND kind = 'recovery' AND unseen AND pens.granted_at < used_at), at, entries,
        EXISTS (SELECT 1 FROM notes WHERE notes.table_id = tables.id)
    FROM tables JOIN changes ON changes.table_id = tables.id
    LEFT JOIN pens ON pens.table_id = tables.id AND pens.kind = 'pen' AND pens.secret_hash = ?
    WHERE link_hash = ? AND erased_seq >= 0 ORDER BY seq DESC LIMIT 1"""


class NotFound(ChicagoError):
    """There is no such table or game."""


class NoPen(ChicagoError):
    """The sender may read at this table, not write."""


class Access(msgspec.Struct, frozen=True, array_like=True):
    """Access by a link and a pen: the table's key, name and version, and the right to write.

    `link` is the secret in the clear, `seq` the version, made `at`, `erased_seq` that at which
    something was erased last, `ledger_seq` that at which a game last ended, or money, people or
    names changed; `pen_id` is None for who only reads, and `lost` is whether their pen
    was taken back; `recovered` is whether a recovery link has given a pen since somebody who
    writes looked. The table holds so many `entries`; `noted` is whether somebody has left a note.
    """

    id: int
    name: str
    seq: int
    erased_seq: int
    ledger_seq: int
    currency: Currency
    pen_id: int | None
    lost: bool
    recovered: bool
    at: str
    entries: int
    noted: bool
    link: str

    @property
    def writes(self) -> bool:
        """Whether the pen writes here."""
        return self.pen_id is not None


class Write(msgspec.Struct, frozen=True):
    """A writer at a table, from a version of it.

    `link` and `pen` are the secrets in the clear; `seq` is the version the writer saw, None to
    write on the newest.
    """

    link: str
    pen: str | None
    seq: int | None = None


def hash_secret(secret: str) -> str:
    """The hash by which the database knows a link or a pen."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def new_link(instance: str = "") -> str:
    """A secret that lets its holder read at a new table, and names the instance that has it."""
    return name_link(instance, secrets.token_urlsafe(LINK_BYTES))


# Longer secrets than `new_link` makes are links too.
LINK = r"^([a-z0-9]{1,8}\.)?[A-Za-z0-9_-]{22,64}\Z"


def new_game_id() -> str:
    """A name for a game that no other game has."""
    return secrets.token_hex(LINK_BYTES)


def derive_game_id(link: str, number: int, seq: int) -> str:
    """A name for the game that a table starts at a version: the same wherever that is done.

    Of the link, which is a secret, it tells nothing.
    """
    return hash_secret(f"game {number} at {seq} of {link}")[: 2 * LINK_BYTES]


def new_pen() -> str:
    """A secret that lets its holder write."""
    return secrets.token_urlsafe(PEN_BYTES)


def add_table(connection: Connection, link: str, name: str, currency: Currency = USUAL) -> int:
    """Add a table without changes; returns its key. A phone keeps its tables' links."""
    is_phone = connection.find_number("SELECT COUNT(*) FROM phone")
    row = {
        "link_hash": hash_secret(link),
        "name": name,
        "currency": currency,
        "created_at": now(),
        "erased_seq": 0,
        "ledger_seq": 1,
        "link": link if is_phone else None,
    }
    return int(str(connection.table("tables").insert(row).last_pk))


def add_pen(connection: Connection, table_id: int, secret: str, kind: PenKind = "pen") -> int:
    """Let a pen write at a table, or a link give one there; returns its key."""
    sql = """INSERT INTO pens (table_id, kind, secret_hash, granted_at, unseen)
        VALUES (?, ?, ?, ?, 0) ON CONFLICT (table_id, secret_hash)
        DO UPDATE SET granted_at = excluded.granted_at, revoked_at = NULL RETURNING id"""
    row = connection.execute(sql, [table_id, kind, hash_secret(secret), now()]).fetchone()
    return int(row[0])


def read_version(db: Database, table_id: int) -> int:
    """The version of a table by its key, 0 when it is gone."""
    sql = "SELECT COALESCE(MAX(seq), 0) FROM changes WHERE table_id = ?"
    return db.connection.find_number(sql, table_id)


def require_pen(connection: Connection, write: Write) -> Access:
    """The table that a pen writes at. Raises NotFound, NoPen."""
    access = find_access(connection, write.link, write.pen)
    if access.pen_id is None:
        raise NoPen("no_pen")
    return access


def find_access(connection: Connection, link: str, pen: str | None) -> Access:
    """Find the access of a link, and of a pen (None: nobody's). Raises NotFound."""
    hashes = [hash_secret(pen or ""), hash_secret(link)]
    row = connection.execute(_ACCESS, hashes).fetchone()
    if row is None:
        raise NotFound("no_such_table")
    # SQLite knows numbers in place of booleans.
    return msgspec.convert((*row, link), Access, strict=False)


def mark_version(connection: Connection, table: Access, kind: ChangeKind) -> None:
    """Append a version to a table at which no game, payment, name or rule changes.

    One after the other would fill the log with nothing, so it takes the place of one.
    """
    dropped = log.drop_mark(connection, table.id, table.seq)
    row = ChangeRow(table.seq + 1, kind, 0, "0", now(), None, table.entries + 1 - dropped)
    log.append(connection, table.id, row, table.pen_id)


def mark_ledger(connection: Connection, table_id: int, seq: int) -> None:
    """Note that pages of a table's money, years and games may differ from a version on."""
    connection.table("tables").update(table_id, {"ledger_seq": seq})


# As the pattern of the load balancer has room for.
NAME = re.compile("[a-z0-9]{1,8}", re.ASCII)


def name_link(instance: str, secret: str) -> str:
    """The link of a new table at an instance; nothing is named where there is only one."""
    return f"{instance}.{secret}" if instance else secret


def instance_of(link: str) -> str:
    """The instance that a link names, nothing where it names none."""
    name, dot, _ = link.partition(".")
    return name if dot else ""


# Twenty years of Thursdays.
MAX_ENTRIES, MAX_GAMES, MAX_NAMES = 500_000, 3_000, 60
MAX_PAYMENTS, MAX_PENS = 5_000, 100
# More than any game has: a hundred million games of it add up.
MAX_POINTS = 1_000_000
# Of one game, whose changes are read together; and of all that are of no one game.
MAX_GAME_ENTRIES = 6_000
# However full a table is, its game can be settled: so much room is left for that.
HEADROOM = 100
# Undoing is always allowed.
UNLIMITED = 2**31
# A change that is long counts for more entries than it holds.
ENTRY_BYTES = 250


def weigh(body: str) -> int:
    """Count the entries of a change, given as JSON: the events that it holds, and its length."""
    return max(1, body.count('"event":')) + len(body.encode()) // ENTRY_BYTES


def count_entries(rows: Iterable[ChangeRow], number: int) -> int:
    """Count the entries of a game among some changes; of number 0, those of no one game."""
    return sum(weigh(row.body) for row in rows if row.game == number)


def check(code: ReasonCode, count: int, limit: int) -> None:
    """Raise NotAllowed, for this reason, when there would be more than the limit."""
    if count > limit:
        raise NotAllowed(code, limit=limit)


def check_points(state: GameState) -> None:
    """Raise NotAllowed where somebody's score is larger than sums of a table's money bear."""
    check("points_too_large", max(abs(seat.score) for seat in state.seats), MAX_POINTS)


def check_pens(connection: Connection, table_id: int) -> None:
    """Raise NotAllowed when as many pens write at a table as may."""
    sql = "SELECT COUNT(*) FROM pens WHERE table_id = ? AND kind = 'pen' AND revoked_at IS NULL"
    check("too_many_pens", connection.find_number(sql, table_id) + 1, MAX_PENS)
