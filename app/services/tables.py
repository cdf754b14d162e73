"""A table and who may read and write at it. Nothing here knows the web."""

from __future__ import annotations

import hashlib
import secrets

import msgspec

from app import store
from app.rules.currency import USUAL, Currency
from app.rules.errors import ChicagoError, Stale
from app.rules.state import Setup
from app.services.instances import name_link
from app.services.serialization import (
    serialize_setup,
)
from app.store.connection import Connection
from app.store.database import Database
from app.store.tables import TableRow

LINK_BYTES = 16
PEN_BYTES = 32


class NotFound(ChicagoError):
    """There is no such table or game."""


class NoPen(ChicagoError):
    """Whoever asks may read at this table, not write."""


class Access(msgspec.Struct, frozen=True):
    """What a link and a pen open: the table's key, name and version, and the right to write.

    `link` is the secret in the clear, `seq` the version, `erased_seq` that at which something was
    erased last; `writes` is False for who only reads, and `lost` is whether their pen was taken
    back; `recovered` is whether a recovery link has given a pen since somebody who writes looked.
    """

    id: int
    link: str
    name: str
    seq: int
    erased_seq: int
    currency: Currency
    writes: bool
    lost: bool
    recovered: bool


class Write(msgspec.Struct, frozen=True):
    """Who writes at which table, from which version of it.

    `link` and `pen` are the secrets in the clear; `seq` is the version the writer saw, None to
    write on whatever is newest.
    """

    link: str
    pen: str | None
    seq: int | None = None


def hash_secret(secret: str) -> str:
    """The hash by which the database knows a link or a pen."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def open_table(
    db: Database,
    setup: Setup,
    name: str,
    pen: str,
    link: str | None = None,
    currency: Currency = USUAL,
) -> str:
    """Open a table, start its first game, and return its link."""
    link = link or new_link()
    with db.transaction() as connection:
        table = add_table(connection, link, name, pen, currency)
        uid = derive_game_id(link, 1, table.seq)
        store.games.add(connection, table.id, 1, uid, serialize_setup(setup))
    return link


def add_table(
    connection: Connection, link: str, name: str, pen: str, currency: Currency = USUAL
) -> TableRow:
    """Add a table without games, at version 1, where a pen writes."""
    table = store.tables.add(connection, hash_secret(link), name, currency)
    store.pens.add(connection, table.id, hash_secret(pen))
    return table


def new_link(instance: str = "") -> str:
    """A secret that lets its holder read at a new table, and names the instance that has it."""
    return name_link(instance, secrets.token_urlsafe(LINK_BYTES))


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


def read_access(db: Database, link: str, pen: str | None) -> Access:
    """What a link opens, and whether a pen (None: nobody's) writes there. Raises NotFound."""
    return find_access(db.connection, link, pen)


def authorize(db: Database, link: str, pen: str | None) -> Access:
    """What a link opens, for somebody who is to write there. Raises NotFound, NoPen."""
    return require_pen(db.connection, Write(link, pen))


def read_table_id(db: Database, link: str) -> int:
    """The key of the table behind a link. Raises NotFound."""
    return find_table(db.connection, link).id


def read_version(db: Database, table_id: int) -> int:
    """The version of a table by its key, 0 when it is gone."""
    return store.tables.find_version(db.connection, table_id)


def begin_change(connection: Connection, write: Write) -> TableRow:
    """Move a table on to its next version, within the transaction that changes it.

    Raises NotFound, NoPen, and Stale when the writer saw an older version.
    """
    table = store.tables.advance(connection, hash_secret(write.link), hash_secret(write.pen or ""))
    if table is None:
        find_table(connection, write.link)
        raise NoPen("no_pen")
    if write.seq is not None and write.seq + 1 != table.seq:
        raise Stale("stale")
    return table


def require_pen(connection: Connection, write: Write) -> Access:
    """The table that a pen writes at. Raises NotFound, NoPen."""
    access = find_access(connection, write.link, write.pen)
    if not access.writes:
        raise NoPen("no_pen")
    return access


def find_access(connection: Connection, link: str, pen: str | None) -> Access:
    """What a link opens, and whether a pen writes there. Raises NotFound."""
    row = store.tables.find_access(connection, hash_secret(link), hash_secret(pen or ""))
    if row is None:
        raise NotFound("no_such_table")
    return Access(link=link, **msgspec.structs.asdict(row))


def find_table(connection: Connection, link: str) -> TableRow:
    """The row of the table behind a link. Raises NotFound."""
    table = store.tables.find(connection, hash_secret(link))
    if table is None:
        raise NotFound("no_such_table")
    return table
