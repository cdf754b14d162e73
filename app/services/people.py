"""People of a table: their names, and which names are the same person."""

from collections.abc import Collection, Iterable, Mapping, Sequence

import msgspec

from app.rules.codes import NotAllowed
from app.services import tables
from app.services.fold import Fold, fold, follow
from app.services.tables import Access, hash_secret
from app.store import log
from app.store.connection import Connection
from app.store.database import Database

_CODE_DIGITS = 8


class People(msgspec.Struct, frozen=True):
    """The names of a table, in order of first appearance, and whose each of them is.

    `numbers` are those of the names, from 1, in addresses too; they stay as more people come.
    `canonical` leads from every name to the name of the person.
    """

    numbers: Mapping[str, int]
    canonical: Mapping[str, str]

    @property
    def persons(self) -> tuple[str, ...]:
        """One name for each person."""
        return tuple(dict.fromkeys(self.canonical.values()))

    def find_name(self, number: int) -> str | None:
        """The name behind a number, None when it is nobody's."""
        return next((name for name, each in self.numbers.items() if each == number), None)


def find_names(connection: Connection, table_id: int, folded: Fold) -> dict[int, str]:
    """Everybody's name at a table by number, as far as the folded changes tell."""
    sql = "SELECT number, name FROM people WHERE table_id = ? ORDER BY number"
    texts = dict(connection.execute(sql, [table_id]).fetchall())
    return {number: texts[follow(folded.called, number)] for number in texts}


def numbers_of(names: Mapping[int, str]) -> dict[str, int]:
    """The number of each name, the first where a name has several."""
    numbers: dict[str, int] = {}
    for number, name in names.items():
        numbers.setdefault(name, number)
    return numbers


def add_names(
    connection: Connection, table_id: int, names: Mapping[int, str], new: Iterable[str]
) -> dict[int, str]:
    """Give those names that are new at a table their numbers; everybody's. Raises NotAllowed."""
    numbered = number_names(names, new)
    insert_names(connection, table_id, {n: numbered[n] for n in numbered if n not in names})
    return numbered


def insert_names(connection: Connection, table_id: int, numbered: Mapping[int, str]) -> None:
    """Add people to a table by their new numbers."""
    sql = "INSERT INTO people (table_id, number, name) VALUES (?, ?, ?)"
    connection.conn.executemany(sql, [(table_id, *each) for each in numbered.items()])


def number_names(names: Mapping[int, str], new: Iterable[str]) -> dict[int, str]:
    """Everybody's name by number, with new ones. Raises NotAllowed for too many."""
    known = {*names.values()}
    missing = dict.fromkeys(name for name in new if name not in known)
    numbered = dict(enumerate(missing, start=max(names, default=0) + 1))
    tables.check("too_many_people", len(names) + len(numbered), tables.MAX_NAMES)
    return {**names, **numbered}


def derive(connection: Connection, table_id: int, folded: Fold) -> None:
    """Let the rows of people say by whose name each goes, and for which person it stands.

    `called` and `same_as` are numbers with just that name, None for the row's own.
    """
    texts = find_names(connection, table_id, Fold())
    names = find_names(connection, table_id, folded)
    numbers = numbers_of(texts)
    merged = {names[one]: names[other] for one, other in folded.same_as.items()}
    sql = "UPDATE people SET called = ?, same_as = ? WHERE table_id = ? AND number = ?"
    for number, name in names.items():
        # New names may have made circles, which are left where they close.
        person, left = name, dict(merged)
        while person in left:
            person = left.pop(person)
        called = None if name == texts[number] else numbers[name]
        same_as = None if person == name else numbers[person]
        connection.execute(sql, [called, same_as, table_id, number])


def resolve(connection: Connection, table_id: int) -> tuple[dict[int, str], dict[int, str]]:
    """By number, the name that everybody goes by, and that of the person they are."""
    sql = """SELECT own.number, named.name, whose.name FROM people AS own
        JOIN people AS named ON named.table_id = own.table_id
            AND named.number = COALESCE(own.called, own.number)
        JOIN people AS whose ON whose.table_id = own.table_id
            AND whose.number = COALESCE(own.same_as, named.number)
        WHERE own.table_id = ? ORDER BY own.number"""
    rows = connection.execute(sql, [table_id]).fetchall()
    return {row[0]: row[1] for row in rows}, {row[0]: row[2] for row in rows}


def list_people(db: Database, table_id: int) -> People:
    """Everybody who has played, paid or been merged at a table; some sit in no game any more."""
    with db.snapshot() as connection:
        settings = fold(log.read_settings(connection, table_id))
        seated = find_newest_seated(connection, table_id)
        return find_people(connection, table_id, settings, seated)


def find_people(
    connection: Connection, table_id: int, settings: Fold, seated: Iterable[int]
) -> People:
    """The same, by the changes of no one game, and who sits in a game that is being played."""
    names, persons = resolve(connection, table_id)
    sql = "SELECT DISTINCT person FROM seats WHERE table_id = ?"
    present = {person for (person,) in connection.execute(sql, [table_id]).fetchall()}
    present.update(seated)
    present.update(*settings.same_as.items())
    for settlement in settings.payments.values():
        present.update(*(payment[:2] for payment in settlement.payments))
    numbers = numbers_of({number: names[number] for number in names if number in present})
    return People(numbers, {name: persons[number] for name, number in numbers.items()})


def find_seated(connection: Connection, table_id: int) -> dict[int, list[int]]:
    """By game the numbers of who sits in it, in seat order."""
    sql = "SELECT game, person FROM seats WHERE table_id = ? ORDER BY game, seat"
    games: dict[int, list[int]] = {}
    for number, person in connection.execute(sql, [table_id]).fetchall():
        games.setdefault(number, []).append(person)
    newest = log.find_newest_game(connection, table_id)
    return games if newest in games else {**games, newest: find_newest_seated(connection, table_id)}


def find_newest_seated(connection: Connection, table_id: int) -> list[int]:
    """The numbers of who sits in the newest game, over or not."""
    newest = log.find_newest_game(connection, table_id)
    return [*fold(log.read_game(connection, table_id, newest)).games[newest].seated]


def refuse_same_person(connection: Connection, table_id: int, players: Sequence[str]) -> None:
    """Raise NotAllowed when two of these names are known to be the same person at a table."""
    names, persons = resolve(connection, table_id)
    whose = {name: persons[number] for number, name in names.items()}
    seats: dict[str, str] = {}
    for player in players:
        person = whose.get(player, player)
        if seats.setdefault(person, player) != player:
            raise NotAllowed("one_person_twice", player=seats[person], by=player)


def find_pseudonym(db: Database, table: Access, players: Collection[str]) -> dict[str, str]:
    """These players of a table by their codes; another name of the same person leads there too."""
    names, persons = resolve(db.connection, table.id)
    seats = {persons[number]: name for number, name in names.items() if name in players}
    return {
        pseudonym_of(table.link, names[number]): seats[person]
        for number, person in persons.items()
        if person in seats
    }


def find_person(db: Database, table: Access, code: str) -> str | None:
    """The person at a table behind a code, None where it is nobody's."""
    names, persons = resolve(db.connection, table.id)
    coded = (n for n, name in names.items() if pseudonym_of(table.link, name) == code)
    return next((persons[number] for number in coded), None)


def pseudonym_of(link: str, name: str) -> str:
    """A name as addresses of a table have it: digits that tell nobody the name.

    It is the same in every game there, whoever sits where, joins or is undone.
    """
    return f"{int(hash_secret(f'{name} at {link}')[:12], 16) % 10**_CODE_DIGITS:0{_CODE_DIGITS}}"


def is_pseudonym(text: str) -> bool:
    """Whether a text is written as a code is."""
    return len(text) == _CODE_DIGITS and text.isascii() and text.isdecimal()
