"""Forgetting: a person's name, a table, or all that is older than a set day; exactly that."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date

import msgspec
from msgspec.structs import replace

from app import figuring, store_forgetting
from app.keeping import keep_setup, kept_setup
from app.rules.errors import NotAllowed
from app.rules.state import Setup
from app.store import Store
from app.tables import Write, sheet, table_id, writable


class Going(msgspec.Struct, frozen=True):
    """What would go if everything before a day were forgotten."""

    games: int
    payments: int


def names(store: Store, link: str) -> list[str]:
    """Every name that has played at a table. Raises NotFound."""
    games = store.games(table_id(store, link))
    return list(dict.fromkeys(name for game in games for name in kept_setup(game.setup).players))


def forget_name(store: Store, write: Write, name: str, label: str) -> str:
    """Put `label` and a number in place of a name everywhere at the table; scores stay.

    Returns the new name. Raises NoPen, NotFound, and NotAllowed for a name that is not there.
    """
    with _for_good(store):
        table = writable(store, write)
        known = names(store, write.link)
        if name not in known:
            raise NotAllowed("no_such_person", player=name)
        new = next(f"{label} {n}" for n in range(1, 1000) if f"{label} {n}" not in known)
        for game in store.games(table.id):
            setup = _renamed(kept_setup(game.setup), name, new)
            store_forgetting.rewrite_setup(store, game.id, keep_setup(setup))
            figuring.refresh(store, game.id)
        store_forgetting.rename(store, table.id, name, new)
        store_forgetting.drop_remarks(store, table.id, name)
        store.add_change(table.id, "forget", "")
    return new


def _renamed(setup: Setup, name: str, new: str) -> Setup:
    players = tuple(new if player == name else player for player in setup.players)
    return replace(setup, players=players, dealer=new if setup.dealer == name else setup.dealer)


def delete_table(store: Store, write: Write) -> None:
    """Delete a table with everything that was ever recorded at it. Raises NoPen, NotFound."""
    with _for_good(store):
        store_forgetting.delete_table(store, writable(store, write).id)


def going(store: Store, link: str, before: date) -> Going:
    """What `delete_before` would take away. Raises NotFound."""
    table, day = table_id(store, link), before.isoformat()
    newest = sheet(store, link).games
    games = [g for g in store.games(table) if g.begun_at < day and g.number != newest]
    return Going(len(games), store_forgetting.payments_before(store, table, day))


def delete_before(store: Store, write: Write, before: date) -> None:
    """Delete the games begun and the payments made before a day, but never the newest game.

    Raises NoPen, NotFound.
    """
    with _for_good(store):
        table = writable(store, write)
        newest = store.newest_game(table.id).number
        store_forgetting.delete_before(store, table.id, before.isoformat(), newest)
        store.add_change(table.id, "forget", "")


@contextmanager
def _for_good(store: Store) -> Iterator[None]:
    """A change that takes things out: guards off while it lasts, and no trace on disk after."""
    with store.writing():
        guards = store_forgetting.without_guards(store)
        yield
        store_forgetting.put_back(store, guards)
    store_forgetting.scrub(store)
