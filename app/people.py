"""Who has played at a table, and which names are the same person."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from app import store_ledger
from app.store import Store
from app.store_ledger import PersonRow


class _Seated(msgspec.Struct):
    """What is read of a game's setup to know who sat in it."""

    players: list[str]


class People(msgspec.Struct, frozen=True):
    """The names of a table, in order of first appearance, and whose each of them is.

    `canonical` leads from every name to the name of the person; `merged` holds the names that
    have been merged into another, with that other as it was named then.
    """

    names: tuple[str, ...]
    canonical: Mapping[str, str]
    merged: Mapping[str, str]

    @property
    def persons(self) -> tuple[str, ...]:
        """One name for each person."""
        return tuple(dict.fromkeys(self.canonical[name] for name in self.names))

    def number(self, name: str) -> int:
        """What a person is called in addresses, from 1; it stays as more people come."""
        return self.names.index(name) + 1

    def numbered(self, number: int) -> str | None:
        """The name behind a number, None when it is nobody's."""
        return self.names[number - 1] if 1 <= number <= len(self.names) else None


def people(store: Store, table_id: int) -> People:
    """Everybody who has played at a table."""
    games = store.games(table_id)
    seated = [players_of(game.setup) for game in games]
    return of(seated, store_ledger.people(store, table_id))


def players_of(setup: str) -> list[str]:
    """Who sat in a game, from its setup as the database keeps it."""
    return msgspec.json.decode(setup, type=_Seated).players


def canonical(store: Store, table_id: int) -> dict[str, str]:
    """The person's name for every name that has played at a table; most are their own."""
    return dict(people(store, table_id).canonical)


def of(seated: list[list[str]], rows: list[PersonRow]) -> People:
    """The people of games with these players, when these things are known of them."""
    names = tuple(dict.fromkeys(name for players in seated for name in players))
    known = {row.id: row for row in rows}
    merged = {row.name: known[row.same_as].name for row in rows if row.same_as is not None}
    return People(names, {name: _followed(name, merged) for name in names}, merged)


def _followed(name: str, merged: Mapping[str, str]) -> str:
    """Follow merged names to the one that is the person's."""
    while name in merged:
        name = merged[name]
    return name
