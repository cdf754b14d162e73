"""Who has played at a table, and which names are the same person."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import msgspec

from app import store
from app.rules.errors import NotAllowed
from app.rules.events import Joins
from app.services.serialization import beginners_in, deserialize_event, names_in
from app.services.tables import NotFound, Write, begin_change, find_table, hash_secret
from app.store.connection import Connection
from app.store.database import Database
from app.store.games import GameRow
from app.store.people import PersonRow

_CODE_DIGITS = 8


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


def list_people(db: Database, table_id: int) -> People:
    """Everybody who has played at a table."""
    with db.snapshot() as connection:
        return find_people(connection, table_id)


def code_of(link: str, name: str) -> str:
    """What a name is called in addresses of a table: digits that tell nobody the name.

    It is the same in every game there, whoever sits where, joins or is undone.
    """
    return f"{int(hash_secret(f'{name} at {link}')[:12], 16) % 10**_CODE_DIGITS:0{_CODE_DIGITS}}"


def is_code(text: str) -> bool:
    """Whether a text is written as a code is."""
    return len(text) == _CODE_DIGITS and text.isascii() and text.isdecimal()


def find_coded(db: Database, link: str) -> tuple[int, dict[str, str]]:
    """The table's version, and by their codes whoever may sit in its newest game.

    Another name of the same person leads there too. Raises NotFound.
    """
    with db.snapshot() as connection:
        table = find_table(connection, link)
        seated = names_in(store.undo_stack.find_head(connection, table.id).game.setup)
        rows = store.people.find_all(connection, table.id)
    people = group_names([[*seated, *(row.name for row in rows)]], rows)
    seat_of = {people.canonical[name]: name for name in seated}
    whose = {name: seat_of.get(person) for name, person in people.canonical.items()}
    coded = {code_of(link, name): seat for name, seat in whose.items() if seat}
    return table.seq, coded | {code_of(link, name): name for name in seated}


def find_people(connection: Connection, table_id: int) -> People:
    """Everybody who has played at a table."""
    return people_of(connection, table_id, store.games.find_all(connection, table_id))


def people_of(connection: Connection, table_id: int, game_rows: Sequence[GameRow]) -> People:
    """Everybody who has played at a table, all of whose games these are."""
    rows = store.people.find_all(connection, table_id)
    known = {row.name for row in rows}
    return group_names([_find_names(connection, game, known) for game in game_rows], rows)


def _find_names(connection: Connection, game: GameRow, known: Collection[str]) -> list[str]:
    """Who has played in a game, and who of those `known` had joined it before that was undone.

    These may have paid or been paid for it.
    """
    names, players = names_in(game.setup), beginners_in(game.setup)
    if len(names) == len(players):
        return list(names)
    # In no order, and nothing else of the game: this is asked of every game of a table.
    bodies = store.games.find_bodies(connection, game.id, "joins")
    events = (deserialize_event(body, names) for body in bodies)
    seated = {*players, *known, *(event.player for event in events if isinstance(event, Joins))}
    return [name for name in names if name in seated]


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


def merge(db: Database, write: Write, name: str, into: str) -> None:
    """Let two names be the same person, called `into` from now on; undone by `split`.

    Raises NotAllowed when both have sat in the same game, NotFound when either never played here,
    and otherwise as every change.
    """
    with db.transaction() as connection:
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
        names = [name for name in names_in(game.setup) if people.canonical.get(name, name) in pair]
        if len({people.canonical.get(name, name) for name in names}) > 1:
            raise NotAllowed("played_each_other", player=names[0], by=names[1], number=game.number)


def split(db: Database, write: Write, name: str) -> None:
    """Let a name that was merged stand for itself again. Raises NotAllowed when it does."""
    with db.transaction() as connection:
        table = begin_change(connection, write)
        if name not in find_people(connection, table.id).merged:
            raise NotAllowed("not_merged", player=name)
        person = store.people.find_or_add(connection, table.id, name)
        store.people.merge(connection, person, None)


def refuse_same_person(connection: Connection, table_id: int, players: Sequence[str]) -> None:
    """Raise NotAllowed when two of these names are known to be the same person at a table."""
    names = find_people(connection, table_id).canonical
    seats: dict[str, str] = {}
    for player in players:
        person = names.get(player, player)
        if person in seats and seats[person] != player:
            raise NotAllowed("one_person_twice", player=seats[person], by=player)
        seats[person] = player
