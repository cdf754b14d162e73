"""Erasure: a person's name, a table, or all that is older than a set day; exactly that."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import msgspec
from msgspec.structs import replace

from app import store
from app.rules.errors import NotAllowed
from app.services import erasure_queue
from app.services.erasure_queue import EraseName, EraseOlder, EraseTable
from app.services.evening import beginning_of, evening_of
from app.services.serialization import names_in
from app.services.tables import Write, begin_change, find_table, require_pen
from app.store import clock
from app.store.connection import Connection
from app.store.database import Pool
from app.store.games import GameRow


class Count(msgspec.Struct, frozen=True):
    """What would go if everything before an evening were erased."""

    games: int
    payments: int


def list_names(pool: Pool, link: str) -> list[str]:
    """Every name that a table knows, in order of appearance. Raises NotFound."""
    with pool.snapshot() as connection:
        return _find_names(connection, find_table(connection, link).id)


def _find_names(connection: Connection, table_id: int) -> list[str]:
    """Every name of a table: who has played there, and who has paid or is merged with somebody."""
    names = _names_in(store.games.find_all_ever(connection, table_id))
    people = [person.name for person in store.people.find_all(connection, table_id)]
    return list(dict.fromkeys([*names, *people]))


def _names_in(games: Sequence[GameRow]) -> list[str]:
    return [name for game in games for name in names_in(game.setup)]


def erase_name(pool: Pool, write: Write, name: str, label: str) -> str:
    """Put `label` and a number in place of a name everywhere at the table; scores stay.

    Returns the new name. Raises NoPen, NotFound, and NotAllowed for a name that is not there.
    """
    with pool.transaction() as connection:
        table = begin_change(connection, replace(write, seq=None))
        names = _find_names(connection, table.id)
        if name not in names:
            raise NotAllowed("no_such_person", player=name)
        new = next(f"{label} {n}" for n in range(1, len(names) + 2) if f"{label} {n}" not in names)
        store.erasure.rename(connection, table.id, name, new)
        erasure_queue.add(connection, table.id, EraseName(name, new), [name])
    erasure_queue.finish(pool)
    return new


def delete_table(pool: Pool, write: Write) -> None:
    """Delete a table with everything that was ever recorded at it. Raises NoPen, NotFound."""
    with pool.transaction() as connection:
        table = require_pen(connection, write)
        people = store.people.find_all(connection, table.id)
        numbers = [person.swish for person in people if person.swish]
        names = [*_find_names(connection, table.id), *numbers, table.name]
        store.erasure.detach_table(connection, table.id)
        erasure_queue.add(connection, table.id, EraseTable(), names)
    erasure_queue.finish(pool)


def count_before(pool: Pool, link: str, before: date) -> Count:
    """What `delete_before` would delete. Raises NotFound."""
    with pool.snapshot() as connection:
        table = find_table(connection, link)
        *earlier, _newest = store.games.find_all(connection, table.id)
        bound = clock.write_time(beginning_of(before))
        payments = store.payments.count_before(connection, table.id, bound)
    return Count(sum(evening_of(game.begun_at) < before for game in earlier), payments)


def delete_before(pool: Pool, write: Write, before: date) -> None:
    """Delete the games and payments of evenings before one, but never the newest game.

    What was undone can no longer be redone, and the oldest game that is left is not undone.
    Raises NoPen, NotFound.
    """
    with pool.transaction() as connection:
        table = begin_change(connection, replace(write, seq=None))
        store.undo_stack.drop_undone(connection, table.id)
        *earlier, newest = store.games.find_all(connection, table.id)
        later = (game for game in earlier if evening_of(game.begun_at) >= before)
        staying = [*later, newest]
        gone = set(_names_in(earlier)) - set(_names_in(staying))
        store.games.keep_started(connection, staying[0].id)
        store.idempotency.drop_refusals(connection, table.id)
        erasure_queue.add(connection, table.id, EraseOlder(before.isoformat(), newest.number), gone)
    erasure_queue.finish(pool)
