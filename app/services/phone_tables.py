"""The tables that a phone knows: by name, people and dates, and which of them are put away.

A phone is known by its secret. Links are stored nowhere in the clear: each is encrypted with a key
that is derived from that secret and used for nothing else, so that the database alone opens none.
"""

from __future__ import annotations

import hmac
from collections.abc import Collection, Iterable, Iterator
from datetime import date
from itertools import islice

import msgspec
from msgspec.structs import replace

from app import store
from app.rules.names import read_name
from app.services.evening import evening_of
from app.services.sheets import find_players
from app.services.tables import NotFound, Write, begin_change, find_access, hash_secret
from app.store.connection import Connection
from app.store.database import Pool


class PhoneTable(msgspec.Struct, frozen=True):
    """A table that a phone knows; `players` are those of its newest game.

    `seq` is its version, `writes` as in Access. `played_at` is when that game was last written at;
    `put_away` whether the start is to pass it over. `playing` is whether that game goes on, else
    `winners` have won it; nobody has where it was broken off as void.
    """

    link: str
    name: str
    seq: int
    players: tuple[str, ...]
    played_at: str
    writes: bool
    put_away: bool
    playing: bool
    winners: tuple[str, ...]

    @property
    def played_on(self) -> date:
        """The evening on which it was last written at."""
        return evening_of(self.played_at)


def list_tables(
    pool: Pool, secret: str | None, recent: Collection[str], most: int | None = None
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
            keep_one(connection, secret, link)


def put_away(pool: Pool, secret: str, link: str, *, away: bool) -> None:
    """Put a table of the phone away, or bring it back. Raises NotFound."""
    with pool.transaction() as connection:
        if not keep_one(connection, secret, link, away):
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
        if link := unseal(row.sealed_link, secret, row.link_hash):
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
    players = find_players(connection, game)
    winners = store.game_list.find_winners(connection, game.id)
    return PhoneTable(
        link=link,
        name=table.name,
        seq=table.seq,
        players=players,
        played_at=played_at,
        writes=table.writes,
        put_away=put_away,
        playing=not winners and not store.games.find_bodies(connection, game.id, "break_off"),
        winners=winners,
    )


def keep_one(connection: Connection, secret: str, link: str, away: bool | None = None) -> bool:
    """Keep a table for a phone, as the newest; False when it is gone.

    `away` is whether it is put away, None to leave that as it is.
    """
    table = store.tables.find(connection, hash_secret(link))
    if table is None:
        return False
    sealed = seal(link, secret)
    store.phone_tables.keep(connection, hash_secret(secret), table.id, sealed, away)
    return True


def seal(link: str, secret: str) -> bytes:
    """Encrypt a table's link with a secret of 128 random bits and more."""
    return _encrypt(link.encode(), secret, hash_secret(link))


def unseal(sealed: bytes, secret: str, link_hash: str) -> str | None:
    """A link that was encrypted with a secret, None when it was not."""
    link = _encrypt(sealed, secret, link_hash).decode("ascii", "replace")
    return link if hash_secret(link) == link_hash else None


def _encrypt(text: bytes, secret: str, link_hash: str) -> bytes:
    """Encrypt or decrypt a link: a one-time pad, the key being that of one link and one secret."""
    pad = hmac.digest(secret.encode(), f"link of a table {link_hash}".encode(), "sha256")
    return bytes(one ^ other for one, other in zip(text, pad[: len(text)], strict=True))
