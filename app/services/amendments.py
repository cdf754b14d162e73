"""Amendments: a game's log in which some entries are taken away, and others put in.

What was recorded stays where it was, struck out, and what is put in stands behind it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from app import store
from app.rules.errors import BadFile, NotAllowed
from app.rules.events import Event
from app.rules.gamefile import MAX_EVENTS
from app.services import quotas
from app.services.change import Change, check_room, enroll
from app.services.game_states import effective_events
from app.services.serialization import serialize_event
from app.store.games import EventRow

DraftItem = int | Event


def read_entries(old: Sequence[Event], entries: Sequence[DraftItem]) -> list[DraftItem]:
    """Check the entries of an amendment, and keep the first of a game that stay as they are.

    An int keeps the entry of that index, an event is put in. Raises BadFile for an index that is
    none, or is not greater than those before it.
    """
    kept = -1
    for entry in entries:
        if isinstance(entry, int):
            if not kept < entry < len(old):
                raise BadFile("wrong_value", key="entries", value=entry)
            kept = entry
    return _keep_equal(old, entries)


def _keep_equal(old: Sequence[Event], entries: Sequence[DraftItem]) -> list[DraftItem]:
    """Keep what an amendment begins with where that is equal to what the game begins with.

    What stays further on is not kept twice: an entry put in before its equal is one more.
    """
    kept, shorter = list(entries), min(len(old), len(entries))
    start = next((n for n in range(shorter) if kept[n] not in (n, old[n])), shorter)
    start = min([start, *(entry for entry in kept[start:] if isinstance(entry, int))])
    kept[:start] = range(start)
    return kept


def amended_events(old: Sequence[Event], entries: Sequence[DraftItem]) -> tuple[Event, ...]:
    """The events of a game as it is amended. Raises NotAllowed when they are too many."""
    if len(entries) > MAX_EVENTS:
        raise NotAllowed("too_many_events", limit=MAX_EVENTS)
    return tuple(old[entry] if isinstance(entry, int) else entry for entry in entries)


def first_difference(entries: Sequence[DraftItem]) -> int:
    """The index of the first entry of an amended game that is not what it was."""
    return next((n for n, entry in enumerate(entries) if entry != n), len(entries))


def write_amendment(change: Change, entries: Sequence[DraftItem], deal: int) -> None:
    """Record an amendment; `deal` is the first that it touches.

    Raises NotAllowed when there is no room for it.
    """
    connection, game, seq = change.connection, change.game, change.sheet.seq
    rows = effective_events(store.games.find_events(connection, game.id))
    kept = {entry for entry in entries if isinstance(entry, int)}
    replaced = [row for index, row in enumerate(rows) if index not in kept]
    events = [entry for entry in entries if isinstance(entry, Event)]
    names = enroll(change, events)
    bodies = [serialize_event(event, names) for event in events]
    check_room(change, bodies)
    weight = quotas.weigh(bodies) + len(replaced)
    quotas.add_entries(connection, change.table.id, weight - 1)
    store.undo_stack.drop_undone(connection, change.table.id)
    store.undo_stack.add_amendment(connection, game, seq, deal, replaced)
    newest = 0
    for body, row in zip(bodies, _places(rows, entries), strict=True):
        behind = row.id if row else newest
        newest = store.undo_stack.insert_event(connection, game.id, seq, body, behind)


def _places(rows: Sequence[EventRow], entries: Sequence[DraftItem]) -> Iterator[EventRow | None]:
    """Behind which row each event that is put in comes, None for the one put in before it."""
    passed: EventRow | None = None
    upcoming = 0
    kept = [entry for entry in entries if isinstance(entry, int)]
    for entry in entries:
        if isinstance(entry, int):
            passed, upcoming = rows[entry], entry + 1
            continue
        if upcoming < len(rows) and upcoming not in kept:
            passed, upcoming = rows[upcoming], upcoming + 1
        yield passed
        passed = None
