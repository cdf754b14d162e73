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
from app.services.change import Change
from app.services.game_states import replay_game
from app.services.people import people_of
from app.services.serialization import deserialize_event, names_in
from app.services.sheets import Sheet, find_game, load_sheet, with_undo_stack
from app.store.undo_stack import AmendmentRow, StartRow, TapRow


def step_back(change: Change) -> Sheet:
    """Undo a table's newest change. Raises NotAllowed when there is none, or somebody has paid."""
    if change.sheet.undoable is None:
        raise NotAllowed("nothing_to_undo")
    if change.sheet.newest_change is None:
        return _undo_tap(change)
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
    tap, undone, seq = change.log.undone_tap, change.head.undone, change.sheet.seq
    if tap is not None and (undone is None or tap.seq < undone.seq):
        return _redo_tap(change, tap)
    match undone:
        case AmendmentRow():
            store.undo_stack.redo_amendment(change.connection, undone, seq)
            return _reload(change, undone.number)
        case StartRow():
            store.undo_stack.redo_start(change.connection, undone)
            return _reload(change)
        case None:
            raise NotAllowed("nothing_to_redo")


def _undo_tap(change: Change) -> Sheet:
    store.undo_stack.undo_tap(change.connection, change.game.id, change.sheet.seq)
    sheet = change.sheet
    game = replace(sheet.game, events=sheet.game.events[:-1])
    return _with_undo_stack(change, replace(sheet, game=game, states=sheet.states[:-1]))


def _redo_tap(change: Change, tap: TapRow) -> Sheet:
    store.undo_stack.redo_event(change.connection, tap.id, change.sheet.seq)
    sheet = change.sheet
    event = deserialize_event(tap.body, names_in(change.game.setup))
    game = replace(sheet.game, events=(*sheet.game.events, event))
    states = [*sheet.states, apply(sheet.state, event)]
    return _with_undo_stack(change, replace(sheet, game=game, states=states))


def _with_undo_stack(change: Change, sheet: Sheet) -> Sheet:
    """A sheet of the game in which a tap was undone or redone."""
    log = store.undo_stack.find_log(change.connection, change.game.id)
    return with_undo_stack(sheet, change.head, change.game, log)


def _reload(change: Change, amended: int | None = None) -> Sheet:
    """The table as it is by now; the statistics of game `amended` follow, if it is an older one."""
    connection, now = change.connection, load_sheet(change.connection, change.table)
    if amended is not None and amended != now.number:
        game = find_game(connection, change.table.id, amended)
        played = replay_game(connection, game)
        statistics.update_game(connection, game, played.game.events, played.states)
    return now


def _refuse_paid(change: Change) -> None:
    """Raise NotAllowed where a payment would name somebody who is in no game any more."""
    games = store.games.find_all(change.connection, change.table.id)
    left = people_of(change.connection, change.table.id, games[:-1]).canonical
    for payment in store.payments.find_all(change.connection, change.table.id):
        for name in (payment.payer, payment.payee) if payment.undone_seq is None else ():
            if left.get(name, name) not in left.values():
                raise NotAllowed("paid_since", player=name)
