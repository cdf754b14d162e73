"""The tables that a phone knows: by name, people and dates, and which of them are put away.

A phone is known by its secret. Links are stored nowhere in the clear: each is encrypted with a key
that is derived from that secret and used for nothing else, so that the database alone opens none.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Iterator
from datetime import date
from itertools import islice

import msgspec
from msgspec.structs import replace

from app import store
from app.rules.gamefile import read_name
from app.services.evening import evening_of
from app.services.people import players_in
from app.services.tables import NotFound, Write, begin_change, find_access, hash_secret
from app.store.database import Connection, Pool


class PhoneTable(msgspec.Struct, frozen=True):
    """A table that a phone knows; `players` are those of its newest game.

    `seq` is its version, `writes` as in Access. `played_at` is when that game was last written at;
    `put_away` whether the start is to pass it over.
    """

    link: str
    name: str
    seq: int
    players: tuple[str, ...]
    played_at: str
    writes: bool
    put_away: bool

    @property
    def played_on(self) -> date:
        """The evening on which it was last written at."""
        return evening_of(self.played_at)


def list_tables(
    pool: Pool, secret: str | None, recent: Iterable[str], most: int | None = None
) -> list[PhoneTable]:
    """The tables of the phone that has a secret: `recent` links first, then those kept for it.

    Those put away come after all others; what has been deleted is passed over. `most` is how many
    are wanted, None for all.
    """
    with pool.snapshot() as connection:
        away = dict(_find_kept(connection, secret))
        links = sorted(dict.fromkeys([*recent, *away]), key=lambda link: away.get(link, False))
        found = (_find(connection, link, secret, away.get(link, False)) for link in links)
        return list(islice((table for table in found if table is not None), most))


def keep(pool: Pool, secret: str, links: Iterable[str]) -> None:
    """Keep tables for a phone, the last of them as the newest; those that are gone are not."""
    with pool.transaction() as connection:
        for link in links:
            _keep(connection, secret, link)


def put_away(pool: Pool, secret: str, link: str, *, away: bool) -> None:
    """Put a table of the phone away, or bring it back. Raises NotFound."""
    with pool.transaction() as connection:
        if not _keep(connection, secret, link, away):
            raise NotFound("no_such_table")


def rename(pool: Pool, write: Write, name: str) -> None:
    """Give a table another name, for everybody; without one it goes by its players.

    Raises BadFile, NoPen, NotFound.
    """
    new = read_name(name) if name.strip() else ""
    with pool.transaction() as connection:
        table = begin_change(connection, replace(write, seq=None))
        store.tables.rename(connection, table.id, new)


def _find_kept(connection: Connection, secret: str | None) -> Iterator[tuple[str, bool]]:
    """The links kept for a phone, and whether each is put away."""
    if secret is None:
        return
    for row in store.phone_tables.find_all(connection, hash_secret(secret)):
        link = _encrypt(row.sealed_link, secret, row.link_hash).decode("ascii", "replace")
        if hash_secret(link) == row.link_hash:
            yield link, row.put_away


def _find(
    connection: Connection, link: str, secret: str | None, put_away: bool
) -> PhoneTable | None:
    try:
        table = find_access(connection, link, secret)
    except NotFound:
        return None
    game = store.undo_stack.find_head(connection, table.id).game
    played_at = store.games.find_last_time(connection, game)
    players = tuple(players_in(game.setup))
    return PhoneTable(link, table.name, table.seq, players, played_at, table.writes, put_away)


def _keep(connection: Connection, secret: str, link: str, away: bool | None = None) -> bool:
    table = store.tables.find(connection, hash_secret(link))
    if table is None:
        return False
    sealed = _encrypt(link.encode(), secret, hash_secret(link))
    store.phone_tables.keep(connection, hash_secret(secret), table.id, sealed, away)
    return True


def _encrypt(text: bytes, secret: str, link_hash: str) -> bytes:
    """Encrypt or decrypt a link: a one-time pad, since the key is that of one link of one phone."""
    pad = hmac.digest(secret.encode(), f"link of a table {link_hash}".encode(), "sha256")
    return bytes(one ^ other for one, other in zip(text, pad[: len(text)], strict=True))
