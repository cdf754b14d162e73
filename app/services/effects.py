"""What the newest version of a table did, as text: where a form did the same, texts are equal.

A form that is sent to a table that somebody else has changed may be accepted and yet do something
else: take back another's tap, or record a hand in another deal than it was dealt in.
"""

from __future__ import annotations

import re

import msgspec

from app import store
from app.rules.amendment import ANY_STEP, moment_of
from app.rules.events import write_event
from app.services.people import find_people
from app.services.serialization import serialize_setup, to_json
from app.services.sheets import AmendedGame, Sheet, StartedGame, UndoItem, load_sheet
from app.store.connection import Connection
from app.store.outbox import Fields
from app.store.tables import TableRow

UNDO, REDO, RENAME, PEOPLE = "/undo", "/redo", "/name", "/people"

_PAYMENT = re.compile(r"/evening/(?:all|undo|advance|pay/([0-9]{1,8})-([0-9]{1,8})(/number)?)")
_PERSONS = ("name", "into")


class SentForm(msgspec.Struct, frozen=True):
    """A form that was sent to a path below the table's, with its fields in their order."""

    path: str
    fields: Fields


def describe(connection: Connection, table_id: int, form: SentForm, result: object = None) -> str:
    """What a form has just done at a table; `result` may be the table after it."""
    table = store.tables.find_by_key(connection, table_id)
    assert table is not None  # noqa: S101  # it was just changed; this tells mypy
    if form.path == RENAME:
        return to_json([RENAME, table.name])
    if form.path == PEOPLE:
        return to_json([PEOPLE, *_describe_people(connection, table, form)])
    if payment := _PAYMENT.fullmatch(form.path):
        numbers = [int(number) for number in payment.groups()[:2] if number]
        return to_json([_name(connection, table, numbers), _paid(connection, table)])
    sheet = result if isinstance(result, Sheet) else load_sheet(connection, table)
    return to_json(_describe_play(form.path, sheet))


def describe_newest(connection: Connection, table_id: int, form: SentForm) -> str | None:
    """What the newest version of a table did, if that is something that a form does, else None."""
    of_table = form.path in (RENAME, PEOPLE)
    if store.tables.is_log_newest(connection, table_id) == of_table:
        return None
    return describe(connection, table_id, form)


def _describe_play(path: str, sheet: Sheet) -> list[object]:
    if path == UNDO:
        return [UNDO, *_place(sheet.redoable, sheet, 0)]
    return _place(sheet.undoable, sheet, 1)


def _place(item: UndoItem | None, sheet: Sheet, behind: int) -> list[object]:
    """A change of a game, and where it belongs: `behind` states before the newest."""
    match item:
        case None:
            return []
        case AmendedGame():
            return ["amended", item.number, item.deal]
        case StartedGame():
            return ["started", item.number, serialize_setup(sheet.game.setup)]
    deal, step = moment_of(sheet.states[-1 - behind])
    anywhere = isinstance(item, ANY_STEP)
    return [sheet.number, deal, "" if anywhere else step, write_event(item)]


def _paid(connection: Connection, table: TableRow) -> list[object]:
    """The payments that were made, or undone, by the newest version of the table."""
    return [
        [payment.payer, payment.payee, payment.ore, payment.way, payment.undone_seq == table.seq]
        for payment in store.payments.find_all(connection, table.id)
        if table.seq in (payment.seq, payment.undone_seq)
    ]


def _describe_people(connection: Connection, table: TableRow, form: SentForm) -> list[object]:
    texts = [text for name, text in form.fields if name in _PERSONS and text.isdecimal()]
    names = _name(connection, table, [int(text) for text in texts])
    people = find_people(connection, table.id)
    return [[name, people.canonical.get(name or "")] for name in names]


def _name(connection: Connection, table: TableRow, numbers: list[int]) -> list[str | None]:
    """The people that an address or a form speaks of by their numbers."""
    people = find_people(connection, table.id) if numbers else None
    return [people.find_name(number) for number in numbers] if people else []
