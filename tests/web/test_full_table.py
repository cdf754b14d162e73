"""A full table: reported in words on the page and by the API, and each of its pages is quick."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable
from datetime import timedelta
from operator import sub

import pytest

from app.http.application import Application
from app.rules.gamefile import read_game
from app.services import bounds
from app.store import clock
from tests.full_table import AN_EVENING, BEGAN, fill_table
from tests.long_games import long_game
from tests.web.conftest import Seat
from tests.web.phone import Phone


def test_a_full_table_says_so(either: Phone, seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page shows the table as it stands, and the API returns the same message."""
    seat(either, "nobody")
    monkeypatch.setattr(bounds, "MAX_ENTRIES", 1)
    either.press("Anna: Pair")
    assert either.answer.status_code == 422
    words = "This table is full: it holds 1 entries; start a new table for the next evening."
    assert either.page.announcement == words
    assert either.home().seq == "2"
    answer = either.client.post(
        f"/api{either.table.replace('/t/', '/tables/')}/events", json={"event": "no_best_hand"}
    )
    assert answer.status_code == 422
    assert answer.get_json()["error"] == {"code": "not_allowed", "message": words}


# Others wait for a page at most so many times the floor: where that takes 20 ms, 160.
MOST_FLOORS = 8


def cost(act: Callable[[], object], enough: float = 0) -> float:
    """Return the longest processor time, in seconds, in which something lets nobody else be served.

    It is the smaller of two where one is more.
    """
    least = math.inf
    for _ in range(2):
        if least > enough:
            at = [time.process_time()]
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(clock, "give_way", lambda at=at: at.append(time.process_time()))
                act()
            at.append(time.process_time())
            least = min(least, max(map(sub, at[1:], at)))
    return least


def floor() -> object:
    """Play a long game: that takes the engine as long on any day as on this one."""
    return read_game(long_game([f"P{seat}" for seat in range(8)], 390)).states()


def pages_of(app: Application, link: str) -> list[str]:
    """Return the address of every page of a table, of its newest game and a long gone evening.

    Games are searched for as many words as may be, beyond the last page.
    """
    known = {"link": link, "number": bounds.MAX_GAMES, "day": "2006-01-05"}
    address = app.url_map.bind("localhost")
    searches = [
        f"/t/{link}/games?page=9999&q={'+'.join(words)}" for words in ("2" * 8, "2" * 7 + "z")
    ]
    return searches + [
        address.build(rule.endpoint, {name: known[name] for name in rule.arguments})
        for rule in app.url_map.iter_rules()
        if "GET" in (rule.methods or ()) and {"link"} <= rule.arguments <= known.keys()
        # A stream has no end, and others are served while all games are packed.
        if not rule.rule.startswith("/api/") and not rule.rule.endswith(("/live", "/games.zip"))
    ]


def test_every_page_of_a_full_table_is_quick(alone: Application) -> None:
    """Everything runs in one thread: what a table may hold is so little that no page takes long."""
    table = fill_table(alone.database)
    phone, most = alone.test_client(), MOST_FLOORS * cost(floor)

    def look(page: str) -> None:
        alone.rendered.clear()
        alone.database.connection.ledgers.clear()
        assert phone.get(page).status_code in (200, 301, 303, 404), page

    gc.disable()
    costs = {page: cost(lambda page=page: look(page), most) for page in pages_of(alone, table.link)}  # type: ignore[misc]  # a page each
    gc.enable()
    assert len(costs) > 30
    assert {page: took / most for page, took in costs.items() if took > most} == {}
    # Nor is the picture large, which takes as long to paint, of an evening with many debts.
    newest = BEGAN + timedelta(weeks=bounds.MAX_GAMES // AN_EVENING)
    drawn = phone.get(f"/t/{table.link}/evening/{newest.date()}/picture.svg").text
    assert 'height="1600"' in drawn
