"""Mended games: entries replaced, put in and taken away."""

import pytest
from sqlite_utils.utils import sqlite3

from app.rules.errors import BadFile, NotAllowed
from app.rules.events import Correction, Event
from app.rules.gamefile import MAX_EVENTS
from app.services import play
from app.services.fold import MendBody, decode
from app.services.play import DraftItem
from app.services.table_view import Changed
from tests.services.keeper import (
    Keeper,
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


@pytest.fixture
def keeper(keeper: Keeper) -> Keeper:
    """Return the keeper of a table with four recorded corrections."""
    keeper.record("Anna 1, Anna 2, Anna 3, Anna 4")
    return keeper


@pytest.mark.parametrize("column", ["table_id", "seq", "key", "at"])
def test_what_was_recorded_is_never_changed(keeper: Keeper, column: str) -> None:
    """The database itself refuses a change of a recorded row."""
    with pytest.raises(sqlite3.IntegrityError, match="never changed"), keeper.db.transaction():
        keeper.db.connection.execute(f"UPDATE changes SET {column} = {column}")


def test_what_a_game_begins_with_is_kept_where_it_is_equal(keeper: Keeper) -> None:
    """A mend with whole events replaces only those from the first difference on."""
    events = keeper.view.game.events
    amend(keeper, *events[:2], points(20), 3)
    body = keeper.db.connection.table("changes").get((keeper.table_id, keeper.seq))["body"]
    assert decode(body, MendBody).entries[0] == (0, 2)


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
    keeper.record("deal Bo, Bo pair")
    count = len(keeper.view.game.events)
    assert keeper.view.state.deal.number == 2
    amend(keeper, *range(count - 1), points(9))
    assert keeper.view.undoable == Changed("mend", 1, 2)
    amend(keeper, *range(1, count))
    assert keeper.view.undoable == Changed("mend", 1, 1)
    assert keeper.undo().redoable == Changed("mend", 1, 1)
