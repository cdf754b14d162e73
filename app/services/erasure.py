"""Erasure: a person's name, a table, or all that is older than a set day; exactly that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date

import msgspec
from msgspec.structs import replace

from app import store
from app.rules.errors import NotAllowed
from app.rules.state import Setup
from app.services import statistics
from app.services.people import players_in
from app.services.serialization import deserialize_setup, serialize_setup
from app.services.tables import Write, begin_change, find_table, require_pen
from app.store.database import Connection, Pool
from app.store.games import GameRow


class Count(msgspec.Struct, frozen=True):
    """What would go if everything before a day were erased."""

    games: int
    payments: int


def list_names(pool: Pool, link: str) -> list[str]:
    """Every name that has played at a table. Raises NotFound."""
    with pool.snapshot() as connection:
        return _names(store.games.find_all(connection, find_table(connection, link).id))


def _names(games: Sequence[GameRow]) -> list[str]:
    return list(dict.fromkeys(name for game in games for name in players_in(game.setup)))


def erase_name(pool: Pool, write: Write, name: str, label: str) -> str:
    """Put `label` and a number in place of a name everywhere at the table; scores stay.

    Returns the new name. Raises NoPen, NotFound, and NotAllowed for a name that is not there.
    """
    with _erasing(pool) as connection:
        table = begin_change(connection, replace(write, seq=None))
        games = store.games.find_all(connection, table.id)
        names = _names(games)
        if name not in names:
            raise NotAllowed("no_such_person", player=name)
        new = next(f"{label} {n}" for n in range(1, 1000) if f"{label} {n}" not in names)
        for game in games:
            setup = _rename(deserialize_setup(game.setup), name, new)
            store.erasure.rewrite_setup(connection, game.id, serialize_setup(setup))
        statistics.recount_games(connection, table.id, store.games.find_all(connection, table.id))
        store.erasure.rename(connection, table.id, name, new)
        store.erasure.drop_remarks(connection, table.id, name)
    return new


def _rename(setup: Setup, name: str, new: str) -> Setup:
    players = tuple(new if player == name else player for player in setup.players)
    return replace(setup, players=players, dealer=new if setup.dealer == name else setup.dealer)


def delete_table(pool: Pool, write: Write) -> None:
    """Delete a table with everything that was ever recorded at it. Raises NoPen, NotFound."""
    with _erasing(pool) as connection:
        store.erasure.delete_table(connection, require_pen(connection, write).id)


def count_before(pool: Pool, link: str, before: date) -> Count:
    """What `delete_before` would delete. Raises NotFound."""
    with pool.snapshot() as connection:
        table, day = find_table(connection, link), before.isoformat()
        *earlier, _newest = store.games.find_all(connection, table.id)
        payments = store.payments.count_before(connection, table.id, day)
    return Count(sum(game.begun_at < day for game in earlier), payments)


def delete_before(pool: Pool, write: Write, before: date) -> None:
    """Delete the games begun and the payments made before a day, but never the newest game.

    Raises NoPen, NotFound.
    """
    with _erasing(pool) as connection:
        table = begin_change(connection, replace(write, seq=None))
        newest = store.games.find_newest(connection, table.id).number
        store.erasure.delete_before(connection, table.id, before.isoformat(), newest)
        store.statistics.sum_months(connection, table.id)


@contextmanager
def _erasing(pool: Pool) -> Iterator[Connection]:
    """A transaction that takes things out: guards off while it lasts, no trace on disk after."""
    with pool.transaction() as connection, store.erasure.suspend_guards(connection):
        yield connection
    store.erasure.scrub(pool.connection)
