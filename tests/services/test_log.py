import pytest
from sqlite_utils.utils import sqlite3

from app.services import play
from app.store import games
from app.store.games import EventRow
from tests.services.keeper import NOBODY, Keeper, best_hand


def log(keeper: Keeper) -> list[EventRow]:
    """Return everything ever recorded in the game being played."""
    return games.find_events(keeper.pool.connection, 1)


@pytest.mark.parametrize("column", ["game_id", "seq", "body", "recorded_at"])
def test_an_event_that_was_recorded_is_never_changed(keeper: Keeper, column: str) -> None:
    """The database itself refuses to rewrite what was recorded."""
    keeper.record(best_hand("Anna"))
    with pytest.raises(sqlite3.IntegrityError, match="never changed"), keeper.pool.transaction():
        keeper.pool.connection.execute(f"UPDATE events SET {column} = {column}")


def test_an_undone_event_stays_in_the_log(keeper: Keeper) -> None:
    """Undo takes nothing out of the log: it says that, and when, an event was taken back."""
    keeper.record(best_hand("Anna"), NOBODY)
    keeper.undo()
    assert [row.status for row in log(keeper)] == ["effective", "undone"]
    sql = "SELECT until_seq FROM events WHERE status = 'undone'"
    assert keeper.pool.connection.execute(sql).fetchall() == [(keeper.seq,)]


def test_a_redone_event_counts_again(keeper: Keeper) -> None:
    """Redo takes the mark away and adds no second event."""
    keeper.record(best_hand("Anna"))
    keeper.undo()
    keeper.redo()
    assert [row.status for row in log(keeper)] == ["effective"]


def test_what_can_no_longer_be_redone_stays_in_the_log(keeper: Keeper) -> None:
    """A new event drops what was undone before it, and the log still tells of both."""
    keeper.record(best_hand("Anna"), best_hand("Bo"))
    keeper.undo()
    keeper.record(best_hand("Cilla"))
    assert [row.status for row in log(keeper)] == ["effective", "dropped", "effective"]
    assert '"player":2' in log(keeper)[1].body


def test_what_comes_before_an_amendment_is_not_recorded_anew(keeper: Keeper) -> None:
    """From the first entry that differs on, others take the place of those that were there."""
    first, _ = keeper.record(best_hand("Anna"), best_hand("Bo")).game.events
    play.amend(keeper.pool, keeper.write(), 1, [first, first])
    assert [row.status for row in log(keeper)] == ["effective", "replaced", "effective"]
    play.amend(keeper.pool, keeper.write(), 1, [first])
    assert [row.status for row in log(keeper)] == ["effective", "replaced", "replaced"]


def test_every_change_is_counted_once(keeper: Keeper) -> None:
    """The log tells by which version of the table each event came, and ceased to count."""
    keeper.record(best_hand("Anna"), NOBODY)
    keeper.undo()
    sql = "SELECT seq, until_seq FROM events ORDER BY id"
    assert keeper.pool.connection.execute(sql).fetchall() == [(2, None), (3, 4)]
    keeper.redo()
    assert keeper.pool.connection.execute(sql).fetchall() == [(2, None), (3, None)]
    assert keeper.seq == 5


def test_only_known_marks_are_accepted(keeper: Keeper) -> None:
    """An event counts, or was taken back in one of the ways there are."""
    keeper.record(best_hand("Anna"))
    with pytest.raises(sqlite3.IntegrityError), keeper.pool.transaction():
        keeper.pool.connection.execute("UPDATE events SET status = 'lost', until_seq = 2")
