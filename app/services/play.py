"""Playing at a table: each change loads, checks, appends and folds, in one write."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from app.rules.ending import next_dealer
from app.rules.errors import NotAllowed
from app.rules.events import Event, read_event
from app.rules.game import apply, begin, replay
from app.rules.gamefile import read_players, read_setup, write_game
from app.services import statistics
from app.services.serialization import deserialize_event, serialize_event, serialize_setup
from app.services.tables import (
    NotFound,
    Sheet,
    Write,
    begin_change,
    effective_events,
    find_game,
    find_table,
    load_sheet,
    new_game_id,
    with_id,
)
from app.store.database import GameRow, Pool


def record(pool: Pool, write: Write, raw: object) -> Sheet:
    """Record an event of the newest game, given as a game file writes it.

    Raises BadFile, NotAllowed, Stale, NoPen, NotFound; then nothing has changed.
    """

    def book(seq: int, now: Sheet, game: GameRow) -> Sheet:
        event = read_event(raw, now.game.setup.players)
        after = _with_event(now, event)
        pool.add_event(game.id, seq, serialize_event(event, now.game.setup))
        return replace(after, redoable=None)

    return _change(pool, write, "event", book)


def undo(pool: Pool, write: Write) -> Sheet:
    """Take back the newest event of the newest game. Raises NotAllowed when there is none."""

    def take_back(seq: int, now: Sheet, game: GameRow) -> Sheet:
        if now.undoable is None:
            raise NotAllowed("nothing_to_undo")
        pool.undo(effective_events(pool.events(game.id))[-1].id, seq)
        kept = replace(now.game, events=now.game.events[:-1])
        return replace(now, game=kept, states=now.states[:-1], redoable=now.undoable)

    return _change(pool, write, "undo", take_back)


def redo(pool: Pool, write: Write) -> Sheet:
    """Record again what was undone last. Raises NotAllowed when there is nothing to redo."""

    def bring_back(seq: int, now: Sheet, game: GameRow) -> Sheet:
        undone = [row for row in pool.events(game.id) if row.taken_back == "undone"]
        if now.redoable is None:
            raise NotAllowed("nothing_to_redo")
        pool.redo(undone[0].id)
        further = deserialize_event(undone[1].body, now.game.setup) if undone[1:] else None
        return replace(_with_event(now, now.redoable), redoable=further)

    return _change(pool, write, "redo", bring_back)


def amend(pool: Pool, write: Write, number: int, events: Sequence[Event]) -> Sheet:
    """Let game `number` have gone like this instead; what was recorded before stays in the log.

    Raises NotAllowed, with the index of the first event that does not hold, and when a game that
    others have followed would no longer end; then nothing has changed.
    """

    def rewrite(seq: int, now: Sheet, game: GameRow) -> Sheet:
        return _rewritten(pool, seq, now, game, events)

    return _change(pool, write, "mend", rewrite, number)


def replace_event(pool: Pool, write: Write, index: int, raw: object) -> Sheet:
    """Let entry `index` of the newest game have been another, and work the rest out again.

    Raises NotFound when there is no such entry, and otherwise as `mend`.
    """

    def rewrite(seq: int, now: Sheet, game: GameRow) -> Sheet:
        if index >= len(now.game.events):
            raise NotFound("no_such_event")
        event = read_event(raw, now.game.setup.players)
        events = (*now.game.events[:index], event, *now.game.events[index + 1 :])
        return _rewritten(pool, seq, now, game, events)

    return _change(pool, write, "mend", rewrite)


def _rewritten(pool: Pool, seq: int, now: Sheet, game: GameRow, events: Sequence[Event]) -> Sheet:
    states = replay(now.game.setup, events)
    if now.number < now.games and not states[-1].over:
        raise NotAllowed("earlier_game_must_end")
    first = first_difference(now.game.events, events)
    bodies = [serialize_event(event, now.game.setup) for event in events[first:]]
    pool.replace_events(game.id, seq, first, bodies)
    mended = replace(now.game, events=tuple(events))
    return replace(now, game=mended, states=states, redoable=None)


def first_difference(old: Sequence[Event], new: Sequence[Event]) -> int:
    """The index of the first entry that is not the same in both."""
    pairs = enumerate(zip(old, new, strict=False))
    return next((n for n, (was, now) in pairs if was != now), min(len(old), len(new)))


def next_game(pool: Pool, write: Write, changed: dict[str, object] | None = None) -> Sheet:
    """Start the table's next game: same seats, stake and rules, the deal moves on.

    `changed` holds what differs, as a game file writes it. Raises NotAllowed while a game is
    being played, and BadFile.
    """

    def start(seq: int, now: Sheet, game: GameRow) -> Sheet:
        if not now.state.over:
            raise NotAllowed("still_playing")
        setup = read_setup(_next_setup(now, changed or {}))
        number, uid = game.number + 1, new_game_id()
        pool.add_game(find_table(pool, write.link).id, number, uid, serialize_setup(setup))
        return Sheet(now.name, seq, number, number, with_id(setup, (), uid), [begin(setup)], None)

    return _change(pool, write, "game", start)


def _with_event(now: Sheet, event: Event) -> Sheet:
    game = replace(now.game, events=(*now.game.events, event))
    return replace(now, game=game, states=[*now.states, apply(now.state, event)])


def _next_setup(now: Sheet, changed: dict[str, object]) -> dict[str, object]:
    last = write_game(now.game)
    players = now.game.setup.players
    staying = read_players(changed.get("players", players))
    if set(players) & set(staying):
        last["dealer"] = next_dealer(players, now.state.deal.dealer, staying)
    else:
        del last["dealer"]
    return {**last, **changed}


def _change(
    pool: Pool,
    write: Write,
    what: str,
    act: Callable[[int, Sheet, GameRow], Sheet],
    number: int | None = None,
) -> Sheet:
    """Do one change of the newest game, or of game `number`.

    Whoever lacks the pen, or saw an older table, is turned away first.
    """
    with pool.writing():
        table, seq = begin_change(pool, write, what)
        newest = pool.newest_game(table.id)
        game = newest if number is None else find_game(pool, table, number)
        now = load_sheet(pool, table, game, newest.number)
        if seq is None:
            return now
        after = replace(act(seq, now, game), seq=seq)
        if now.state.over or after.state.over:
            statistics.update_game(pool, game.id)
        return after
