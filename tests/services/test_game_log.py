"""The log of a game: changed entries are struck out, and new ones stand beside them."""

import pytest
from sqlite_utils.utils import sqlite3

from app.rules.errors import BadFile, NotAllowed
from app.rules.events import Correction, Event
from app.rules.gamefile import MAX_EVENTS
from app.services import play, table_view
from app.services.play import DraftItem
from app.services.table_view import Changed
from tests.services.keeper import (
    NOBODY,
    Keeper,
    best_hand,
    correction,
    last_trick,
    read_uncached,
)


def points(number: int) -> Event:
    """Return a correction for Anna, recognisable by its points."""
    return Correction(player="Anna", points=number)


def amend(keeper: Keeper, *entries: DraftItem) -> None:
    """Mend the first game to these entries."""
    keeper.commit(play.Mend(1, entries))


def counting(keeper: Keeper) -> list[int]:
    """Return the points of the corrections that count."""
    return [e.points for e in keeper.view.game.events if isinstance(e, Correction)]


def log(keeper: Keeper) -> list[str]:
    """Return the points of all corrections in the log; those that do not count in brackets."""
    return [
        str(line.event.points) if line.status == "effective" else f"({line.event.points})"
        for line in table_view.read_log(keeper.db, keeper.link, 1)
        if isinstance(line.event, Correction)
    ]


@pytest.fixture
def keeper(keeper: Keeper) -> Keeper:
    """Return the keeper of a table with four recorded corrections."""
    keeper.record(*[correction("Anna", number) for number in (1, 2, 3, 4)])
    return keeper


def test_entries_that_are_replaced_have_the_new_ones_behind_them(keeper: Keeper) -> None:
    """Only replaced entries are struck out; further new entries follow in the game's order."""
    amend(keeper, 0, points(20), points(30), points(35), 3)
    assert log(keeper) == ["1", "(2)", "20", "(3)", "30", "35", "4"]
    assert counting(keeper) == [1, 20, 30, 35, 4]


def test_entries_are_put_in_anywhere(keeper: Keeper) -> None:
    """Entries are inserted before the first, between others and after the last, repeatedly."""
    amend(keeper, points(10), 0, 1, 2, 3)
    amend(keeper, points(11), points(12), 0, 1, 2, 3, 4)
    amend(keeper, 0, 1, points(13), 2, 3, 4, 5, 6, points(14))
    assert counting(keeper) == [11, 12, 13, 10, 1, 2, 3, 4, 14]
    amend(keeper, 0, 1, 2, points(15), *range(3, 9))
    assert counting(keeper) == [11, 12, 13, 15, 10, 1, 2, 3, 4, 14]
    keeper.record(correction("Anna", 16))
    assert counting(keeper)[-2:] == [14, 16]


def test_entries_are_taken_away_anywhere(keeper: Keeper) -> None:
    """The other entries count, and all entries stay in the log."""
    amend(keeper, 1, 3)
    assert log(keeper) == ["(1)", "2", "(3)", "4"]
    amend(keeper)
    assert log(keeper) == ["(1)", "(2)", "(3)", "(4)"]
    amend(keeper, points(5))
    assert counting(keeper) == [5]


@pytest.mark.parametrize("column", ["table_id", "seq", "key", "at"])
def test_what_was_recorded_is_never_changed(keeper: Keeper, column: str) -> None:
    """The database itself refuses a change of a recorded row."""
    with pytest.raises(sqlite3.IntegrityError, match="never changed"), keeper.db.transaction():
        keeper.db.connection.execute(f"UPDATE changes SET {column} = {column}")


def test_what_was_undone_between_keeps_its_place(keeper: Keeper) -> None:
    """Undone and dropped entries keep their place of the game in the log."""
    amend(keeper, 0, 1, points(25), 2, 3)
    keeper.undo()
    assert table_view.read_log(keeper.db, keeper.link, 1)[2].status == "undone"
    keeper.record(correction("Anna", 5))
    assert table_view.read_log(keeper.db, keeper.link, 1)[2].status == "dropped"
    amend(keeper, 0, 1, points(27), 2, 3, 4)
    assert log(keeper) == ["1", "2", "27", "(25)", "3", "4", "5"]


def test_what_a_game_begins_with_is_kept_where_it_is_equal(keeper: Keeper) -> None:
    """A mend with whole events replaces only those from the first difference on."""
    events = keeper.view.game.events
    amend(keeper, *events[:2], points(20), 3)
    assert log(keeper) == ["1", "2", "(3)", "20", "4"]


@pytest.mark.parametrize("place", [0, 1, 3])
def test_an_entry_put_in_before_its_equal_is_one_more(keeper: Keeper, place: int) -> None:
    """A fact recorded once that happened twice is mended by a second, equal entry."""
    entries: list[DraftItem] = [0, 1, 2, 3]
    entries.insert(place, keeper.view.game.events[place])
    amend(keeper, *entries)
    read_uncached(keeper.db, keeper.link)
    assert counting(keeper) == sorted([1, 2, 3, 4, place + 1])


@pytest.mark.parametrize("entries", [(4,), (-1,), (1, 0), (0, 0), (2**70,)])
def test_entries_that_are_not_there_are_refused(keeper: Keeper, entries: tuple[int, ...]) -> None:
    """Indices that do not exist, repeat or go backwards change nothing."""
    with pytest.raises(BadFile):
        amend(keeper, *entries)
    assert keeper.seq == 5


def test_an_amended_game_holds_as_much_as_any(keeper: Keeper) -> None:
    """An amended game holds as many events as a game file, so that it can be imported again."""
    with pytest.raises(NotAllowed, match="too_many_events"):
        amend(keeper, *[points(1)] * (MAX_EVENTS + 1))


def test_an_amendment_says_where_it_begins(keeper: Keeper) -> None:
    """An amendment names the first deal that it changes, counted from 1."""
    keeper.record(NOBODY, NOBODY, last_trick("Bo"), NOBODY, best_hand("Bo"))
    count = len(keeper.view.game.events)
    assert keeper.view.state.deal.number == 2
    amend(keeper, *range(count - 1), points(9))
    assert keeper.view.undoable == Changed("mend", 1, 2)
    amend(keeper, *range(1, count))
    assert keeper.view.undoable == Changed("mend", 1, 1)
    assert keeper.undo().redoable == Changed("mend", 1, 1)


def test_the_log_says_when_an_entry_was_taken_away(keeper: Keeper) -> None:
    """A removed entry has its time of removal until the amendment is undone."""
    amend(keeper, 0, 1, 2)
    lines = table_view.read_log(keeper.db, keeper.link, 1)
    assert [bool(line.replaced_at) for line in lines] == [False, False, False, True]
    keeper.undo()
    assert not any(line.replaced_at for line in table_view.read_log(keeper.db, keeper.link, 1))
