"""Access to a table: its link reads, a pen writes.

A recovery link gives a pen to whoever has lost it. It is scoped to its table, works any number of
times, and ends when another is made or it is turned off. Revoking other pens leaves it as it is.
"""

import hashlib
import re
import secrets
from datetime import date, timedelta
from typing import Any, Literal

import msgspec

from app.rules.codes import ChicagoError
from app.rules.settlement import Currency
from app.services import bounds
from app.store import log
from app.store.clock import age, evening_of, now
from app.store.database import Connection, Database
from app.store.log import ChangeKind, ChangeRow

LINK_BYTES = 16
PEN_BYTES = 32
# A pen writes; a link gives one phone a pen, a recovery link any that has revoked it.
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
    names changed; `pen_id` is None for who only reads, and `revoked` is whether their pen
    was taken back; `recovered` is whether a recovery link has given a pen since somebody who
    writes looked. `entry_count` is how much the table holds, `noted` whether somebody has left a
    note.
    """

    id: int
    name: str
    seq: int
    erased_seq: int
    ledger_seq: int
    currency: Currency
    pen_id: int | None
    revoked: bool
    recovered: bool
    at: str
    entry_count: int
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


def mark_version(connection: Connection, table: Access, kind: ChangeKind = "pens") -> None:
    """Append a version to a table at which no game, payment, name or rule changes.

    One after the other would fill the log with nothing, so it takes the place of one.
    """
    dropped = log.drop_mark(connection, table.id, table.seq)
    row = ChangeRow(table.seq + 1, kind, 0, "0", now(), None, table.entry_count + 1 - dropped)
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
    return link.rpartition(".")[0]


# How long a link gives a pen, by the clock on the wall. Where that is set back or forward by more
# meanwhile, the link is over; set back by less, it lives for at most as much longer.
LINK_LIFETIME = timedelta(minutes=15)
# Links that a table has at a time; an older one is as good as expired.
MAX_LINKS = 100
# The state of a link: it gives one phone a pen, it has given it, it is too old, or it was revoked.
# One that never was is told from a revoked one by nobody.
LinkState = Literal["open", "used", "expired", "revoked"]
# Revoked ones go first, then those granted longest ago.
_DROP_OLDEST = """DELETE FROM pens WHERE id IN (SELECT id FROM pens WHERE table_id = ? AND kind = ?
    ORDER BY revoked_at IS NULL DESC, granted_at DESC, id DESC LIMIT -1 OFFSET ?)"""


class RecoveryLink(msgspec.Struct, frozen=True):
    """A table's recovery link: the day it was made, and the day it last gave a pen."""

    made_on: date
    used_on: date | None


def make_pen_link(db: Database, write: Write) -> str:
    """Make a link's secret that gives one phone a pen.

    Raises NoPen, NotFound, and NotAllowed when as many write at the table as may.
    """
    secret = new_pen()
    with db.transaction() as connection:
        table = require_pen(connection, write)
        bounds.check_pens(connection, table.id)
        add_pen(connection, table.id, secret, "link")
        connection.execute(_DROP_OLDEST, [table.id, "link", MAX_LINKS])
    return secret


def read_link_state(db: Database, table: Access, secret: str) -> LinkState:
    """The state of the link with `secret`."""
    return _state(_find(db.connection, table, "link", secret))


def redeem_pen_link(db: Database, link: str, secret: str, pen: str) -> LinkState:
    """Let a pen write, by a link with `secret`, which is used up; the state that the link had.

    A pen that writes already leaves the link as it is: to ask twice is to ask once. Raises
    NotFound.
    """
    with db.transaction() as connection:
        table = find_access(connection, link, pen)
        if table.writes:
            return "open"
        row = _find(connection, table, "link", secret)
        state = _state(row)
        if state == "open":
            connection.table("pens").update(row["id"], {"used_at": now()})
            add_pen(connection, table.id, pen)
    return state


def revoke_others(db: Database, write: Write) -> None:
    """Revoke every other pen; all links that gave one are dead from now on.

    Raises NoPen, NotFound.
    """
    with db.transaction() as connection:
        table = require_pen(connection, write)
        sql = """UPDATE pens SET revoked_at = ? WHERE table_id = ? AND kind <> 'recovery'
            AND id <> ?"""
        connection.execute(sql, [now(), table.id, table.pen_id])
        # Nobody whom the recovery link gave one writes here now.
        sql = "UPDATE pens SET unseen = 0 WHERE table_id = ? AND kind = 'recovery'"
        connection.execute(sql, [table.id])
        connection.execute(_DROP_OLDEST, [table.id, "pen", bounds.MAX_PENS])
        # Nor does a transfer that this phone has made bring its pen.
        sql = """UPDATE transfers SET withheld = json_insert(withheld, '$[#]', ?1)
            WHERE owner_hash = ?2
                AND NOT EXISTS (SELECT 1 FROM json_each(withheld) WHERE value = ?1)"""
        connection.execute(sql, [write.link, hash_secret(write.pen or "")])
        # So that every page learns of it.
        mark_version(connection, table)


def _state(row: dict[str, Any]) -> LinkState:
    if not row or row["revoked_at"]:
        return "revoked"
    if row["used_at"]:
        return "used"
    return "open" if age(row["granted_at"]) <= LINK_LIFETIME else "expired"


def make_recovery_link(db: Database, write: Write) -> str:
    """Make a secret that recovers the table's pen; the one from before no longer does.

    It is stored hashed, so that it can be told only now. Raises NoPen, NotFound.
    """
    secret = new_pen()
    with db.transaction() as connection:
        turn_recovery_off(db, write)
        add_pen(connection, require_pen(connection, write).id, secret, "recovery")
    return secret


def turn_recovery_off(db: Database, write: Write) -> None:
    """Let no link recover the table's pen. Raises NoPen, NotFound."""
    with db.transaction() as connection:
        table = require_pen(connection, write)
        connection.table("pens").delete_where("table_id = ? AND kind = 'recovery'", [table.id])


def find_recovery(db: Database, table: Access, secret: str | None = None) -> RecoveryLink | None:
    """The table's recovery link, with this secret if one is given; None when it has none."""
    row = _find(db.connection, table, "recovery", secret)
    if not row:
        return None
    used_at = row["used_at"]
    return RecoveryLink(evening_of(row["granted_at"]), evening_of(used_at) if used_at else None)


def recover(db: Database, link: str, secret: str, pen: str) -> None:
    """Let a pen write, by the table's recovery link, and let those who write there know.

    A pen that writes already changes nothing. Where as many write as may, the pen that was granted
    first goes. Raises NoPen for a secret that does not recover the pen, and NotFound.
    """
    with db.transaction() as connection:
        table = find_access(connection, link, pen)
        if table.writes:
            return
        row = _find(connection, table, "recovery", secret)
        if not row:
            raise NoPen("no_pen")
        # First this, so that phones with older pens get the banner.
        connection.table("pens").update(row["id"], {"used_at": now(), "unseen": 1})
        add_pen(connection, table.id, pen)
        connection.execute(_DROP_OLDEST, [table.id, "pen", bounds.MAX_PENS])
        mark_version(connection, table)


def see_recovery(db: Database, write: Write) -> None:
    """Record that who writes has seen that the recovery link was used. Raises NoPen, NotFound."""
    with db.transaction() as connection:
        table = require_pen(connection, write)
        # Only who held a pen before it was used has seen anything.
        if table.recovered:
            row = _find(connection, table, "recovery")
            connection.table("pens").update(row["id"], {"unseen": 0})
            mark_version(connection, table)


def _find(
    connection: Connection, table: Access, kind: PenKind, secret: str | None = None
) -> dict[str, Any]:
    """A link of a table, with this secret if one is given; empty where there is none."""
    where = "table_id = ? AND kind = ? AND secret_hash = COALESCE(?, secret_hash)"
    values = [table.id, kind, hash_secret(secret) if secret is not None else None]
    return next(connection.table("pens").rows_where(where, values), {})
