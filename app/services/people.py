"""People of a table: whose names are the same person's; and the table's own name."""

from collections.abc import Collection, Iterable, Mapping, Sequence

import msgspec

from app.rules.codes import NotAllowed
from app.rules.names import read_name
from app.services.access import Access, NotFound, hash_secret
from app.services.commit import Change, ChangeContext, Proposal
from app.services.table_view import PersonBody, fold, numbers_of, to_json
from app.store import log
from app.store.database import Connection, Database

# In SQL, after WITH: by a number at the table ?1, the person's name.
WHOSE = """whose AS (SELECT own.number, person.name FROM people AS own
    JOIN people AS person ON person.table_id = own.table_id
        AND person.number = COALESCE(own.same_as, own.called, own.number)
    WHERE own.table_id = ?1)"""


_CODE_DIGITS = 8


class People(msgspec.Struct, frozen=True):
    """The names of a table, in order of first appearance, and whose each of them is.

    `numbers` are those of the names, from 1, in addresses too; they stay as more people come.
    `whose` leads from every name to the name of the person.
    """

    numbers: Mapping[str, int]
    whose: Mapping[str, str]

    @property
    def persons(self) -> tuple[str, ...]:
        """One name for each person."""
        return tuple(dict.fromkeys(self.whose.values()))

    def find_name(self, number: int) -> str | None:
        """The name behind a number, None when it is nobody's."""
        return next((name for name, each in self.numbers.items() if each == number), None)


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
        return find_people(connection, table_id, find_newest_seated(connection, table_id))


def find_people(connection: Connection, table_id: int, seated: Iterable[int]) -> People:
    """The same, by who sits in a game that is being played."""
    names, persons = resolve(connection, table_id)
    sql = """SELECT person FROM seats WHERE table_id = ?1
        UNION SELECT number FROM people WHERE table_id = ?1 AND same_as IS NOT NULL
        UNION SELECT same_as FROM people WHERE table_id = ?1 AND same_as IS NOT NULL
        UNION SELECT who.value FROM changes, json_each(body) AS paid, json_each(paid.value) AS who
            WHERE table_id = ?1 AND game = 0 AND changes.kind = 'pay' AND undone IS NULL
                AND who.key < 2"""
    present = {*seated, *(number for (number,) in connection.execute(sql, [table_id]).fetchall())}
    numbers = numbers_of({number: names[number] for number in names if number in present})
    return People(numbers, {name: persons[number] for name, number in numbers.items()})


def find_newest_seated(connection: Connection, table_id: int) -> list[int]:
    """The numbers of who sits in the newest game, over or not."""
    newest = log.find_newest_game(connection, table_id)
    return [*fold(log.read_game(connection, table_id, newest)).games[newest].seated]


def refuse_played_together(
    connection: Connection, table_id: int, before: Mapping[int, str], after: Mapping[int, str]
) -> None:
    """Raise NotAllowed when two who sat in one game would go by one name, each by number."""
    sql = "SELECT game, person FROM seats WHERE table_id = ? ORDER BY game, seat"
    newest = log.find_newest_game(connection, table_id)
    seats = connection.execute(sql, [table_id]).fetchall()
    seats += [(newest, number) for number in find_newest_seated(connection, table_id)]
    sat: dict[tuple[int, str], int] = {}
    for game, number in seats:
        other = sat.setdefault((game, after[number]), number)
        player, by = before[other], before[number]
        if player != by:
            raise NotAllowed("played_each_other", player=player, by=by, number=game)


def refuse_same_person(connection: Connection, table_id: int, players: Sequence[str]) -> None:
    """Raise NotAllowed when two of these names are known to be the same person at a table."""
    names, persons = resolve(connection, table_id)
    whose = {name: persons[number] for number, name in names.items()}
    seats: dict[str, str] = {}
    for player in players:
        person = whose.get(player, player)
        if seats.setdefault(person, player) != player:
            raise NotAllowed("one_person_twice", player=seats[person], by=player)


def players_by_pseudonym(db: Database, table: Access, players: Collection[str]) -> dict[str, str]:
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


class Rename(Change, frozen=True):
    """The table gets another name, for everybody; without one it goes by its players."""

    name: str

    def make(self, now: ChangeContext) -> Proposal | None:
        """Rename it. Raises BadFile."""
        name = read_name(self.name) if self.name.strip() else ""
        if name == now.table.name:
            return None
        return Proposal("rename", 0, to_json(name), changes_table=True)


class Merge(Change, frozen=True):
    """Two names are the same person, called `into` from now on."""

    of_ledger = True

    name: str
    into: str

    def make(self, now: ChangeContext) -> Proposal:
        """Merge them.

        Raises NotAllowed when both have sat in the same game, NotFound when either never played.
        """
        seated = [now.view.numbers[player] for player in now.view.state.players]
        whose = find_people(now.connection, now.table.id, seated).whose
        if not {self.name, self.into} <= whose.keys():
            raise NotFound("no_such_person")
        person, other = whose[self.name], whose[self.into]
        if person == other:
            raise NotAllowed("same_person_already", player=self.name, by=self.into)
        _, persons = resolve(now.connection, now.table.id)
        merged = {number: other if name == person else name for number, name in persons.items()}
        refuse_played_together(now.connection, now.table.id, persons, merged)
        return _set_person(PersonBody(now.view.numbers[person], now.view.numbers[other]))


def _set_person(body: PersonBody) -> Proposal:
    return Proposal("people", 0, to_json(body), changes_table=True)


class Split(Change, frozen=True):
    """A name that was merged stands for itself again."""

    of_ledger = True

    name: str

    def make(self, now: ChangeContext) -> Proposal:
        """Split it. Raises NotAllowed when it does already."""
        merged = fold(log.read_settings(now.connection, now.table.id)).same_as
        for number in merged:
            if now.view.names[number] == self.name:
                return _set_person(PersonBody(number, None))
        raise NotAllowed("not_merged", player=self.name)
