"""Pens, which let somebody write, and transfers of a phone's tables to another phone.

A recovery link, kept apart from the phones, gives it to whoever has lost it. It is scoped to its
table, works any number of times, and ends when another is made or it is turned off. Taking the
other pens back leaves it as it is.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import date, timedelta
from typing import Any, Literal

import msgspec

from app.rules.codes import NotAllowed
from app.services import rule_sets, tables
from app.services.fold import to_json
from app.services.tables import (
    Access,
    NoPen,
    PenKind,
    Write,
    add_pen,
    find_access,
    hash_secret,
    mark_version,
    name_link,
    new_pen,
    require_pen,
)
from app.store.clock import age, evening_of, moment, now, write_time
from app.store.connection import Connection
from app.store.database import Database

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


class Recovery(msgspec.Struct, frozen=True):
    """A table's recovery link: the day it was made, and the day it last gave a pen."""

    made_on: date
    used_on: date | None


def hand_over(db: Database, write: Write) -> str:
    """Make a link's secret that gives one phone a pen.

    Raises NoPen, NotFound, and NotAllowed when as many write at the table as may.
    """
    secret = new_pen()
    with db.transaction() as connection:
        table = require_pen(connection, write)
        tables.check_pens(connection, table.id)
        add_pen(connection, table.id, secret, "link")
        connection.execute(_DROP_OLDEST, [table.id, "link", MAX_LINKS])
    return secret


def read_link_state(db: Database, table: Access, secret: str) -> LinkState:
    """The state of the link with `secret`."""
    return _state(_find(db.connection, table, "link", secret))


def take(db: Database, link: str, secret: str, pen: str) -> LinkState:
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
            AND id <> ? AND revoked_at IS NULL"""
        connection.execute(sql, [now(), table.id, table.pen_id])
        connection.execute(_DROP_OLDEST, [table.id, "pen", tables.MAX_PENS])
        # Nor does a transfer that this phone has made bring its pen.
        sql = """UPDATE transfers SET withheld = json_insert(withheld, '$[#]', ?1)
            WHERE owner_hash = ?2
                AND NOT EXISTS (SELECT 1 FROM json_each(withheld) WHERE value = ?1)"""
        connection.execute(sql, [write.link, hash_secret(write.pen or "")])
        # So that every page learns of it.
        mark_version(connection, table, "pens")


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


def find_recovery(db: Database, table: Access, secret: str | None = None) -> Recovery | None:
    """The table's recovery link, with this secret if one is given; None when it has none."""
    row = _find(db.connection, table, "recovery", secret)
    if not row:
        return None
    used_at = row["used_at"]
    return Recovery(evening_of(row["granted_at"]), evening_of(used_at) if used_at else None)


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
        connection.execute(_DROP_OLDEST, [table.id, "pen", tables.MAX_PENS])
        mark_version(connection, table, "pens")


def see_recovery(db: Database, write: Write) -> None:
    """Record that who writes has seen that the recovery link was used. Raises NoPen, NotFound."""
    with db.transaction() as connection:
        table = require_pen(connection, write)
        # Only who held a pen before it was used has seen anything.
        if table.recovered:
            row = _find(connection, table, "recovery")
            connection.table("pens").update(row["id"], {"unseen": 0})
            mark_version(connection, table, "pens")


def _find(
    connection: Connection, table: Access, kind: PenKind, secret: str | None = None
) -> dict[str, Any]:
    """A link of a table, with this secret if one is given; empty where there is none."""
    where = "table_id = ? AND kind = ? AND secret_hash = COALESCE(?, secret_hash)"
    values = [table.id, kind, hash_secret(secret) if secret is not None else None]
    return next(connection.table("pens").rows_where(where, values), {})


# To a phone of its own, or to the same phone's home screen.
TransferKind = Literal["phone", "install"]

# How long a transfer can be taken, by the clock on the wall; that of a home screen until its first
# start.
LIFETIMES: Mapping[TransferKind, timedelta] = {
    "phone": timedelta(minutes=15),
    "install": timedelta(days=1),
}

# As the database has it.
Row = dict[str, Any]
# The state of a transfer for a phone: to be taken, its own, or taken by it; one that another phone
# has taken is gone, as are one that is too old or was ended by a newer one, and one that never was.
TransferState = Literal["open", "own", "taken", "gone"]


class TableTransfer(msgspec.Struct, frozen=True):
    """A transfer as a phone finds it, with the links it brings, as in `make_transfer`.

    `language` is the code of the language that was chosen on the phone it comes from.
    """

    state: TransferState
    tables: dict[str, bool] = {}
    language: str = ""


def make_transfer(
    db: Database,
    kind: TransferKind,
    pen: str,
    tables: Mapping[str, bool],
    language: str = "",
    instance: str = "",
) -> str:
    """Make the secret of a transfer from the phone with this pen; its transfer before ends.

    `tables` are its links, the last opened first, and whether each is put away.
    """
    secret = name_link(instance, new_pen())
    row = {
        "secret_hash": hash_secret(secret),
        "owner_hash": hash_secret(pen),
        "kind": kind,
        "language": language,
        "tables": to_json(tables),
        "withheld": "[]",
        "created_at": now(),
    }
    with db.transaction() as connection:
        for old, lifetime in LIFETIMES.items():
            too_old = [old, write_time(moment() - lifetime)]
            connection.table("transfers").delete_where("kind = ? AND created_at < ?", too_old)
        connection.table("transfers").insert(row, replace=True)
    return secret


def read_transfer(db: Database, kind: TransferKind, secret: str, pen: str | None) -> TableTransfer:
    """The transfer as it is to the phone with a pen, None for one that has none yet."""
    row = _find_transfer(db.connection, kind, secret)
    state = _transfer_state(row, pen)
    if state not in ("open", "taken"):
        return TableTransfer(state)
    return TableTransfer(state, msgspec.json.decode(row["tables"]), row["language"])


def take_transfer(db: Database, kind: TransferKind, secret: str, pen: str) -> TableTransfer:
    """Copy pens and rule sets to the phone with a pen; the links are for it to keep.

    Returns its state for that phone: only an open one has been taken now. The phone that took it
    gets the links again.
    """
    with db.transaction() as connection:
        offer = read_transfer(db, kind, secret, pen)
        if offer.state == "open":
            row = _find_transfer(connection, kind, secret)
            _copy_pens(connection, row, offer.tables, pen)
            rule_sets.copy(connection, row["owner_hash"], hash_secret(pen))
            taken = {"taken_by": hash_secret(pen)}
            connection.table("transfers").update(row["secret_hash"], taken)
    return offer


def _find_transfer(connection: Connection, kind: TransferKind, secret: str) -> Row:
    """The transfer with this secret; empty where there is none."""
    where = ("secret_hash = ? AND kind = ?", [hash_secret(secret), kind])
    return next(connection.table("transfers").rows_where(*where), {})


def _copy_pens(connection: Connection, row: Row, links: Iterable[str], pen: str) -> None:
    """Let the phone with a pen write at tables here, unless as many do as may.

    Who made the transfer must still write there, and not have withheld the table.
    """
    sql = """SELECT 1 FROM tables JOIN pens ON table_id = tables.id WHERE link_hash = ?
        AND kind = 'pen' AND secret_hash = ? AND revoked_at IS NULL"""
    withheld = msgspec.json.decode(row["withheld"])
    for link in links:
        found = connection.execute(sql, [hash_secret(link), row["owner_hash"]]).fetchone()
        if link in withheld or not found:
            continue
        table = find_access(connection, link, pen)
        if not table.writes:
            with suppress(NotAllowed):
                tables.check_pens(connection, table.id)
                add_pen(connection, table.id, pen)


def _transfer_state(row: Row, pen: str | None) -> TransferState:
    phone = hash_secret(pen or "")
    if not row or (not row["taken_by"] and age(row["created_at"]) > LIFETIMES[row["kind"]]):
        return "gone"
    if row["taken_by"]:
        return "taken" if row["taken_by"] == phone else "gone"
    return "own" if row["owner_hash"] == phone else "open"
