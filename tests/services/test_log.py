import pytest
from sqlite_utils.utils import sqlite3

from app.store.database import EventRow
from tests.services.keeper import NOBODY, Keeper, best_hand


def log(keeper: Keeper) -> list[EventRow]:
    """Return everything ever recorded in the game being played."""
    return keeper.pool.events(1)


@pytest.mark.parametrize("column", ["game_id", "seq", "body", "recorded_at"])
def test_an_event_that_was_recorded_is_never_changed(keeper: Keeper, column: str) -> None:
    """The database itself refuses to rewrite what was recorded."""
    keeper.record(best_hand("Anna"))
    with pytest.raises(sqlite3.IntegrityError, match="never changed"), keeper.pool.writing():
        keeper.pool.db.execute(f"UPDATE events SET {column} = {column}")


def test_a_change_that_was_made_is_never_changed(keeper: Keeper) -> None:
    """Nor who changed the table when."""
    with pytest.raises(sqlite3.IntegrityError, match="never changed"), keeper.pool.writing():
        keeper.pool.db.execute("UPDATE changes SET what = 'other'")


def test_an_undone_event_is_kept_and_marked(keeper: Keeper) -> None:
    """Undo takes nothing out of the log: it says that, and when, an event was taken back."""
    keeper.record(best_hand("Anna"), NOBODY)
    keeper.undo()
    assert [row.taken_back for row in log(keeper)] == [None, "undone"]
    sql = "SELECT taken_back_seq FROM events WHERE taken_back = 'undone'"
    assert keeper.pool.db.execute(sql).fetchall() == [(keeper.seq,)]


def test_a_redone_event_counts_again(keeper: Keeper) -> None:
    """Redo takes the mark away and adds no second event."""
    keeper.record(best_hand("Anna"))
    keeper.undo()
    keeper.redo()
    assert [row.taken_back for row in log(keeper)] == [None]


def test_what_can_no_longer_be_redone_stays_in_the_log(keeper: Keeper) -> None:
    """A new event drops what was undone before it, and the log still tells of both."""
    keeper.record(best_hand("Anna"), best_hand("Bo"))
    keeper.undo()
    keeper.record(best_hand("Cilla"))
    assert [row.taken_back for row in log(keeper)] == [None, "dropped", None]
    assert '"player":2' in log(keeper)[1].body


def test_every_change_is_counted_once(keeper: Keeper) -> None:
    """The log of changes has one line for each step of the table's version."""
    keeper.record(best_hand("Anna"), NOBODY)
    keeper.undo()
    keeper.redo()
    rows = keeper.pool.db.execute("SELECT seq, what FROM changes ORDER BY seq").fetchall()
    assert rows == [(1, "game"), (2, "event"), (3, "event"), (4, "undo"), (5, "redo")]


def test_only_known_marks_are_accepted(keeper: Keeper) -> None:
    """An event counts, or was taken back in one of the ways there are."""
    keeper.record(best_hand("Anna"))
    with pytest.raises(sqlite3.IntegrityError), keeper.pool.writing():
        keeper.pool.db.execute("UPDATE events SET taken_back = 'lost'")
