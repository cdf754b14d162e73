"""Transfers: one link brings a phone's tables and pens to another phone, once.

Also to the same phone's home screen, where WebKit opens an app with no cookies. The other phone
gets a pen of its own wherever this one writes, and this one keeps what it has. Links travel
encrypted with the transfer's secret, which is stored hashed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Literal

import msgspec

from app import store
from app.services import phone_tables, quotas, rule_sets
from app.services.tables import hash_secret, new_pen
from app.store.clock import write_time
from app.store.connection import Connection
from app.store.database import Pool
from app.store.transfers import Kind, TransferRow, TransferTableRow

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
    """A transfer as a phone finds it: how many tables it brings, and how many pens of those.

    `language` is the code of the language that was chosen on the phone it comes from.
    """

    state: TransferState
    tables: int = 0
    pens: int = 0
    language: str = ""


def make_transfer(  # all that a transfer has
    pool: Pool,
    kind: Kind,
    pen: str,
    recent: Collection[str],
    language: str = "",
    secret: str | None = None,
) -> str:
    """Make a secret that brings what the phone with a pen knows to another; the one before ends.

    `recent` are the links that the phone itself remembers. The same secret brings what several
    instances have.
    """
    secret = secret or new_pen()
    tables = phone_tables.list_tables(pool, pen, recent)
    rows = [
        (hash_secret(each.link), phone_tables.seal(each.link, secret), each.writes, each.put_away)
        for each in tables
    ]
    with pool.transaction() as connection:
        _prune(connection)
        owner = hash_secret(pen)
        key = store.transfers.add(connection, hash_secret(secret), owner, kind, language)
        store.transfers.add_tables(connection, key, rows)
    return secret


def is_open(pool: Pool, kind: Kind, pen: str | None) -> bool:
    """Whether a transfer that the phone with a pen made can still be taken."""
    if pen is None:
        return False
    row = store.transfers.find_of_phone(pool.connection, hash_secret(pen), kind)
    return row is not None and _state(row, kind, None) == "open"


def withdraw(pool: Pool, kind: Kind, pen: str) -> None:
    """Let nobody take what the phone with a pen has made."""
    with pool.transaction() as connection:
        store.transfers.delete(connection, hash_secret(pen), kind)


def read_transfer(pool: Pool, kind: Kind, secret: str, pen: str | None) -> Transfer:
    """What a transfer is to the phone with a pen, None for one that has none yet."""
    with pool.snapshot() as connection:
        row = store.transfers.find(connection, hash_secret(secret), kind)
        tables = store.transfers.find_tables(connection, row.id) if row else []
        pens = sum(row is not None and _brings_pen(connection, row, each) for each in tables)
    language = row.language if row else ""
    return Transfer(_state(row, kind, pen), len(tables), pens, language)


def take(pool: Pool, kind: Kind, secret: str, pen: str, recent: Collection[str] = ()) -> Transfer:
    """Bring all that a transfer holds to the phone with a pen, which remembers `recent` itself.

    What it was to that phone: only one that was open has been taken now. What the phone has
    already it keeps as it is.
    """
    with pool.transaction() as connection:
        row = store.transfers.find(connection, hash_secret(secret), kind)
        state = _state(row, kind, pen)
        if row is None or state != "open":
            return Transfer(state)
        tables = store.transfers.find_tables(connection, row.id)
        known = _find_known(connection, pen, recent)
        # The last first: what is kept last is the newest.
        pens = sum(_bring(connection, row, each, secret, pen, known) for each in reversed(tables))
        rule_sets.bring(connection, row.owner_hash, hash_secret(pen))
        store.transfers.use(connection, row.id, hash_secret(pen))
    return Transfer(state, len(tables), pens, row.language)


def _find_known(connection: Connection, pen: str, recent: Iterable[str]) -> set[str]:
    """The hashes of the links that a phone knows."""
    kept = store.phone_tables.find_all(connection, hash_secret(pen))
    return {hash_secret(link) for link in recent} | {row.link_hash for row in kept}


def _bring(
    connection: Connection,
    row: TransferRow,
    table: TransferTableRow,
    secret: str,
    pen: str,
    known: set[str],
) -> bool:
    """Bring a table to the phone with a pen; whether that phone writes there now."""
    link = phone_tables.unseal(table.sealed_link, secret, table.link_hash)
    if link is None:
        return False
    away = None if table.link_hash in known else table.put_away
    phone_tables.keep_one(connection, pen, link, away)
    if store.pens.is_held(connection, table.table_id, hash_secret(pen)):
        return True
    has_room = store.pens.count(connection, table.table_id) < quotas.MAX_PENS
    if not has_room or not _brings_pen(connection, row, table):
        return False
    store.pens.add(connection, table.table_id, hash_secret(pen))
    return True


def _brings_pen(connection: Connection, row: TransferRow, table: TransferTableRow) -> bool:
    """Whether a table's pen comes along: the phone it comes from must not have lost it since."""
    return table.writes and store.pens.is_held(connection, table.table_id, row.owner_hash)


def _state(row: TransferRow | None, kind: Kind, pen: str | None) -> TransferState:
    if row is None:
        return "gone"
    phone = hash_secret(pen) if pen else None
    if row.used_at:
        return "taken" if row.taken_by == phone else "used"
    age = datetime.now(UTC) - datetime.fromisoformat(row.created_at)
    if abs(age) > LIFETIMES[kind]:
        return "expired"
    return "own" if row.owner_hash == phone else "open"


def _prune(connection: Connection) -> None:
    moment = datetime.now(UTC)
    for kind, lifetime in LIFETIMES.items():
        times = write_time(moment - lifetime), write_time(moment - REMEMBERED)
        store.transfers.prune(connection, kind, *times)
