"""Bounds of a table: how much of everything it holds."""

from collections.abc import Iterable

from app.rules.codes import NotAllowed, ReasonCode
from app.rules.state import GameState
from app.store.database import Connection
from app.store.log import ChangeRow

# Twenty years of Thursdays.
MAX_ENTRIES, MAX_GAMES, MAX_NAMES = 500_000, 3_000, 60
MAX_PAYMENTS, MAX_PENS = 5_000, 100
# More than any game has: a hundred million games of it add up.
MAX_POINTS = 1_000_000
# Of one game, whose changes are read together; and of all that are of no one game.
MAX_GAME_ENTRIES = 6_000
# However full a table is, its game can be settled: so much room is left for that.
HEADROOM = 100
# Undoing is always allowed.
UNLIMITED = 2**31
# A change that is long counts for more entries than it holds.
ENTRY_BYTES = 250


def weigh(body: str) -> int:
    """Count the entries of a change, given as JSON: the events that it holds, and its length."""
    return max(1, body.count('"event":')) + len(body.encode()) // ENTRY_BYTES


def count_entries(rows: Iterable[ChangeRow], number: int) -> int:
    """Count the entries of a game among some changes; of number 0, those of no one game."""
    return sum(weigh(row.body) for row in rows if row.game == number)


def check(code: ReasonCode, count: int, limit: int) -> None:
    """Raise NotAllowed, for this reason, when there would be more than the limit."""
    if count > limit:
        raise NotAllowed(code, limit=limit)


def check_points(state: GameState) -> None:
    """Raise NotAllowed where somebody's score is larger than sums of a table's money bear."""
    check("points_too_large", max(abs(seat.score) for seat in state.seats), MAX_POINTS)


def check_pens(connection: Connection, table_id: int) -> None:
    """Raise NotAllowed when as many pens write at a table as may."""
    sql = "SELECT COUNT(*) FROM pens WHERE table_id = ? AND kind = 'pen' AND revoked_at IS NULL"
    check("too_many_pens", connection.find_number(sql, table_id) + 1, MAX_PENS)
