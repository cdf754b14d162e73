"""Games as they were played: read from their rows, and cached for each table's newest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import cast

import msgspec

from app.rules.events import Event
from app.rules.game import replay
from app.rules.gamefile import Game
from app.rules.state import GameState, Setup
from app.services.serialization import deserialize_event, deserialize_setup, names_in
from app.store import games
from app.store.connection import Connection
from app.store.games import EventRow, GameRow

# What a cached game takes, in bytes: about so much by itself, and for each event with its state.
_GAME_BYTES, _EVENT_BYTES = 4000, 800
# As JSON few events are longer than this. Remarks are: each byte of one may be a list in a list.
_USUAL_LENGTH, _REMARK_BYTES = 100, 50


class GameStates(msgspec.Struct, frozen=True):
    """A game with every state, the first before any event."""

    game: Game
    states: Sequence[GameState]


def find_game_states(connection: Connection, game: GameRow, seq: int) -> GameStates:
    """A table's newest game as version `seq` left it, which this transaction or snapshot read.

    A version and the row of the game tell it from every other there can be: nothing of a game
    changes without a new version, but by what drops the cached one (`TableCache`).
    """
    found = connection.cache.find(game.table_id, (seq, game))
    if found is not None:
        return cast("GameStates", found)
    replayed = replay_game(connection, game)
    cache_game_states(connection, game, seq, replayed)
    return replayed


def cache_game_states(
    connection: Connection, game: GameRow, seq: int, replayed: GameStates
) -> None:
    """Cache a table's newest game as version `seq` leaves it, for others once that is committed."""
    events = replayed.game.events
    remarks = max(0, len(msgspec.json.encode(events)) - _USUAL_LENGTH * len(events))
    size = _GAME_BYTES + _EVENT_BYTES * len(replayed.states) + _REMARK_BYTES * remarks
    connection.cache.put(game.table_id, (seq, game), replayed, size)


def replay_game(connection: Connection, game: GameRow) -> GameStates:
    """A game as it stands, from its rows."""
    return replay_rows(game, effective_events(games.find_events(connection, game.id)))


def replay_rows(game: GameRow, rows: Sequence[EventRow]) -> GameStates:
    """A game in which the events of these rows count."""
    setup = deserialize_setup(game.setup)
    events = tuple(deserialize_events(game.setup, rows))
    return GameStates(with_id(setup, events, game.uid), replay(setup, events))


def with_id(setup: Setup, events: tuple[Event, ...], uid: str) -> Game:
    """A game that its file, too, can be known by."""
    return Game(setup, events, {"id": uid})


def deserialize_events(setup: str, rows: Iterable[EventRow]) -> Iterator[Event]:
    """The events of a game, whose setup is as the database holds it, as they were recorded."""
    names = names_in(setup)
    return (deserialize_event(row.body, names) for row in rows)


def effective_events(rows: Iterable[EventRow]) -> list[EventRow]:
    """Those of a game's events that count."""
    return [row for row in rows if row.status == "effective"]
