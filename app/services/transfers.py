"""Transfers: one link brings a phone's tables and pens to another phone, once.

Also to the same phone's home screen, where WebKit opens an app with no cookies. The other phone
gets a pen of its own wherever this one writes on this server, and this one keeps what it has.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from app.rules.errors import NotAllowed
from app.services import quotas, rule_sets
from app.services.instances import name_link
from app.services.serialization import to_json
from app.services.tables import add_pen, find_access, hash_secret, new_pen
from app.store.clock import age, moment, now, write_time
from app.store.connection import Connection
from app.store.database import Database

# To a phone of its own, or to the same phone's home screen.
Kind = Literal["phone", "install"]

# How long a transfer can be taken, by the clock on the wall; that of a home screen until its first
# start.
LIFETIMES: Mapping[Kind, timedelta] = {
    "phone": timedelta(minutes=15),
    "install": timedelta(days=1),
}
# So long after it was made it is known that there was one.
REMEMBERED = timedelta(days=2)

# As the database has it.
Row = dict[str, Any]
# What a transfer is to a phone: to be taken, this phone's own, taken by this phone or by another,
# too old; or there is none, or it was withdrawn, which nobody tells apart.
TransferState = Literal["open", "own", "taken", "used", "expired", "gone"]


class Transfer(msgspec.Struct, frozen=True):
    """A transfer as a phone finds it: the links it brings, as in `make_transfer`, and their pens.

    `language` is the code of the language that was chosen on the phone it comes from.
    """

    state: TransferState
    tables: dict[str, bool] = {}
    pens: int = 0
    language: str = ""


def make_transfer(
    db: Database,
    kind: Kind,
    pen: str,
    tables: Mapping[str, bool],
    language: str = "",
    instance: str = "",
) -> str:
    """Make a secret that brings what the phone with a pen knows to another; the one before ends.

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
        _prune(connection)
        connection.table("transfers").insert(row, replace=True)
    return secret


def is_open(db: Database, kind: Kind, pen: str | None) -> bool:
    """Whether a transfer that the phone with a pen made can still be taken."""
    row = _find(db.connection, "owner_hash", kind, pen or "")
    return bool(row) and _state(row, None) == "open"


def withdraw(db: Database, kind: Kind, pen: str) -> None:
    """Let nobody take what the phone with a pen has made."""
    with db.transaction() as connection:
        where = "owner_hash = ? AND kind = ?"
        connection.table("transfers").delete_where(where, [hash_secret(pen), kind])


def read_transfer(db: Database, kind: Kind, secret: str, pen: str | None) -> Transfer:
    """What a transfer is to the phone with a pen, None for one that has none yet."""
    with db.snapshot() as connection:
        row = _find(connection, "secret_hash", kind, secret)
        if not row:
            return Transfer("gone")
        links = msgspec.json.decode(row["tables"])
        pens = len(_find_written(connection, row, links))
        return Transfer(_state(row, pen), links, pens, row["language"])


def take(db: Database, kind: Kind, secret: str, pen: str) -> Transfer:
    """Bring pens and rule sets to the phone with a pen; the links are for it to keep.

    What it was to that phone: only one that was open has been taken now. The phone that took it
    gets the links again.
    """
    with db.transaction() as connection:
        offer = read_transfer(db, kind, secret, pen)
        if offer.state != "open":
            return Transfer(offer.state, offer.tables if offer.state == "taken" else {})
        row = _find(connection, "secret_hash", kind, secret)
        written = _find_written(connection, row, offer.tables)
        pens = sum(_bring_pen(connection, link, pen) for link in written)
        rule_sets.bring(connection, row["owner_hash"], hash_secret(pen))
        connection.table("transfers").update(hash_secret(secret), {"taken_by": hash_secret(pen)})
    return replace(offer, pens=pens)


def _bring_pen(connection: Connection, link: str, pen: str) -> bool:
    """Let the phone with a pen write at a table, unless as many do as may."""
    table = find_access(connection, link, pen)
    if not table.writes:
        try:
            quotas.check_pens(connection, table.id)
        except NotAllowed:
            return False
        add_pen(connection, table.id, pen)
    return True


def _find(connection: Connection, column: str, kind: Kind, secret: str) -> Row:
    """The transfer with this secret, or of the owner with this pen; empty where there is none."""
    where = (f"{column} = ? AND kind = ?", [hash_secret(secret), kind])
    return next(connection.table("transfers").rows_where(*where), {})


def _find_written(connection: Connection, row: Row, links: Iterable[str]) -> list[str]:
    """The links to tables here whose pen comes along: who made the transfer still writes there."""
    sql = """SELECT 1 FROM tables JOIN pens ON table_id = tables.id WHERE link_hash = ?
        AND kind = 'pen' AND secret_hash = ? AND revoked_at IS NULL"""
    withheld = msgspec.json.decode(row["withheld"])
    return [
        link
        for link in links
        if link not in withheld
        and connection.execute(sql, [hash_secret(link), row["owner_hash"]]).fetchone()
    ]


def _state(row: Row, pen: str | None) -> TransferState:
    phone = hash_secret(pen) if pen else None
    if row["taken_by"]:
        return "taken" if row["taken_by"] == phone else "used"
    if age(row["created_at"]) > LIFETIMES[row["kind"]]:
        return "expired"
    return "own" if row["owner_hash"] == phone else "open"


def _prune(connection: Connection) -> None:
    """Empty the transfers that are too old to be taken, and delete those of long ago."""
    for kind, lifetime in LIFETIMES.items():
        sql = "UPDATE transfers SET tables = '{}' WHERE kind = ? AND created_at < ?"
        connection.execute(sql, [kind, write_time(moment() - lifetime)])
    long_ago = write_time(moment() - REMEMBERED)
    connection.table("transfers").delete_where("created_at < ?", [long_ago])
