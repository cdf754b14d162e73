"""Amending on the page: an entry opened, what would change, and the game kept when it stands."""

import json
import time
from datetime import datetime, timedelta

import pytest

from tests.web.conftest import Seat
from tests.web.pages import Page
from tests.web.phone import Phone

DEAL: list[dict[str, object]] = [
    {"event": "best_hand", "player": "Anna", "hand": "pair"},
    {"event": "no_best_hand"},
    {"event": "last_trick", "player": "Bo"},
    {"event": "best_hand", "player": "Cilla", "hand": "flush"},
]


@pytest.fixture
def keeper(seat: Seat, phone: Phone) -> Phone:
    """Return the keeper's phone of a table where a deal was played."""
    return seat(phone, *DEAL, rules={"preset": "pagat"})


def entry(phone: Phone, index: int) -> Page:
    """Open an entry of game 1."""
    return phone.open(f"{phone.table}/games/1/entries/{index}")


def recorded(phone: Phone) -> list[dict[str, object]]:
    """Return the events of game 1 as its file has them."""
    raw = phone.open(f"{phone.table}/games/1.json").html
    events: list[dict[str, object]] = json.loads(raw)["events"]
    return events


def test_an_entry_tells_what_it_did_and_why(keeper: Phone) -> None:
    """An entry opened explains itself, with the number and the rule."""
    text = "Anna scores pair: +1. The best hand scores: pair gives 1 point."
    assert text in entry(keeper, 0).text


def test_a_change_is_shown_before_it_is_kept(keeper: Phone) -> None:
    """Changing an entry shows the scores it would give; only keeping it changes the game."""
    entry(keeper, 0)
    page = keeper.press("Dan: Straight")
    assert "4 points" in page.text
    assert recorded(keeper)[0]["player"] == "Anna"
    keeper.submit(page.button("Keep this"))
    assert recorded(keeper)[0]["player"] == "Dan"


def test_what_no_longer_holds_is_named_and_nothing_is_kept(keeper: Phone) -> None:
    """Taking an entry away that others rest on says which falls, and keeps the game as it was."""
    entry(keeper, 0)
    page = keeper.press("Remove this")
    assert "Entry 2 no longer holds" in page.text
    assert not page.has("Keep this")
    form = page.button("Remove this").form
    keeper.send(form.action, [*form.data, ("event", "keep")])
    assert keeper.answer.status_code == 422
    assert len(recorded(keeper)) == 4


def test_after_the_end_nothing_is_offered_to_record(phone: Phone, seat: Seat) -> None:
    """An entry that an amendment leaves behind the end of the game can only be removed."""
    seat(phone, DEAL[0], DEAL[1], players=["Anna", "Bo"])
    entry(phone, 0)
    page = phone.press("Anna: Leaves")
    assert "Entry 2 no longer holds" in page.text
    assert page.has("Remove this")
    assert not page.elements("button.cell")


def test_the_old_version_can_still_be_read(keeper: Phone) -> None:
    """The log tells what was recorded first and that it was amended."""
    entry(keeper, 3)
    keeper.press("Bo: Pair")
    keeper.press("Keep this")
    text = keeper.open(f"{keeper.table}/games/1/log").text
    assert "Cilla flush" in text
    assert "mended" in text
    assert "Bo pair" in text


def test_the_log_says_when_by_the_clock_on_the_wall(
    keeper: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When an entry was recorded, and when it was mended, in the server's time zone."""
    entry(keeper, 3)
    keeper.press("Bo: Pair")
    keeper.press("Keep this")
    # No place on Earth is as far off, so that no other time of the page looks like this one.
    monkeypatch.setenv("TZ", "XXX-13:30")
    time.tzset()
    now = datetime.now().astimezone()
    text = keeper.open(f"{keeper.table}/games/1/log").text
    monkeypatch.undo()
    time.tzset()
    clocks = [f"{now - timedelta(minutes=m):%H:%M}" for m in (0, 1)]
    assert sum(text.count(clock) for clock in clocks) == len(DEAL) + 1 + 1
