"""A browser that is its own server: everything carried out, nothing offered that takes another."""

import io
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from tests.offline.phones import ENGLISH, Browser
from tests.web.walk import Walk

# In English words, and in addresses of what they lead to.
PROMISES = ("network", "invite", "qr code", "scan", "hand over", "turn it off", "sent when")
ELSEWHERE = ("/join", "/pen", "/recovery", "/transfer", "/install")
GONE = {"what": "table", "sure": "yes"}


class Alone(Browser):
    """A browser without any server."""

    def events(self, link: str) -> int:
        """Return how many facts the newest game has."""
        return len(self.view(link).game.events)

    def save(self) -> bytes:
        """Save everything to a file."""
        answer = self.here.get("/everything.db")
        assert "attachment" in answer.headers["Content-Disposition"]
        content: bytes = answer.data
        return content

    def take_in(self, content: bytes) -> TestResponse:
        """Take a file in."""
        data = {"file": (io.BytesIO(content), "chicago.db")}
        return self.here.post("/offline", data=data, headers=ENGLISH)

    @property
    def tables(self) -> set[str]:
        """The links of the tables."""
        cards = self.see("/tables").soup.select("a.facts")
        return {str(card["href"]).partition("?")[0].removeprefix("/t/") for card in cards}


NewBrowser = Callable[[], Alone]


@pytest.fixture
def new_browser(tmp_path: Path) -> NewBrowser:
    """Return a function that makes browsers, each with nothing in it."""
    numbers = count()
    return lambda: Alone(tmp_path, next(numbers), alone=True)


@pytest.fixture
def browser(new_browser: NewBrowser) -> Alone:
    """Return a browser with nothing in it."""
    return new_browser()


def test_nothing_is_offered_that_takes_a_server(browser: Alone) -> None:
    """Along all links and buttons no page leads there or promises a network, and none is lost."""
    link = browser.open_table()
    browser.tap(link, "Anna 7, settled")
    assert browser.send(link, "/games").status_code == 303
    browser.tap(link, "Bo pair")
    walk = Walk(browser.here)
    walk.follow_all("/")
    assert len(walk.pages) > 40
    assert {status for status in walk.answers.values() if status >= 400} <= {409, 422}
    for address in walk.pages:
        assert not [place for place in ELSEWHERE if place in address], address
    below = (f"/t/{link}{page}" for page in ("", "/more", "/settings"))
    for path in ("/", "/tables", "/offline", "/rules", *below):
        words = browser.see(path).soup.get_text(" ").lower()
        assert [word for word in PROMISES if word in words] == [], path


def test_nothing_waits_and_a_finished_game_asks_to_be_saved(browser: Alone) -> None:
    """A release may take over; until everything is saved the start page asks for a file of it."""
    link, asks = browser.open_table(), "Keep a file of it?"
    for facts, is_asked in (("Anna pair", False), ("Anna 7, settled", True)):
        browser.tap(link, facts)
        assert (asks in browser.see("/").soup.text) is is_asked
    status = browser.status()
    assert (status["waiting"], status["only_here"]) == (0, [])
    browser.save()
    words = browser.see("/").soup.text
    assert (asks in words, "Everything in one file" in words) == (False, True)


def test_everything_goes_out_and_in_again(browser: Alone, new_browser: NewBrowser) -> None:
    """Tables with their games, people and debts, and the person goes on writing at them."""
    links = {browser.open_table() for _ in range(3)}
    for link in links:
        browser.tap(link, "Anna 7, settled")
    other = new_browser()
    own = other.open_table()
    assert other.take_in(browser.save()).status_code == 303
    assert "3 tables have been added" in other.see("/offline").soup.text
    assert other.tables == {*links, own}
    for link in links:
        pages = [each.see(f"/t/{link}/evening").text for each in (browser, other)]
        assert pages[0] == pages[1]
        assert "settle" in pages[0].lower() or "pays" in pages[0].lower()
    assert other.send(links.pop(), "/undo").status_code == 303


def test_a_table_that_was_deleted_comes_back_from_the_file(browser: Alone) -> None:
    """Under its link, and the others with it."""
    links = [browser.open_table() for _ in range(2)]
    browser.tap(links[0], "Anna 7, settled")
    content = browser.save()
    for link in links:
        assert browser.here.post(f"/t/{link}/forget", data=GONE).status_code == 303
    for _ in range(2):
        assert browser.take_in(content).status_code == 303
    assert browser.tables == {*links}
    assert browser.events(links[0]) == 2


def test_taken_in_again_a_file_changes_nothing_and_a_later_one_adds(
    browser: Alone, new_browser: NewBrowser
) -> None:
    """What is here beyond a file stays, and a file that goes on from here brings the rest.

    A table that went on in both becomes two once: neither loses anything.
    """
    link, other = browser.open_table(), new_browser()
    browser.tap(link, "Anna pair")
    first = browser.save()
    browser.tap(link, "Bo flush")
    later = browser.save()
    for content, events in ((first, 1), (later, 2), (first, 2), (later, 2)):
        assert other.take_in(content).status_code == 303
        assert other.events(link) == events
    assert other.tables == {link}
    browser.tap(link, "Anna trick, nobody")
    other.tap(link, "Cilla trick")
    for _ in range(2):
        assert other.take_in(browser.save()).status_code == 303
    (twin,) = other.tables - {link}
    assert (other.events(link), other.events(twin)) == (3, 4)


# What a file of everything may be spoilt by.
SPOILT = {
    "newer": "INSERT INTO _sqlite_migrations (migration_set, name, applied_at)"
    " VALUES ('log', 'm999', '')",
    "damaged": "UPDATE changes SET body = '{' WHERE table_id = 2",
}


@pytest.mark.parametrize("what", ["", "no database", "SQLite format 3\0" + "x" * 5000, *SPOILT])
def test_a_file_of_anything_else_is_refused_in_words(
    browser: Alone, new_browser: NewBrowser, tmp_path: Path, what: str
) -> None:
    """One of a newer version says so; of a damaged table no other comes; what is here stays."""
    other, content = new_browser(), what.encode()
    link = other.open_table()
    if what in SPOILT:
        for _ in range(2):
            browser.open_table()
        path = tmp_path / "spoilt.db"
        path.write_bytes(browser.save())
        with closing(sqlite3.connect(path)) as database, database:
            database.execute(SPOILT[what])
        content = path.read_bytes()
    answer = other.take_in(content)
    words = "made by a newer version" if what == "newer" else "not a file of everything"
    assert (answer.status_code, words in answer.text) == (422, True)
    assert other.tables == {link}


def test_forgetting_and_files_in_are_carried_out_here(browser: Alone) -> None:
    """Nobody else has the table: a name, a game and all of it can be let go, and games come in."""
    link = browser.open_table()
    browser.tap(link, "Anna 7, settled")
    games: bytes = browser.here.get(f"/t/{link}/games.zip").data
    assert json.loads(browser.here.get(f"/t/{link}/games/1.json").data)["players"]
    form = {"what": "name", "name": "Bo", "sure": "yes"}
    assert browser.here.post(f"/t/{link}/forget", data=form).status_code == 303
    assert "Bo" not in browser.see(f"/t/{link}/people").soup.text
    for path in (f"/t/{link}/files", "/files"):
        file = {"seq": str(browser.view(link).seq), "file": (io.BytesIO(games), "games.zip")}
        assert browser.here.post(path, data=file).status_code == 303
    assert browser.here.post(f"/t/{link}/forget", data=GONE).status_code == 303
    assert browser.here.get(f"/t/{link}").status_code == 404
