"""Transfers: one link brings a phone's tables and pens to another phone, once.

Also to the same phone's home screen, where WebKit opens an app with no cookies. The other phone
gets a pen of its own wherever this one writes on this server, and this one keeps what it has.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Literal

import msgspec

from app import store
from app.services import quotas, rule_sets
from app.services.instances import name_link
from app.services.serialization import to_json
from app.services.tables import Access, NotFound, find_access, hash_secret, new_pen
from app.store.clock import now, write_time
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


class _Row(msgspec.Struct, frozen=True):
    owner_hash: str
    language: str
    tables: str
    withheld: str
    created_at: str
    taken_by: str | None

    @property
    def links(self) -> dict[str, bool]:
        return msgspec.json.decode(self.tables, type=dict[str, bool])


_COLUMNS = "owner_hash, language, tables, withheld, created_at, taken_by"


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
    secret, owner = name_link(instance, new_pen()), hash_secret(pen)
    with db.transaction() as connection:
        _prune(connection)
        connection.execute(
            """INSERT OR REPLACE INTO transfers
                (secret_hash, owner_hash, kind, language, tables, created_at)
            VALUES (?, ?, ?, ?, ?, ?)""",
            [hash_secret(secret), owner, kind, language, to_json(tables), now()],
        )
    return secret


def is_open(db: Database, kind: Kind, pen: str | None) -> bool:
    """Whether a transfer that the phone with a pen made can still be taken."""
    sql = f"SELECT {_COLUMNS} FROM transfers WHERE owner_hash = ? AND kind = ?"  # noqa: S608  # our own names
    row = db.connection.execute(sql, [hash_secret(pen or ""), kind]).fetchone()
    return row is not None and _state(_Row(*row), kind, None) == "open"


def withdraw(db: Database, kind: Kind, pen: str) -> None:
    """Let nobody take what the phone with a pen has made."""
    with db.transaction() as connection:
        sql = "DELETE FROM transfers WHERE owner_hash = ? AND kind = ?"
        connection.execute(sql, [hash_secret(pen), kind])


def read_transfer(db: Database, kind: Kind, secret: str, pen: str | None) -> Transfer:
    """What a transfer is to the phone with a pen, None for one that has none yet."""
    with db.snapshot() as connection:
        row = _find(connection, kind, secret)
        if row is None:
            return Transfer("gone")
        pens = len(_find_written(connection, row))
    return Transfer(_state(row, kind, pen), row.links, pens, row.language)


def take(db: Database, kind: Kind, secret: str, pen: str) -> Transfer:
    """Bring pens and rule sets to the phone with a pen; the links are for it to keep.

    What it was to that phone: only one that was open has been taken now. The phone that took it
    gets the links again.
    """
    with db.transaction() as connection:
        row = _find(connection, kind, secret)
        state = _state(row, kind, pen)
        if row is None or state != "open":
            return Transfer(state, row.links if row and state == "taken" else {})
        pens = sum(_bring_pen(connection, table, pen) for table in _find_written(connection, row))
        rule_sets.bring(connection, row.owner_hash, hash_secret(pen))
        sql = "UPDATE transfers SET taken_by = ? WHERE secret_hash = ?"
        connection.execute(sql, [hash_secret(pen), hash_secret(secret)])
    return Transfer(state, row.links, pens, row.language)


def _bring_pen(connection: Connection, table: Access, pen: str) -> bool:
    """Let the phone with a pen write at a table; whether it does now."""
    if store.pens.is_held(connection, table.id, hash_secret(pen)):
        return True
    if store.pens.count(connection, table.id) >= quotas.MAX_PENS:
        return False
    store.pens.add(connection, table.id, hash_secret(pen))
    return True


def _find(connection: Connection, kind: Kind, secret: str) -> _Row | None:
    sql = f"SELECT {_COLUMNS} FROM transfers WHERE secret_hash = ? AND kind = ?"  # noqa: S608  # our own names
    row = connection.execute(sql, [hash_secret(secret), kind]).fetchone()
    return _Row(*row) if row else None


def _find_written(connection: Connection, row: _Row) -> list[Access]:
    """The tables here whose pen comes along: the phone that made the transfer still writes."""
    found, withheld = [], msgspec.json.decode(row.withheld, type=set[str])
    for link in row.links.keys() - withheld:
        with suppress(NotFound):
            table = find_access(connection, link, None)
            if store.pens.is_held(connection, table.id, row.owner_hash):
                found.append(table)
    return found


def _state(row: _Row | None, kind: Kind, pen: str | None) -> TransferState:
    if row is None:
        return "gone"
    phone = hash_secret(pen) if pen else None
    if row.taken_by:
        return "taken" if row.taken_by == phone else "used"
    age = datetime.now(UTC) - datetime.fromisoformat(row.created_at)
    if abs(age) > LIFETIMES[kind]:
        return "expired"
    return "own" if row.owner_hash == phone else "open"


def _prune(connection: Connection) -> None:
    """Empty the transfers that are too old to be taken, and delete those of long ago."""
    moment = datetime.now(UTC)
    for kind, lifetime in LIFETIMES.items():
        sql = "UPDATE transfers SET tables = '{}' WHERE kind = ? AND created_at < ?"
        connection.execute(sql, [kind, write_time(moment - lifetime)])
    sql = "DELETE FROM transfers WHERE created_at < ?"
    connection.execute(sql, [write_time(moment - REMEMBERED)])
