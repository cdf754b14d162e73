"""One change of a game: loaded, made and counted in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from app import store
from app.rules.events import Event
from app.services import quotas, statistics
from app.services.game_states import GameStates, cache_game_states
from app.services.serialization import names_in, names_with, serialize_setup
from app.services.sheets import Sheet, load_game
from app.services.tables import Write, begin_change
from app.store.connection import Connection
from app.store.database import Database
from app.store.games import GameRow
from app.store.tables import TableRow
from app.store.undo_stack import HeadRow, LogRow


class Change(msgspec.Struct, frozen=True):
    """A change of one game, while it is made: the game's rows, and the table as it is now.

    `sheet.seq` is the version that the table is at once the change is made.
    """

    connection: Connection
    table: TableRow
    head: HeadRow
    game: GameRow
    log: LogRow
    sheet: Sheet


def make_change(
    db: Database, write: Write, act: Callable[[Change], Sheet], number: int | None = None
) -> Sheet:
    """Make one change of the newest game, or of game `number`.

    Whoever lacks the pen, or saw an older table, is turned away first.
    """
    with db.transaction() as connection:
        table = begin_change(connection, write)
        now = load_game(connection, table, table.seq - 1, number)
        change = Change(connection, table, now.head, now.game, now.log, now.sheet)
        after = act(change)
        if after.number == change.sheet.number and (change.sheet.state.over or after.state.over):
            played = after.game.events, after.states
            statistics.update_game(connection, change.game, *played)
        if after.number == change.head.game.number:
            cache_game_states(
                connection, change.game, table.seq, GameStates(after.game, after.states)
            )
        return after


def enroll(change: Change, events: Sequence[Event]) -> tuple[str, ...]:
    """Everybody whom the events of a changed game name, who joins by these events included.

    Raises NotAllowed when too many names have played at the table.
    """
    known = names_in(change.game.setup)
    names = names_with(known, events)
    if names != known:
        quotas.check_names(change.connection, change.table.id, names)
        setup = serialize_setup(change.sheet.game.setup, names)
        store.games.save_setup(change.connection, change.game.id, setup)
    return names


def check_room(change: Change, bodies: Sequence[str], spare: int = 0) -> None:
    """Raise NotAllowed when the game's log, or the table, has no room, and `spare` beyond."""
    quotas.check_table(change.table, spare)
    quotas.check_game(change.log.entries + len(bodies), spare)
