"""Notes of those who read along: that an entry is not right, and that a debt is paid.

They change nothing; whoever writes sees them. A person, by number at the table, has one open doubt,
and one note for each debt. Notes hold numbers alone, and go with whatever they are about.
"""

from contextlib import suppress
from functools import cache
from typing import Literal

import msgspec

from app.rules.codes import NotAllowed
from app.rules.events import REMARKS, Event
from app.services import ledger, people, table_view
from app.services.access import (
    Access,
    NotFound,
    Write,
    find_access,
    mark_ledger,
    mark_version,
    require_pen,
)
from app.services.table_view import JsonObject, decode, read_numbers, to_json
from app.store import clock
from app.store.database import Connection, Database

NoteKind = Literal["doubt", "paid"]
# A doubt is about one entry at a time, which its body names.
ANY_ENTRY = 0
# As many as sit at a table.
MOST_DOUBTS = 8


class Doubt(msgspec.Struct, frozen=True):
    """A person doubts an entry: its game, its index there as the game stands, and its event."""

    person: str
    number: int
    index: int
    event: Event


class SaidPaid(msgspec.Struct, frozen=True):
    """A payer says that they have paid a payee so many öre; `numbers` are those of the two."""

    payer: str
    payee: str
    ore: int
    numbers: tuple[int, int]

    @property
    def between(self) -> tuple[str, str]:
        """The two of them."""
        return self.payer, self.payee


class _Entry(msgspec.Struct, frozen=True, array_like=True):
    """An entry of a game that came in at version `seq`, with numbers for names.

    Others that came in with it may read the same; `index` is where it stood.
    """

    number: int
    seq: int
    index: int
    body: JsonObject


def doubt(db: Database, link: str, person: str, number: int, index: int) -> None:
    """Let a person doubt an entry of a game, and no other one any more.

    Raises NotFound for no such table, game or entry.
    """
    with db.transaction() as connection:
        table = find_access(connection, link, None)
        game, _ = table_view.load_game(connection, table, number)
        if index >= len(game.entries):
            raise NotFound("no_such_event")
        logged = game.entries[index]
        entry = _Entry(number, logged.seq, index, _bare(logged.body))
        names, _ = people.resolve(connection, table.id)
        who = table_view.numbers_of(names)[person], ANY_ENTRY
        if _put(connection, table, "doubt", who, to_json(entry)):
            connection.execute(_DROP_OLDEST, [table.id, MOST_DOUBTS])
            mark_version(connection, table)


_DROP_OLDEST = """DELETE FROM notes WHERE rowid IN (SELECT rowid FROM notes
    WHERE table_id = ? AND kind = 'doubt' ORDER BY at DESC, rowid DESC LIMIT -1 OFFSET ?)"""


def _bare(body: JsonObject) -> JsonObject:
    """An entry without remarks, in which names may stand."""
    return {key: value for key, value in body.items() if key not in REMARKS}


def _put(
    connection: Connection, table: Access, kind: NoteKind, who: tuple[int, int], body: str
) -> bool:
    """Put a note of a person about something in the place of the one before; whether it is new."""
    sql = """INSERT INTO notes (table_id, person, kind, about, body, at) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET body = excluded.body, at = excluded.at
        WHERE body <> excluded.body"""
    person, about = who
    values = [table.id, person, kind, about, body, clock.now()]
    return connection.execute(sql, values).rowcount > 0


def list_doubts(db: Database, link: str) -> list[Doubt]:
    """The doubts of entries that stand as they stood, oldest first. Raises NotFound."""
    found = list[Doubt]()
    with db.snapshot() as connection:
        table = find_access(connection, link, None)
        sql = """SELECT person, body FROM notes WHERE table_id = ? AND kind = 'doubt'
            ORDER BY at, rowid"""
        rows = connection.execute(sql, [table.id]).fetchall()
        _, persons = people.resolve(connection, table.id)
        load = cache(lambda number: table_view.load_game(connection, table, number))
        for person, body in rows:
            entry = decode(body, _Entry)
            with suppress(NotFound):  # Its start was undone.
                game, names = load(entry.number)
                # None where it was edited, taken out or undone.
                same = [
                    index
                    for index, logged in enumerate(game.entries)
                    if logged.seq == entry.seq and _bare(logged.body) == entry.body
                ]
                index = min(same, key=lambda index: abs(index - entry.index), default=None)
                if index is not None:
                    event = read_numbers(entry.body, names)
                    found.append(Doubt(persons[person], entry.number, index, event))
    return found


def take_doubt_back(db: Database, link: str, person: str) -> None:
    """Let a person doubt nothing any more. Raises NotFound."""
    with db.transaction() as connection:
        _drop_doubts(connection, find_access(connection, link, None), {person})


def wave_off(db: Database, write: Write, number: int, index: int) -> None:
    """Drop all doubts about an entry: it stands. Raises NoPen, NotFound."""
    with db.transaction() as connection:
        table = require_pen(connection, write)
        doubts = list_doubts(db, write.link)
        who = {each.person for each in doubts if (each.number, each.index) == (number, index)}
        _drop_doubts(connection, table, who)


def _drop_doubts(connection: Connection, table: Access, who: set[str]) -> None:
    _, persons = people.resolve(connection, table.id)
    numbers = to_json([number for number, person in persons.items() if person in who])
    sql = """DELETE FROM notes WHERE table_id = ? AND kind = 'doubt'
        AND person IN (SELECT value FROM json_each(?))"""
    if connection.execute(sql, [table.id, numbers]).rowcount:
        mark_version(connection, table)


def say_paid(db: Database, link: str, between: tuple[str, str]) -> None:
    """Let a payer say that all they owe a payee is paid.

    Raises NotFound, and NotAllowed where nothing is owed.
    """
    with db.transaction() as connection:
        table = find_access(connection, link, None)
        now = ledger.load_ledger(connection, table)
        debt = now.find_debt(between)
        if debt is None:
            raise NotAllowed("nothing_owed", player=between[0], by=between[1])
        said = list_said_paid(db, link)
        if any((each.between, each.ore) == (between, debt.ore) for each in said):
            return
        payer, payee = (now.people.numbers[name] for name in between)
        _put(connection, table, "paid", (payer, payee), to_json((debt.ore, table.seq)))
        _mark_money(connection, table)


def list_said_paid(db: Database, link: str) -> list[SaidPaid]:
    """Debts, or parts of them, that are said to be paid, of which no payment was recorded since.

    Raises NotFound.
    """
    found = list[SaidPaid]()
    with db.snapshot() as connection:
        table = find_access(connection, link, None)
        now = ledger.load_ledger(connection, table)
        # Its body is the öre, and the version at which that was said.
        sql = """SELECT person, about, notes.body ->> 0 FROM notes
            WHERE table_id = ?1 AND kind = 'paid' AND NOT EXISTS (
                SELECT 1 FROM changes JOIN json_each(changes.body) AS paid
                WHERE changes.table_id = ?1 AND game = 0 AND changes.kind = 'pay'
                    AND seq > notes.body ->> 1
                    AND paid.value ->> 0 = person AND paid.value ->> 1 = about)"""
        rows = connection.execute(sql, [table.id]).fetchall()
        said = {(person, about): ore for person, about, ore in rows}
        for debt in now.debts:
            between = now.people.numbers[debt.payer], now.people.numbers[debt.payee]
            if 0 < said.get(between, 0) <= debt.ore:
                found.append(SaidPaid(debt.payer, debt.payee, said[between], between))
    return found


def drop_said_paid(db: Database, write: Write, between: tuple[int, int]) -> None:
    """Drop what a payer said of a debt, both by number: it is answered. Raises NoPen, NotFound."""
    with db.transaction() as connection:
        table = require_pen(connection, write)
        sql = "DELETE FROM notes WHERE table_id = ? AND kind = 'paid' AND person = ? AND about = ?"
        if connection.execute(sql, [table.id, *between]).rowcount:
            _mark_money(connection, table)


def _mark_money(connection: Connection, table: Access) -> None:
    """A version at which pages of money differ."""
    mark_version(connection, table)
    mark_ledger(connection, table.id, table.seq + 1)
