"""The games of a table as they stand: what is shown of them, and what can be undone."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from app import store
from app.rules.currency import USUAL, Currency
from app.rules.events import Event, Joins
from app.rules.gamefile import Game
from app.rules.names import seat_behind
from app.rules.state import GameState
from app.services.game_states import (
    GameStates,
    deserialize_events,
    effective_events,
    find_game_states,
    replay_game,
    replay_rows,
)
from app.services.serialization import (
    beginners_in,
    deserialize_event,
    names_in,
)
from app.services.tables import NotFound, find_table
from app.store.connection import Connection
from app.store.database import Database
from app.store.games import EventRow, EventStatus, GameRow
from app.store.tables import TableRow
from app.store.undo_stack import AmendmentRow, HeadRow, LogRow, StartRow

MOST_GAMES = 2**31


class AmendedGame(msgspec.Struct, frozen=True):
    """That game `number` was amended: `deal` is the first that it touched."""

    number: int
    deal: int


class StartedGame(msgspec.Struct, frozen=True):
    """That game `number` was started."""

    number: int


UndoItem = Event | AmendedGame | StartedGame


class Sheet(msgspec.Struct, frozen=True):
    """A table as it stands: its newest (or a chosen) game with every state.

    `games` is how many the table has had, `seq` its version, `begun_at` when the game was begun, in
    UTC. `newest_change` is the table's newest change where that is no tap, `redoable` what redo
    would bring; both None where they are unknown.
    """

    name: str
    seq: int
    games: int
    number: int
    begun_at: str
    game: Game
    states: Sequence[GameState]
    newest_change: AmendedGame | StartedGame | None = None
    redoable: UndoItem | None = None
    currency: Currency = USUAL

    @property
    def state(self) -> GameState:
        """Where the game stands."""
        return self.states[-1]

    @property
    def undoable(self) -> UndoItem | None:
        """What undo would take back: the newest change; if that is a tap, the last event."""
        if self.newest_change is not None:
            return self.newest_change
        return self.game.events[-1] if self.game.events else None


class LoadedGame(msgspec.Struct, frozen=True):
    """One game of a table as a transaction or a snapshot found it: rows, and what they come to."""

    head: HeadRow
    game: GameRow
    log: LogRow
    sheet: Sheet


class LogLine(msgspec.Struct, frozen=True):
    """One line of a game's log; only an event of status `effective` counts.

    `replaced_at` is when an amendment took it away, None for others or if that is not known.
    """

    event: Event
    recorded_at: str
    status: EventStatus
    replaced_at: str | None = None


def read_sheet(db: Database, link: str, number: int | None = None) -> Sheet:
    """The table behind a link, with its newest game or game `number`. Raises NotFound."""
    with db.snapshot() as connection:
        return load_sheet(connection, find_table(connection, link), number)


def read_sheet_at(db: Database, link: str, number: int, seq: int) -> Sheet:
    """The table as it stood at version `seq`, in game `number`.

    It says nothing of what could be redone then. Raises NotFound.
    """
    with db.snapshot() as connection:
        table = find_table(connection, link)
        game = store.games.find_ever(connection, table.id, number)
        if game is None:
            raise NotFound("no_such_game")
        rows = find_events_at(connection, game.id, seq)
    return _make_sheet(replace(table, seq=seq), number, game, replay_rows(game, rows))


def find_events_at(connection: Connection, game_id: int, seq: int) -> list[EventRow]:
    """Those of a game's events that counted at version `seq` of its table."""
    counting = store.games.find_counting_at(connection, game_id, seq)
    return [row for row in store.games.find_events(connection, game_id) if row.id in counting]


def list_game_numbers(db: Database, link: str) -> list[int]:
    """The numbers of the table's games; some may have been erased. Raises NotFound."""
    with db.snapshot() as connection:
        table = find_table(connection, link)
        return [game.number for game in store.games.find_all(connection, table.id)]


def read_log(db: Database, link: str, number: int) -> list[LogLine]:
    """Everything ever recorded in a game, counting or not, in its order. Raises NotFound."""
    with db.snapshot() as connection:
        game = find_game(connection, find_table(connection, link).id, number)
        rows = store.games.find_events(connection, game.id)
        times = store.undo_stack.find_replacement_times(connection, game.id)
    events = deserialize_events(game.setup, rows)
    return [
        LogLine(event, row.recorded_at, row.status, times.get(row.id))
        for event, row in zip(events, rows, strict=True)
    ]


def find_game(connection: Connection, table_id: int, number: int) -> GameRow:
    """The row of one of a table's games. Raises NotFound."""
    game = store.games.find(connection, table_id, number) if number <= MOST_GAMES else None
    if game is None:
        raise NotFound("no_such_game")
    return game


def load_sheet(connection: Connection, table: TableRow, number: int | None = None) -> Sheet:
    """A table as it is now, with its newest game or game `number`. Raises NotFound."""
    return load_game(connection, table, table.seq, number).sheet


def load_game(
    connection: Connection, table: TableRow, seq: int, number: int | None = None
) -> LoadedGame:
    """A table's newest game, or game `number`, as it was left by version `seq`. Raises NotFound.

    Within a change that is the version before, until something of the game is changed.
    """
    head = store.undo_stack.find_head(connection, table.id)
    if number in (None, head.game.number):
        game, log, replayed = head.game, head.log, find_game_states(connection, head.game, seq)
    else:
        game = find_game(connection, table.id, number)
        log = store.undo_stack.find_log(connection, game.id)
        replayed = replay_game(connection, game)
    sheet = _make_sheet(table, head.game.number, game, replayed)
    return LoadedGame(head, game, log, with_undo_stack(sheet, head, game, log))


def _make_sheet(table: TableRow, games: int, game: GameRow, replayed: GameStates) -> Sheet:
    return Sheet(
        name=table.name,
        seq=table.seq,
        games=games,
        number=game.number,
        begun_at=game.begun_at,
        game=replayed.game,
        states=replayed.states,
        currency=table.currency,
    )


def with_undo_stack(sheet: Sheet, head: HeadRow, game: GameRow, log: LogRow) -> Sheet:
    """A sheet that says what can be undone and redone."""
    change = head.done if head.done and head.done.seq > log.newest_tap else None
    return replace(
        sheet,
        newest_change=_item(change) if change else None,
        redoable=_find_redoable(head, game, log),
    )


def _find_redoable(head: HeadRow, game: GameRow, log: LogRow) -> UndoItem | None:
    tap = log.undone_tap
    if tap is not None and (head.undone is None or tap.seq < head.undone.seq):
        return deserialize_event(tap.body, names_in(game.setup))
    return _item(head.undone) if head.undone else None


def _item(row: AmendmentRow | StartRow) -> AmendedGame | StartedGame:
    if isinstance(row, AmendmentRow):
        return AmendedGame(row.number, row.deal)
    return StartedGame(row.number)


def find_players(connection: Connection, game: GameRow) -> tuple[str, ...]:
    """Who has a seat in a game, in seat order."""
    players = beginners_in(game.setup)
    if len(names_in(game.setup)) > len(players):
        rows = effective_events(store.games.find_events(connection, game.id))
        for event in deserialize_events(game.setup, rows):
            if isinstance(event, Joins):
                players = seat_behind(players, event.player, event.after)
    return players
