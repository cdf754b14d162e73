"""Who has played at a table, and which names are the same person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from app import store
from app.rules.errors import NotAllowed
from app.services.tables import NotFound, Write, begin_change, find_table
from app.store.database import Connection, Pool
from app.store.games import GameRow
from app.store.people import PersonRow


class _Seats(msgspec.Struct):
    """The part of a game's setup that says who sat in it."""

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

    def find_name(self, number: int) -> str | None:
        """The name behind a number, None when it is nobody's."""
        return self.names[number - 1] if 1 <= number <= len(self.names) else None


def list_people(pool: Pool, table_id: int) -> People:
    """Everybody who has played at a table."""
    with pool.snapshot() as connection:
        return find_people(connection, table_id)


def find_people(connection: Connection, table_id: int) -> People:
    """Everybody who has played at a table."""
    return people_of(connection, table_id, store.games.find_all(connection, table_id))


def people_of(connection: Connection, table_id: int, game_rows: Sequence[GameRow]) -> People:
    """Everybody who has played at a table, all of whose games these are."""
    games = [players_in(game.setup) for game in game_rows]
    return group_names(games, store.people.find_all(connection, table_id))


def players_in(setup: str) -> list[str]:
    """Who sat in a game, from its setup as the database holds it."""
    return msgspec.json.decode(setup, type=_Seats).players


def group_names(games: list[list[str]], rows: list[PersonRow]) -> People:
    """The people of games with these players, some of whose names are merged."""
    names = tuple(dict.fromkeys(name for players in games for name in players))
    name_of = {row.id: row.name for row in rows}
    merged = {row.name: name_of[row.same_as] for row in rows if row.same_as is not None}
    return People(names, {name: _follow(name, merged) for name in names}, merged)


def _follow(name: str, merged: Mapping[str, str]) -> str:
    """Follow merged names to the one that is the person's."""
    while name in merged:
        name = merged[name]
    return name


def merge(pool: Pool, write: Write, name: str, into: str) -> None:
    """Let two names be the same person, called `into` from now on; undone by `split`.

    Raises NotAllowed when both have sat in the same game, NotFound when either never played here,
    and otherwise as every change.
    """
    with pool.transaction() as connection:
        table = begin_change(connection, write)
        pair = _two_persons(find_people(connection, table.id), name, into)
        ever = store.games.find_all_ever(connection, table.id)
        _refuse_same_game(ever, people_of(connection, table.id, ever), pair)
        person, other = (store.people.find_or_add(connection, table.id, name) for name in pair)
        store.people.merge(connection, person, other)


def _two_persons(people: People, name: str, into: str) -> tuple[str, str]:
    if name not in people.canonical or into not in people.canonical:
        raise NotFound("no_such_person")
    person, other = people.canonical[name], people.canonical[into]
    if person == other:
        raise NotAllowed("same_person_already", player=name, by=into)
    return person, other


def _refuse_same_game(game_rows: Sequence[GameRow], people: People, pair: tuple[str, str]) -> None:
    """Two people who played against each other are two, by whatever names they went."""
    for game in game_rows:
        names = [name for name in players_in(game.setup) if people.canonical[name] in pair]
        if len({people.canonical[name] for name in names}) > 1:
            raise NotAllowed("played_each_other", player=names[0], by=names[1], number=game.number)


def split(pool: Pool, write: Write, name: str) -> None:
    """Let a name that was merged stand for itself again. Raises NotAllowed when it does."""
    with pool.transaction() as connection:
        table = begin_change(connection, write)
        if name not in find_people(connection, table.id).merged:
            raise NotAllowed("not_merged", player=name)
        person = store.people.find_or_add(connection, table.id, name)
        store.people.merge(connection, person, None)


def refuse_one_person_twice(pool: Pool, link: str, players: list[str]) -> None:
    """Raise NotAllowed when two of these names are known to be the same person."""
    with pool.snapshot() as connection:
        names = find_people(connection, find_table(connection, link).id).canonical
    seats: dict[str, str] = {}
    for player in (name.strip() for name in players):
        person = names.get(player, player)
        if person in seats and seats[person] != player:
            raise NotAllowed("one_person_twice", player=seats[person], by=player)
        seats[person] = player
