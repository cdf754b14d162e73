"""Times of pushed rows: those of the taps, within bounds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.offline import conflicts
from app.services import access, ledger, table_view
from app.services.commit import commit
from app.services.people import Rename
from app.store import clock
from app.store.database import Database
from tests.offline.phones import Phone, pool_of
from tests.stopped import stopped_at

NOW = datetime.now(UTC)


def play_at(phone: Phone, at: datetime) -> str:
    """Open a table on the phone and play a game there, with its clock at this time.

    It heard of the server an hour before, as far as that is no later than now.
    """
    with stopped_at(min(at, NOW) - timedelta(hours=1)):
        phone.refresh()
    with stopped_at(at):
        link = phone.open_table()
        phone.tap(link, "Anna pair, nobody, settled")
    return link


def times_there(phone: Phone, link: str) -> list[datetime]:
    """Return the server's times of the events in the first game."""
    return [datetime.fromisoformat(at) for at in times_at(pool_of(phone.server), link)]


def times_at(db: Database, link: str) -> list[str]:
    """Return the times of the events in the first game."""
    table = access.find_access(db.connection, link, None)
    game, _ = table_view.load_game(db.connection, table, 1)
    return [entry.at for entry in game.entries]


def test_an_evening_pushed_in_the_morning_is_that_evenings(phone: Phone) -> None:
    """Its games and payments keep the day on which they were played."""
    evening = NOW.replace(hour=20) - timedelta(days=3)
    link = play_at(phone, evening)
    with stopped_at(evening + timedelta(minutes=5)):
        phone.send(link, "/games")
    assert phone.push() == [200]
    assert ledger.read_ledger(pool_of(phone.server), link).evenings == [evening.date()]
    assert [at.date() for at in times_there(phone, link)] == [evening.date()] * 3
    assert phone.server_sheet(link) == phone.view(link)


def test_what_a_phone_did_in_the_future_is_done_when_it_is_pushed(phone: Phone) -> None:
    """The phone's clock is wrong; after the push it has the server's times."""
    link = play_at(phone, NOW + timedelta(days=400))
    assert phone.push() == [200]
    assert all(at <= datetime.now(UTC) for at in times_there(phone, link))
    assert ledger.read_ledger(pool_of(phone.server), link).evenings[-1] <= NOW.date()
    phone.refresh()
    there, here = pool_of(phone.server), pool_of(phone.app)
    assert times_at(here, link) == times_at(there, link)


BEHIND = datetime(1970, 1, 1, 3, tzinfo=UTC)


def test_a_clock_that_stands_behind_is_put_right_by_what_the_phone_heard(phone: Phone) -> None:
    """Evenings there and here are of the day on which the phone last heard of the server."""
    heard = NOW.replace(hour=20, microsecond=0) - timedelta(days=3)
    with stopped_at(heard):
        phone.refresh()
    with stopped_at(BEHIND):
        link = phone.open_table()
        phone.tap(link, "Anna pair, nobody, settled")
        phone.send(link, "/games")
        phone.tap(link, "settled")
        here = ledger.read_ledger(pool_of(phone.app), link).evenings
    assert phone.push() == [200]
    assert here == ledger.read_ledger(pool_of(phone.server), link).evenings == [heard.date()]
    assert {*times_there(phone, link)} == {heard}


def test_an_evening_is_not_dated_before_its_table(phone: Phone) -> None:
    """Where nothing was heard of a server, the entry before tells, and at last the push."""
    clock.set_floor("")
    evening = NOW.replace(hour=20) - timedelta(days=3)
    with stopped_at(evening):
        first = phone.open_table()
    with stopped_at(BEHIND):
        phone.tap(first, "Anna pair, nobody, settled")
        second = phone.open_table()
        phone.tap(second, "Anna pair, nobody, settled")
    for link, day in ((first, evening.date()), (second, NOW.date())):
        assert phone.push() in ([200, 200], [])
        assert ledger.read_ledger(pool_of(phone.server), link).evenings == [day]


def test_a_table_is_opened_once_by_a_clock_that_stands_behind(phone: Phone) -> None:
    """A form that is sent again soon is known, however long ago its time is by that clock."""
    phone.refresh()
    form = {"player": ["Anna", "Bo"], "dealer": "0", "apart": "1", "key": "k" * 22}
    with stopped_at(BEHIND):
        answers = [phone.here.post("/", data=form) for _ in range(2)]
    assert len({answer.headers["Location"] for answer in answers}) == 1


def test_what_goes_behind_others_entries_keeps_its_time(phone: Phone) -> None:
    """Also on a phone whose clock stands behind, and goes on from what it heard."""
    link = phone.open_table()
    phone.push()
    with stopped_at(BEHIND):
        phone.tap(link, "nobody")
    commit(pool_of(phone.server), phone.pen_there(link), Rename("Thursdays"))
    assert 409 in phone.push()
    (tapped,) = times_at(pool_of(phone.app), link)
    with stopped_at(BEHIND), phone.page() as db:
        conflicts.add_mine(db, link)
    (added,) = times_at(pool_of(phone.app), link)
    assert tapped <= added <= datetime.now(UTC).isoformat()


def batch_of(phone: Phone, *times: datetime) -> dict[str, Any]:
    """Return the batch of a phone that claims these times for its taps."""
    link = phone.open_table()
    for told, _ in zip(("Anna pair", "nobody", "Bo trick"), times, strict=False):
        phone.tap(link, told)
    (batch,) = phone.outbox()
    for change, at in zip(batch["rows"][1:], times, strict=True):
        change["at"] = at.isoformat()
    return batch


def test_nothing_is_done_before_what_was_done_before_it(phone: Phone) -> None:
    """Times never go backwards, also where the clock was set back."""
    batch = batch_of(phone, NOW, NOW - timedelta(days=900), NOW - timedelta(hours=1))
    assert phone.deliver(batch).status_code == 200
    times = times_there(phone, batch["link"])
    assert times == sorted(times)
    opened = datetime.fromisoformat(batch["rows"][0]["at"])
    assert all(at >= opened for at in times)


@pytest.mark.parametrize("at", ["2026-10-01", "2026-10-01T20:00:00", "soon", 5, None])
def test_a_time_that_is_none_is_refused(phone: Phone, at: object) -> None:
    """The batch is refused as a whole."""
    batch = batch_of(phone, NOW)
    batch["rows"][1]["at"] = at
    assert phone.deliver(batch).status_code == 400
    with pytest.raises(access.NotFound):
        phone.server_sheet(batch["link"])
