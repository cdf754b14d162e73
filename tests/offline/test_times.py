"""Times of pushed rows: those of the taps, within bounds."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from flask import Flask

from app.offline import conflicts
from app.services import access, ledger, table_view
from app.store import clock
from tests.offline.phones import Phone, pool_of
from tests.offline.stories import Story
from tests.stopped import stopped_at

NOW = datetime.now(UTC)
EVENING = NOW.replace(hour=20, microsecond=0) - timedelta(days=3)
BEHIND, AHEAD = datetime(1970, 1, 1, 3, tzinfo=UTC), NOW + timedelta(days=400)
GAME = ["here Anna pair, nobody, settled", "here /games", "here settled"]


def times(app: Flask, link: str) -> list[datetime]:
    """Return the times of the events in the first game."""
    connection = pool_of(app).connection
    table = access.find_access(connection, link, None)
    game, _ = table_view.load_game(connection, table, 1)
    return [datetime.fromisoformat(entry.at) for entry in game.entries]


def evenings(app: Flask, link: str) -> list[date]:
    """Return the evenings of a table."""
    return ledger.read_ledger(pool_of(app), link).evenings


@pytest.mark.parametrize(
    ("heard", "at", "told"),
    [(EVENING, EVENING, EVENING), (EVENING, BEHIND, EVENING), (NOW, AHEAD, NOW)],
    ids=["right", "behind", "ahead"],
)
def test_an_evening_is_of_the_day_on_which_it_was_played(
    phone: Phone, heard: datetime, at: datetime, told: datetime
) -> None:
    """By the phone's clock, but not before it last heard of the server, nor after the push.

    Its games and payments keep the day, and both sides have the same times.
    """
    with stopped_at(heard):
        phone.refresh()
    with stopped_at(at):
        story = Story(phone).tell(["open", *GAME])
        assert at == AHEAD or evenings(phone.app, story.link) == [told.date()]
    story.tell(["push 200", "same"])
    there = times(phone.server, story.link)
    assert evenings(phone.server, story.link)[0] == there[0].date() == told.date()
    assert NOW.replace(year=1971) < min(there) <= max(there) <= datetime.now(UTC)
    assert at != BEHIND or {*there} == {heard}


def test_an_evening_is_not_dated_before_its_table(phone: Phone) -> None:
    """Where nothing was heard of a server, the entry before tells, and at last the push."""
    clock.set_floor("")
    with stopped_at(EVENING):
        first = Story(phone).tell(["open"])
    with stopped_at(BEHIND):
        first.tell(GAME)
        second = Story(phone).tell(["open", *GAME])
    assert phone.push() == [200, 200]
    assert evenings(phone.server, first.link) == [EVENING.date()]
    assert evenings(phone.server, second.link)[-1] >= NOW.date()


def test_a_table_is_opened_once_by_a_clock_that_stands_behind(phone: Phone) -> None:
    """A form that is sent again soon is known, however long ago its time is by that clock."""
    form = {"player": ["Anna", "Bo"], "dealer": "0", "apart": "1", "key": "k" * 22}
    with stopped_at(BEHIND):
        answers = [phone.here.post("/", data=form) for _ in range(2)]
    assert len({answer.headers["Location"] for answer in answers}) == 1


def test_what_goes_behind_others_entries_keeps_its_time(phone: Phone) -> None:
    """Also on a phone whose clock stands behind, and goes on from what it heard."""
    story = Story(phone).tell(["open", "push 200"])
    with stopped_at(BEHIND):
        story.tell(["here nobody"])
    story.tell(["there /name?name=Thursdays", "push 409"])
    (tapped,) = times(phone.app, story.link)
    with stopped_at(BEHIND), phone.page() as db:
        conflicts.add_mine(db, story.link)
    (added,) = times(phone.app, story.link)
    assert tapped <= added <= datetime.now(UTC)
