import pytest
from sqlite_utils.utils import sqlite3

from app.store import games
from app.store.games import EventRow
from tests.services.keeper import NOBODY, Keeper, best_hand


def log(keeper: Keeper) -> list[EventRow]:
    """Return everything ever recorded in the game being played."""
    return games.find_events(keeper.db.connection, 1)


@pytest.mark.parametrize("column", ["game_id", "seq", "body", "recorded_at"])
def test_an_event_that_was_recorded_is_never_changed(keeper: Keeper, column: str) -> None:
    """The database itself refuses to rewrite what was recorded."""
    keeper.record(best_hand("Anna"))
    with pytest.raises(sqlite3.IntegrityError, match="never changed"), keeper.db.transaction():
        keeper.db.connection.execute(f"UPDATE events SET {column} = {column}")


def test_what_can_no_longer_be_redone_stays_in_the_log(keeper: Keeper) -> None:
    """A new event drops what was undone before it, and the log still tells of both."""
    keeper.record(best_hand("Anna"), best_hand("Bo"))
    keeper.undo()
    keeper.record(best_hand("Cilla"))
    assert [row.status for row in log(keeper)] == ["effective", "dropped", "effective"]
    assert '"player":2' in log(keeper)[1].body


def test_every_change_is_counted_once(keeper: Keeper) -> None:
    """The log tells by which version of the table each event came, and ceased to count."""
    keeper.record(best_hand("Anna"), NOBODY)
    keeper.undo()
    sql = "SELECT seq, until_seq FROM events ORDER BY id"
    assert keeper.db.connection.execute(sql).fetchall() == [(2, None), (3, 4)]
    keeper.redo()
    assert keeper.db.connection.execute(sql).fetchall() == [(2, None), (3, None)]
    assert keeper.seq == 5


def test_only_known_marks_are_accepted(keeper: Keeper) -> None:
    """An event counts, or was taken back in one of the ways there are."""
    keeper.record(best_hand("Anna"))
    with pytest.raises(sqlite3.IntegrityError), keeper.db.transaction():
        keeper.db.connection.execute("UPDATE events SET status = 'lost', until_seq = 2")
