"""Commit: the answer to a repeated change, and times that are told. The rest is in `stories`."""

from datetime import UTC, datetime, timedelta

from app.services.commit import commit
from app.services.play import Record
from app.store import clock
from app.store.log import Key
from tests.rules.table import write_facts
from tests.services.keeper import NOBODY, Keeper, content
from tests.stopped import stopped_at


def test_a_repeated_change_is_answered_with_the_state_at_its_row(keeper: Keeper) -> None:
    """A repeated change changes nothing, at any later version and from any base version."""
    key = Key(b"tap", b"a request")
    first = keeper.commit(Record(NOBODY), key)
    keeper.record("Bo pair, settled")
    keeper.next_game()
    before = content(keeper.db)
    again = commit(keeper.db, keeper.write(seq=1), Record(NOBODY), key)
    assert (again.seq, again.number, again.game) == (first.seq, 1, first.game)
    assert again.states == first.states
    assert content(keeper.db) == before


def test_a_time_that_is_told_is_bounded(keeper: Keeper) -> None:
    """A given time is kept, but is never later than now and never before the last change."""
    now, hour = datetime(2026, 5, 1, 20, tzinfo=UTC), timedelta(hours=1)
    with stopped_at(now - 3 * hour):
        keeper.record("nobody")
    with stopped_at(now):
        for told in (-hour, -2 * hour, hour):
            keeper.commit(Record(*write_facts("Anna 1")), at=now + told)
    times = keeper.db.connection.execute("SELECT at FROM changes ORDER BY seq").fetchall()
    hours = [clock.write_time(now + n * hour) for n in (-3, -1, -1, 0)]
    assert [at for (at,) in times[1:]] == hours


def test_a_server_that_has_lost_the_time_stays_at_the_last_change(keeper: Keeper) -> None:
    """Its evening is not one of 1970; a clock that is only behind is believed."""
    now = datetime(2026, 5, 1, 20, tzinfo=UTC)
    for at in (now, datetime(1970, 1, 1, tzinfo=UTC), now - timedelta(days=1)):
        with stopped_at(at):
            keeper.record("Anna 1")
    times = keeper.db.connection.execute("SELECT at FROM changes ORDER BY seq").fetchall()
    assert [at for (at,) in times[1:]] == [*map(clock.write_time, (now, now, now - timedelta(1)))]
