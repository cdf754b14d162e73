"""Times of pushed rows: those of the taps, within bounds; more of them in stories.txt."""

from __future__ import annotations

from datetime import UTC, datetime

from flask import Flask

from app.services import access, table_view
from app.store import clock
from tests.offline.phones import Phone, pool_of
from tests.offline.stories import Story
from tests.stopped import stopped_at

# By a clock that stands in 1970.
GAME = [
    *("at -20500 here Anna pair, nobody, settled", "at -20500 here /games"),
    "at -20500 here settled",
]


def tapped_at(app: Flask, link: str) -> datetime:
    """Return the time of the only event in the first game."""
    connection = pool_of(app).connection
    table = access.find_access(connection, link, None)
    game, _ = table_view.load_game(connection, table, 1)
    (entry,) = game.entries
    return datetime.fromisoformat(entry.at)


def test_an_evening_is_not_dated_before_its_table(phone: Phone) -> None:
    """Where nothing was heard of a server, the entry before tells, and at last the push."""
    clock.set_floor("")
    first = Story(phone).tell(["at -3 open", *GAME])
    second = Story(phone).tell(["at -20500 open", *GAME])
    assert phone.push() == [200, 200]
    first.tell(["evenings -3"])
    second.tell(["evenings 0"])


def test_a_table_is_opened_once_by_a_clock_that_stands_behind(phone: Phone) -> None:
    """A form that is sent again soon is known, however long ago its time is by that clock."""
    form = {"player": ["Anna", "Bo"], "dealer": "0", "apart": "1", "key": "k" * 22}
    with stopped_at(datetime(1970, 1, 1, 3, tzinfo=UTC)):
        answers = [phone.here.post("/", data=form) for _ in range(2)]
    assert len({answer.headers["Location"] for answer in answers}) == 1


def test_what_goes_behind_others_entries_keeps_its_time(phone: Phone) -> None:
    """Also on a phone whose clock stands behind, and goes on from what it heard."""
    told = ["open", "push 200", "at -20500 here nobody", "there /name?name=Thursdays", "push 409"]
    story = Story(phone).tell(told)
    before = tapped_at(phone.app, story.link)
    story.tell(["at -20500 merge added"])
    assert before <= tapped_at(phone.app, story.link) <= datetime.now(UTC)
