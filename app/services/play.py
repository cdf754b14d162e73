"""Playing at a table: each change loads, checks, appends and folds, in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
from msgspec.structs import replace

from app import store
from app.rules.amendment import Entry, judge, place_entries, require_standing
from app.rules.ending import next_dealer
from app.rules.errors import NotAllowed
from app.rules.events import BreakOff, Event, read_event
from app.rules.game import apply, begin
from app.rules.gamefile import MAX_EVENTS, read_players, read_setup, write_game
from app.rules.state import GameState
from app.services import quotas, statistics
from app.services.serialization import deserialize_event, serialize_event, serialize_setup
from app.services.tables import (
    NotFound,
    Sheet,
    Write,
    begin_change,
    build_sheet,
    effective_events,
    find_game,
    new_game_id,
    undone_events,
    with_id,
)
from app.store.database import Connection, Pool
from app.store.games import EventRow, GameRow
from app.store.tables import TableRow


class Change(msgspec.Struct, frozen=True):
    """A change of one game, while it is made: the game's rows, and the table as it is now.

    `sheet.seq` is the version that the table is at once the change is made.
    """

    connection: Connection
    table: TableRow
    game: GameRow
    rows: Sequence[EventRow]
    sheet: Sheet


def record(pool: Pool, write: Write, raw: object) -> Sheet:
    """Record an event of the newest game, given as a game file writes it.

    Raises BadFile, NotAllowed, Stale, NoPen, NotFound; then nothing has changed.
    """

    def append(change: Change) -> Sheet:
        sheet = change.sheet
        event = read_event(raw, sheet.game.setup.players)
        if len(sheet.game.events) >= MAX_EVENTS:
            raise NotAllowed("too_many_events", limit=MAX_EVENTS)
        after = _with_event(sheet, event)
        _drop_undone(change)
        _add_events(change, [event], quotas.SPARE if isinstance(event, BreakOff) else 0)
        return replace(after, redoable=None)

    return _change(pool, write, append)


def undo(pool: Pool, write: Write) -> Sheet:
    """Undo the newest event of the newest game. Raises NotAllowed when there is none."""

    def step_back(change: Change) -> Sheet:
        sheet = change.sheet
        if sheet.undoable is None:
            raise NotAllowed("nothing_to_undo")
        store.games.undo_event(change.connection, effective_events(change.rows)[-1].id, sheet.seq)
        game = replace(sheet.game, events=sheet.game.events[:-1])
        return replace(sheet, game=game, states=sheet.states[:-1], redoable=sheet.undoable)

    return _change(pool, write, step_back)


def redo(pool: Pool, write: Write) -> Sheet:
    """Record again what was undone last. Raises NotAllowed when there is nothing to redo."""

    def step_forward(change: Change) -> Sheet:
        sheet, undone = change.sheet, undone_events(change.rows)
        if sheet.redoable is None:
            raise NotAllowed("nothing_to_redo")
        store.games.redo_event(change.connection, undone[0].id)
        further = deserialize_event(undone[1].body, sheet.game.setup) if undone[1:] else None
        return replace(_with_event(sheet, sheet.redoable), redoable=further)

    return _change(pool, write, step_forward)


def amend(pool: Pool, write: Write, number: int, entries: Sequence[int | Event]) -> Sheet:
    """Let game `number` have gone like this instead; what was recorded before stays in the log.

    An int keeps the entry of that index, in its deal and at its step.
    Raises NotAllowed, with the index of the first event that does not hold, and when a game that
    others have followed would no longer end; then nothing has changed.
    """
    return _change(pool, write, lambda change: _rewrite(change, entries), number)


def replace_event(pool: Pool, write: Write, index: int, raw: object) -> Sheet:
    """Let entry `index` of the newest game have been another, and work the rest out again.

    Every other entry stays in its deal, at its step. Raises NotFound when there is no such entry,
    and otherwise as `amend`.
    """

    def rewrite(change: Change) -> Sheet:
        game = change.sheet.game
        if index >= len(game.events):
            raise NotFound("no_such_event")
        event = read_event(raw, game.setup.players)
        later = range(index + 1, len(game.events))
        return _rewrite(change, [*range(index), event, *later])

    return _change(pool, write, rewrite)


def _rewrite(change: Change, entries: Sequence[int | Event]) -> Sheet:
    sheet, game = change.sheet, change.sheet.game
    states = _check_amended(sheet, entries)
    events = [game.events[entry] if isinstance(entry, int) else entry for entry in entries]
    first = _first_difference(game.events, events)
    if old := effective_events(change.rows)[first:]:
        store.games.replace_events(change.connection, change.game.id, sheet.seq, old[0].id)
    _drop_undone(change)
    _add_events(change, events[first:])
    return replace(sheet, game=replace(game, events=tuple(events)), states=states, redoable=None)


def _check_amended(sheet: Sheet, entries: Sequence[int | Event]) -> list[GameState]:
    """The states of an amended game, an entry kept being known by its index.

    Raises NotAllowed when an entry does not fit, or an earlier game would no longer end.
    """
    game, recorded = sheet.game, place_entries(sheet.states, sheet.game.events)
    draft = [recorded[entry] if isinstance(entry, int) else Entry(entry) for entry in entries]
    amendment = judge(game.setup, draft)
    require_standing(amendment)
    if sheet.number < sheet.games and not amendment.states[-1].over:
        raise NotAllowed("earlier_game_must_end")
    return list(amendment.states)


def _add_events(change: Change, events: Sequence[Event], spare: int = 0) -> None:
    """Append events to the game's log. Raises NotAllowed when it is full, and `spare` beyond."""
    quotas.check_table(change.table, spare)
    quotas.check_game(len(change.rows) + len(events), spare)
    bodies = [serialize_event(event, change.sheet.game.setup) for event in events]
    quotas.add_entries(change.connection, change.table.id, quotas.weigh(bodies) - 1)
    rows = [(body, None) for body in bodies]
    store.games.add_events(change.connection, change.game.id, change.sheet.seq, rows)


def _drop_undone(change: Change) -> None:
    """What was undone before something new is recorded can no longer be redone."""
    if undone_events(change.rows):
        store.games.drop_undone(change.connection, change.game.id)


def _first_difference(old: Sequence[Event], new: Sequence[Event]) -> int:
    """The index of the first entry that is not the same in both."""
    pairs = enumerate(zip(old, new, strict=False))
    return next((n for n, (before, after) in pairs if before != after), min(len(old), len(new)))


def next_game(pool: Pool, write: Write, changes: dict[str, object] | None = None) -> Sheet:
    """Start the table's next game: same seats, stake and rules, the deal moves on.

    `changes` holds what differs, as a game file writes it. Raises NotAllowed while a game is
    being played, and BadFile.
    """

    def start(change: Change) -> Sheet:
        sheet, number = change.sheet, change.game.number + 1
        if not sheet.state.over:
            raise NotAllowed("still_playing")
        setup = read_setup(_next_setup(sheet, changes or {}))
        _check_next(change, number, setup.players)
        text, uid = serialize_setup(setup), new_game_id()
        store.games.add(change.connection, change.game.table_id, number, uid, text)
        game = with_id(setup, (), uid)
        return Sheet(sheet.name, sheet.seq, number, number, game, [begin(setup)], None)

    return _change(pool, write, start)


def _check_next(change: Change, number: int, players: Sequence[str]) -> None:
    """Raise NotAllowed when the table holds no more games, or no more names."""
    quotas.check_table(change.table)
    quotas.check_games(number)
    if set(players) - set(change.sheet.game.setup.players):
        quotas.check_names(change.connection, change.table.id, players)


def _with_event(sheet: Sheet, event: Event) -> Sheet:
    game = replace(sheet.game, events=(*sheet.game.events, event))
    return replace(sheet, game=game, states=[*sheet.states, apply(sheet.state, event)])


def _next_setup(sheet: Sheet, changes: dict[str, object]) -> dict[str, object]:
    last = write_game(sheet.game)
    players = sheet.game.setup.players
    next_players = read_players(changes.get("players", players))
    if set(players) & set(next_players):
        last["dealer"] = next_dealer(players, sheet.state.deal.dealer, next_players)
    else:
        del last["dealer"]
    return {**last, **changes}


def _change(
    pool: Pool, write: Write, act: Callable[[Change], Sheet], number: int | None = None
) -> Sheet:
    """Make one change of the newest game, or of game `number`.

    Whoever lacks the pen, or saw an older table, is turned away first.
    """
    with pool.transaction() as connection:
        table = begin_change(connection, write)
        newest = store.games.find_newest(connection, table.id)
        game = newest if number is None else find_game(connection, table.id, number)
        rows = store.games.find_events(connection, game.id)
        sheet = build_sheet(table, newest.number, game, rows)
        after = act(Change(connection, table, game, rows, sheet))
        if after.number == sheet.number and (sheet.state.over or after.state.over):
            statistics.update_game(connection, game, after.game.events, after.states)
        return after
