"""Forgetting: a person's name, a table, or all that is older than a set day; exactly that."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date

import msgspec
from msgspec.structs import replace

from app.rules.errors import NotAllowed
from app.rules.state import Setup
from app.services import statistics
from app.services.serialization import deserialize_setup, serialize_setup
from app.services.tables import Write, require_pen, sheet, table_id
from app.store import erasure
from app.store.database import Pool


class Count(msgspec.Struct, frozen=True):
    """What would go if everything before a day were forgotten."""

    games: int
    payments: int


def list_names(pool: Pool, link: str) -> list[str]:
    """Every name that has played at a table. Raises NotFound."""
    games = pool.games(table_id(pool, link))
    return list(
        dict.fromkeys(name for game in games for name in deserialize_setup(game.setup).players)
    )


def erase_name(pool: Pool, write: Write, name: str, label: str) -> str:
    """Put `label` and a number in place of a name everywhere at the table; scores stay.

    Returns the new name. Raises NoPen, NotFound, and NotAllowed for a name that is not there.
    """
    with _for_good(pool):
        table = require_pen(pool, write)
        known = list_names(pool, write.link)
        if name not in known:
            raise NotAllowed("no_such_person", player=name)
        new = next(f"{label} {n}" for n in range(1, 1000) if f"{label} {n}" not in known)
        for game in pool.games(table.id):
            setup = _renamed(deserialize_setup(game.setup), name, new)
            erasure.rewrite_setup(pool, game.id, serialize_setup(setup))
            statistics.update_game(pool, game.id)
        erasure.rename(pool, table.id, name, new)
        erasure.drop_remarks(pool, table.id, name)
        pool.add_change(table.id, "forget", "")
    return new


def _renamed(setup: Setup, name: str, new: str) -> Setup:
    players = tuple(new if player == name else player for player in setup.players)
    return replace(setup, players=players, dealer=new if setup.dealer == name else setup.dealer)


def delete_table(pool: Pool, write: Write) -> None:
    """Delete a table with everything that was ever recorded at it. Raises NoPen, NotFound."""
    with _for_good(pool):
        erasure.delete_table(pool, require_pen(pool, write).id)


def count_before(pool: Pool, link: str, before: date) -> Count:
    """What `delete_before` would take away. Raises NotFound."""
    table, day = table_id(pool, link), before.isoformat()
    newest = sheet(pool, link).games
    games = [g for g in pool.games(table) if g.begun_at < day and g.number != newest]
    return Count(len(games), erasure.payments_before(pool, table, day))


def delete_before(pool: Pool, write: Write, before: date) -> None:
    """Delete the games begun and the payments made before a day, but never the newest game.

    Raises NoPen, NotFound.
    """
    with _for_good(pool):
        table = require_pen(pool, write)
        newest = pool.newest_game(table.id).number
        erasure.delete_before(pool, table.id, before.isoformat(), newest)
        pool.add_change(table.id, "forget", "")


@contextmanager
def _for_good(pool: Pool) -> Iterator[None]:
    """A change that takes things out: guards off while it lasts, and no trace on disk after."""
    with pool.writing():
        guards = erasure.without_guards(pool)
        yield
        erasure.put_back(pool, guards)
    erasure.scrub(pool)
