"""Deciding about a table that others changed while changes waited here: what may be done, and that.

`read_divergence`, `make_own_table` and `keep_servers` need no more than the database, see
app/services/conflicts.py; adding what waits carries every form out again.
"""

from __future__ import annotations

from datetime import datetime

import msgspec

from app import store
from app.http import context, rendered
from app.http.sent_forms import carry_out
from app.i18n.errors import error_text
from app.rules.errors import ChicagoError
from app.rules.events import Event, read_any_event
from app.services import conflicts, outbox, sheets
from app.services.conflicts import Divergence
from app.services.effects import REDO, UNDO, SentForm
from app.services.sheets import Sheet
from app.store.connection import Connection
from app.store.database import Database
from app.store.outbox import ChangeRow, Fields

# Forms that undo takes back.
PLAY = ("/events", "/games", "/next")
MENDING = "/mend"
UNDO_PAYMENT, SETTLEMENT = "/evening/undo", "settlement"


class Misfit(msgspec.Struct, frozen=True):
    """A change that was made here, and no longer fits what stands there.

    `path` is that of its form; `event` is what it recorded, in which deal of which game, None for
    any other change. `reason` is why, in words; nothing where it belongs to another moment.
    """

    path: str
    at: str
    number: int
    deal: int
    event: Event | None
    reason: str


class Addition(msgspec.Struct, frozen=True):
    """What comes of adding this phone's changes to what the server has: how many, and not which."""

    sheet: Sheet
    added: int
    misfits: tuple[Misfit, ...]


class _OnlyTried(Exception):
    """What was tried is not to be."""


class _Misfitting(Exception):
    """A form did something else than it did here."""


def read_divergence(link: str) -> Divergence:
    """Both versions of a table. Raises NotAllowed where it is in no conflict."""
    return conflicts.read_divergence(context.db(), link)


def make_own_table(link: str) -> str:
    """Let this phone's version be a table of its own; its link. Raises NotAllowed."""
    new = conflicts.make_own_table(context.db(), link)
    rendered.clear()
    return new


def keep_servers(link: str) -> None:
    """Let the server's version stand, and forget what waited here. Raises NotAllowed."""
    conflicts.keep_servers(context.db(), link)
    rendered.clear()


def try_to_add(link: str) -> Addition:
    """What would come of `add_mine`; nothing is changed. Raises NotAllowed."""
    tried: list[Addition] = []
    try:
        with context.db().transaction() as connection:
            tried.append(_add(connection, link))
            raise _OnlyTried
    except _OnlyTried:
        return tried[0]


def add_mine(link: str) -> Addition:
    """Add what waits here to what the server has; what no longer fits is left out.

    Raises NotAllowed where there is no conflict, or the server's version is not here.
    """
    with context.db().transaction() as connection:
        addition = _add(connection, link)
    rendered.clear()
    return addition


def _add(connection: Connection, link: str) -> Addition:
    db = context.db()
    before = sheets.read_sheet(db, link)
    row = conflicts.find_conflict(connection, link)
    waiting = store.outbox.find_all(connection, row.table_id)
    conflicts.put_servers_in_place(connection, link)
    replay = _Replay(db, link, row.table_id)
    for change in waiting:
        replay.add(change)
    misfits = tuple(_misfit(change, reason, before) for change, reason in replay.misfits)
    return Addition(sheets.read_sheet(db, link), replay.added, misfits)


class _Replay:
    """Changes that are carried out again, one after another, as far as they fit.

    What undo took back here is taken back only where it was carried out again, or was there before.
    """

    def __init__(self, db: Database, link: str, table_id: int) -> None:
        self._pool, self._link, self._table_id = db, link, table_id
        self._pen = outbox.read_phone(db).pen
        self._done: list[ChangeRow | None] = []
        self._undone: list[ChangeRow | None] = []
        self._settlements: dict[int, int] = {}
        self._reasons: dict[int, tuple[ChangeRow, str]] = {}
        self.added = 0

    @property
    def misfits(self) -> list[tuple[ChangeRow, str]]:
        """The changes that do not fit, and why."""
        return list(self._reasons.values())

    def add(self, change: ChangeRow) -> None:
        """Carry one more change out."""
        if change.path == UNDO and self._done:
            self._undo(change, self._done.pop())
        elif change.path == REDO and self._undone:
            self._redo(change, self._undone.pop())
        else:
            fits = self._carry_out(change)
            if change.path in PLAY or change.path.endswith(MENDING):
                self._done.append(None if fits else change)
                self._undone.clear()

    def _undo(self, change: ChangeRow, misfit: ChangeRow | None) -> None:
        """Take a change back; of one that did not fit there is nothing to take back or to tell."""
        if misfit is None:
            self._carry_out(change)
        else:
            self._reasons.pop(misfit.number, None)
        self._undone.append(misfit)

    def _redo(self, change: ChangeRow, misfit: ChangeRow | None) -> None:
        if misfit is None:
            self._carry_out(change)
        else:
            self._reasons[misfit.number] = misfit, ""
        self._done.append(misfit)

    def _carry_out(self, change: ChangeRow) -> bool:
        try:
            with self._pool.transaction() as connection:
                self._try(connection, change)
        except ChicagoError as fault:
            reason = error_text(fault, context.language())
        except _Misfitting:
            reason = ""
        else:
            self.added += 1
            return True
        self._reasons[change.number] = change, reason
        return False

    def _try(self, connection: Connection, change: ChangeRow) -> None:
        """Raises _Misfitting, and what the change raises."""
        version = store.tables.find_version(connection, self._table_id)
        form = SentForm(change.path, self._renumber(change, version))
        carry_out(self._link, self._pen, form, datetime.fromisoformat(change.at))
        if store.outbox.find_all(connection, self._table_id)[-1].effect != change.effect:
            raise _Misfitting
        if store.tables.find_version(connection, self._table_id) > version:
            self._settlements[change.seq + 1] = version + 1

    def _renumber(self, change: ChangeRow, version: int) -> Fields:
        """The fields of a form as it is sent from another version."""
        fields = []
        for name, text in change.fields:
            if name == "seq":
                fields.append((name, str(version)))
            elif name == SETTLEMENT and change.path == UNDO_PAYMENT:
                fields.append((name, self._find_settlement(text)))
            else:
                fields.append((name, text))
        return fields

    def _find_settlement(self, text: str) -> str:
        """The version at which payments were recorded, where it is another by now."""
        return str(self._settlements.get(int(text), text)) if text.isdecimal() else text


def _misfit(change: ChangeRow, reason: str, before: Sheet) -> Misfit:
    """What is told of a change that does not fit, from what it did here."""
    match msgspec.json.decode(change.effect):
        case [int(number), int(deal), str(), dict(raw)]:
            return Misfit(change.path, change.at, number, deal, _read(raw), reason)
    return Misfit(change.path, change.at, before.number, 0, None, reason)


def _read(raw: dict[str, object]) -> Event:
    """An event as it was described, whoever the players of its game were."""
    return read_any_event(raw)
