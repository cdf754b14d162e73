"""One change of a game: loaded, made and counted in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from app import store
from app.services import quotas, statistics
from app.services.tables import Sheet, Write, begin_change, build_sheet, find_game
from app.store.database import Connection, Pool
from app.store.games import EventRow, GameRow
from app.store.tables import TableRow
from app.store.undo_stack import HeadRow


class Change(msgspec.Struct, frozen=True):
    """A change of one game, while it is made: the game's rows, and the table as it is now.

    `sheet.seq` is the version that the table is at once the change is made.
    """

    connection: Connection
    table: TableRow
    head: HeadRow
    game: GameRow
    rows: Sequence[EventRow]
    sheet: Sheet


def make_change(
    pool: Pool, write: Write, act: Callable[[Change], Sheet], number: int | None = None
) -> Sheet:
    """Make one change of the newest game, or of game `number`.

    Whoever lacks the pen, or saw an older table, is turned away first.
    """
    with pool.transaction() as connection:
        change = load_change(connection, begin_change(connection, write), number)
        after = act(change)
        if after.number == change.sheet.number and (change.sheet.state.over or after.state.over):
            statistics.update_game(connection, change.game, after.game.events, after.states)
        return after


def load_change(connection: Connection, table: TableRow, number: int | None = None) -> Change:
    """A table as it stands within its change, at its newest game or at game `number`."""
    head = store.undo_stack.find_head(connection, table.id)
    game = head.game if number is None else find_game(connection, table.id, number)
    rows = store.games.find_events(connection, game.id)
    return Change(connection, table, head, game, rows, build_sheet(table, head, game, rows))


def check_room(change: Change, bodies: Sequence[str], spare: int = 0) -> None:
    """Raise NotAllowed when the game's log, or the table, has no room, and `spare` beyond."""
    quotas.check_table(change.table, spare)
    quotas.check_game(len(change.rows) + len(bodies), spare)
