"""Undo and redo: of taps, amendments and starts of games, in the order in which they were made.

What is undone is always the newest change that counts, so it leaves the table as it was before: no
game that others have followed is unfinished, and no game is without those before it.
"""

from __future__ import annotations

from msgspec.structs import replace

from app import store
from app.rules.errors import NotAllowed
from app.rules.game import apply
from app.services import quotas, statistics
from app.services.change import Change, load_change
from app.services.people import people_of
from app.services.serialization import deserialize_event
from app.services.tables import Sheet, effective_events, undone_taps, with_undo_stack
from app.store.games import EventRow, EventStatus
from app.store.undo_stack import AmendmentRow, StartRow


def step_back(change: Change) -> Sheet:
    """Undo a table's newest change. Raises NotAllowed when there is none, or somebody has paid."""
    if change.sheet.undoable is None:
        raise NotAllowed("nothing_to_undo")
    if change.sheet.newest_change is None:
        return _undo_tap(change, effective_events(change.rows)[-1])
    match change.head.done:
        case AmendmentRow() as amendment:
            store.undo_stack.undo_amendment(change.connection, amendment, change.sheet.seq)
            return _reload(change, amendment.number)
        case StartRow() as start:
            _refuse_paid(change)
            store.undo_stack.undo_start(change.connection, start, change.sheet.seq)
    return _reload(change)


def step_forward(change: Change) -> Sheet:
    """Redo what was undone last. Raises NotAllowed when there is nothing to redo."""
    quotas.check_table(change.table, quotas.SPARE)
    taps, undone, seq = undone_taps(change.rows), change.head.undone, change.sheet.seq
    if taps and (undone is None or taps[0].seq < undone.seq):
        return _redo_tap(change, taps[0])
    match undone:
        case AmendmentRow():
            store.undo_stack.redo_amendment(change.connection, undone, seq)
            return _reload(change, undone.number)
        case StartRow():
            store.undo_stack.redo_start(change.connection, undone)
            return _reload(change)
        case None:
            raise NotAllowed("nothing_to_redo")


def _undo_tap(change: Change, row: EventRow) -> Sheet:
    store.undo_stack.undo_event(change.connection, row.id, change.sheet.seq)
    sheet = change.sheet
    game = replace(sheet.game, events=sheet.game.events[:-1])
    return _with_status(change, row, "undone", replace(sheet, game=game, states=sheet.states[:-1]))


def _redo_tap(change: Change, row: EventRow) -> Sheet:
    store.undo_stack.redo_event(change.connection, row.id, change.sheet.seq)
    sheet = change.sheet
    event = deserialize_event(row.body, sheet.game.setup)
    game = replace(sheet.game, events=(*sheet.game.events, event))
    after = replace(sheet, game=game, states=[*sheet.states, apply(sheet.state, event)])
    return _with_status(change, row, "effective", after)


def _with_status(change: Change, row: EventRow, status: EventStatus, sheet: Sheet) -> Sheet:
    """A sheet of the game in which one row has another status than before."""
    rows = [replace(each, status=status) if each is row else each for each in change.rows]
    return with_undo_stack(sheet, change.head, rows)


def _reload(change: Change, amended: int | None = None) -> Sheet:
    """The table as it is by now; the statistics of game `amended` follow, if it is an older one."""
    connection, now = change.connection, load_change(change.connection, change.table)
    if amended is not None and amended != now.game.number:
        game = load_change(connection, change.table, amended)
        statistics.update_game(connection, game.game, game.sheet.game.events, game.sheet.states)
    return now.sheet


def _refuse_paid(change: Change) -> None:
    """Raise NotAllowed where a payment would name somebody who is in no game any more."""
    games = store.games.find_all(change.connection, change.table.id)
    left = people_of(change.connection, change.table.id, games[:-1]).canonical
    for payment in store.payments.find_all(change.connection, change.table.id):
        for name in (payment.payer, payment.payee) if payment.undone_seq is None else ():
            if left.get(name, name) not in left.values():
                raise NotAllowed("paid_since", player=name)
