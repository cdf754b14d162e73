"""Commit: it checks pen, key, version and rules in this order, and a refusal changes nothing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace

from app.rules.codes import ChicagoError, NotAllowed, Stale
from app.services import access
from app.services.access import NoPen, NotFound, Write
from app.services.commit import Change, commit
from app.services.edit import Edit, TakeBackEvent
from app.services.play import Record, Redo, Start, Undo
from app.store import clock
from app.store.log import Key
from tests.rules.table import write_facts
from tests.services.conftest import Seat
from tests.services.keeper import (
    NOBODY,
    Keeper,
    content,
)
from tests.stopped import stopped_at

TRICK, POINT = write_facts("Anna trick, Anna 1")
KEY = Key(b"tap", b"a request")
OTHER_BODY = Key(KEY.key, b"another request")
CHANGES: list[Change] = [
    Record(NOBODY),
    Edit(1, entries=[]),
    Undo(),
    Redo(),
    TakeBackEvent(),
    Start(),
]


def times(keeper: Keeper) -> list[str]:
    """Return the times of a table's changes."""
    sql = "SELECT at FROM changes ORDER BY seq"
    return [at for (at,) in keeper.db.connection.execute(sql).fetchall()]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: type(change).__name__)
@pytest.mark.parametrize(
    ("write", "error"),
    [
        ({"seq": 1}, Stale),
        ({"seq": 4}, Stale),
        ({"pen": "another"}, NoPen),
        ({"pen": None}, NoPen),
        ({"pen": ""}, NoPen),
        ({"link": "another"}, NotFound),
    ],
)
def test_whoever_may_not_write_changes_nothing(
    keeper: Keeper, change: Change, write: dict[str, object], error: type[ChicagoError]
) -> None:
    """Every kind of change is refused with a wrong version, a wrong pen or an unknown link."""
    keeper.record("Anna pair, Bo pair")
    before = content(keeper.db)
    with pytest.raises(error):
        commit(keeper.db, replace(keeper.write(), **write), change)
    assert content(keeper.db) == before


def test_the_pen_is_asked_before_the_version_and_the_rules(keeper: Keeper) -> None:
    """A missing pen is reported first, so that nobody learns anything else of the table."""
    with pytest.raises(NoPen):
        commit(keeper.db, Write(keeper.link, None, 7), Record(TRICK), KEY)


@pytest.mark.parametrize(
    "change",
    [
        Record(TRICK),
        # Eva would get a number before the refusal.
        Start({"players": ["Anna", "Eva"]}),
        Edit(1, entries=[7]),
        Edit(2, entries=[]),
        Redo(),
    ],
    ids=lambda change: type(change).__name__,
)
def test_a_refusal_changes_nothing(keeper: Keeper, change: Change) -> None:
    """Neither a row nor the cache changes, so that the request may be sent again with its key."""
    keeper.record("Anna pair")
    before, view = content(keeper.db), keeper.view
    with pytest.raises(ChicagoError):
        keeper.commit(change, KEY)
    assert content(keeper.db) == before
    assert keeper.view == view


def test_a_refused_change_is_judged_again(keeper: Keeper) -> None:
    """A refused change may be accepted later with the same key."""
    change = Record(TRICK)
    with pytest.raises(NotAllowed):
        keeper.commit(change, KEY)
    keeper.record("no hands")
    assert keeper.commit(change, KEY).state.score("Anna") > 0


def test_a_repeated_change_is_answered_with_the_state_at_its_row(keeper: Keeper) -> None:
    """A repeated change changes nothing, at any later version and from any base version."""
    first = keeper.commit(Record(NOBODY), KEY)
    keeper.record("Bo pair, settled")
    keeper.next_game()
    before = content(keeper.db)
    again = commit(keeper.db, keeper.write(seq=1), Record(NOBODY), KEY)
    assert (again.seq, again.number, again.game) == (first.seq, 1, first.game)
    assert again.states == first.states
    assert content(keeper.db) == before


def test_a_repeated_change_that_was_undone_is_not_made_again(keeper: Keeper) -> None:
    """A change that was accepted and undone stays undone when its request is repeated."""
    keeper.commit(Record(NOBODY), KEY)
    keeper.undo()
    assert keeper.commit(Record(NOBODY), KEY).seq == 2
    assert keeper.recorded == []


def test_a_key_serves_for_one_request(keeper: Keeper) -> None:
    """Another request with the same key is refused, and not carried out."""
    keeper.commit(Record(NOBODY), KEY)
    with pytest.raises(NotAllowed, match="key_reused"):
        keeper.commit(Record(NOBODY), OTHER_BODY)
    assert keeper.recorded == ["NoBestHand"]


def test_keys_of_one_table_are_none_of_another(keeper: Keeper, seat: Seat) -> None:
    """Two tables may use the same key; each has a link of 128 random bits and a pen of 256."""
    other = seat()
    assert not access.find_access(keeper.db.connection, keeper.link, other.pen).writes
    assert len({keeper.link, other.link, keeper.pen, other.pen}) == 4
    assert (len(keeper.link), len(keeper.pen)) == (22, 43)
    for each in (keeper, other):
        each.commit(Record(NOBODY), KEY)
    assert (keeper.seq, other.seq) == (2, 2)


def test_a_time_that_is_told_is_bounded(keeper: Keeper) -> None:
    """A given time is kept, but is never later than now and never before the last change."""
    now = datetime(2026, 5, 1, 20, tzinfo=UTC)
    hour = timedelta(hours=1)
    with stopped_at(now - 3 * hour):
        keeper.record("nobody")
    with stopped_at(now):
        for told in (-hour, -2 * hour, hour):
            keeper.commit(Record(POINT), at=now + told)
    hours = [clock.write_time(now + n * hour) for n in (-3, -1, -1, 0)]
    assert times(keeper)[1:] == hours


def test_the_same_tap_at_a_version_that_comes_again_is_one_more(keeper: Keeper) -> None:
    """On a phone that puts its changes behind others' a version has another past than before."""
    key, event = Key(b"a tap", b"its form"), write_facts("Anna 1")[0]
    keeper.commit(Record(event), key=key)
    seq = keeper.seq
    assert commit(keeper.db, keeper.write(seq), Record(event), key).state.score("Anna") == 2
    # Sent again from before, it is known.
    assert commit(keeper.db, keeper.write(seq - 1), Record(event), key).seq == seq
    with pytest.raises(NotAllowed, match="key_reused"):
        commit(keeper.db, keeper.write(seq + 1), Record(event), Key(key.key, b"another"))
