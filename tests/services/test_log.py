import pytest
from sqlite_utils.utils import sqlite3

from app.services import table_view
from tests.services.keeper import NOBODY, Keeper, best_hand


@pytest.mark.parametrize("column", ["table_id", "seq", "key", "at"])
def test_what_was_recorded_is_never_changed(keeper: Keeper, column: str) -> None:
    """The database itself refuses to."""
    keeper.record(best_hand("Anna"))
    with pytest.raises(sqlite3.IntegrityError, match="never changed"), keeper.db.transaction():
        keeper.db.connection.execute(f"UPDATE changes SET {column} = {column}")


def test_what_can_no_longer_be_redone_stays_in_the_log(keeper: Keeper) -> None:
    """A new event drops what was undone before it, and the log still tells of both."""
    keeper.record(best_hand("Anna"), best_hand("Bo"))
    keeper.undo()
    keeper.record(best_hand("Cilla"))
    lines = table_view.read_log(keeper.db, keeper.link, 1)
    assert [line.status for line in lines] == ["effective", "dropped", "effective"]
    assert lines[1].event.players() == ("Bo",)


def test_every_change_is_a_version(keeper: Keeper) -> None:
    """The log tells by which version each came, and at which it ceased to count."""
    keeper.record(best_hand("Anna"), NOBODY)
    keeper.undo()
    sql = "SELECT seq, kind, undone FROM changes ORDER BY seq"
    rows = [(1, "open", None), (2, "record", None), (3, "record", 4), (4, "undo", None)]
    assert keeper.db.connection.execute(sql).fetchall() == rows
    keeper.redo()
    rows[2] = (3, "record", None)
    assert keeper.db.connection.execute(sql).fetchall() == [*rows, (5, "redo", None)]
