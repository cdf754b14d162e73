"""A browser that is its own server: everything carried out, nothing offered that takes another."""

from __future__ import annotations

import io
import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from app.http.application import Application
from app.offline.phone import create_phone_app
from tests.empty_database import copy_empty_database
from tests.rules.table import write_facts
from tests.web.pages import Page
from tests.web.walk import Walk

OPENING = {"player": ["Anna", "Bo", "Cilla"], "dealer": "0", "stake": "1", "apart": "1"}
ENGLISH = {"Accept-Language": "en"}
# In English words, and in addresses of what they lead to.
PROMISES = ("network", "invite", "qr code", "scan", "hand over", "turn it off", "sent when")
ELSEWHERE = ("/join", "/pen", "/recovery", "/transfer", "/install")
NewBrowser = Callable[[], FlaskClient]


@pytest.fixture
def new_browser(tmp_path: Path) -> Iterator[NewBrowser]:
    """Return a function that makes browsers, each with nothing in it."""
    made: list[Application] = []

    def open_one() -> FlaskClient:
        path = copy_empty_database(tmp_path / str(len(made)) / "chicago.db")
        made.append(create_phone_app(str(path), ALONE=True, PROPAGATE_EXCEPTIONS=True))
        return made[-1].test_client()

    yield open_one
    for app in made:
        app.close()


@pytest.fixture
def browser(new_browser: NewBrowser) -> FlaskClient:
    """Return a browser with nothing in it."""
    return new_browser()


def see(browser: FlaskClient, address: str) -> Page:
    """Return a page in English."""
    return Page(browser.get(address, headers=ENGLISH).text)


def open_table(browser: FlaskClient) -> str:
    """Open a table, and return its address."""
    return browser.post("/", data=OPENING).headers["Location"]


def play(browser: FlaskClient, table: str, facts: str) -> None:
    """Record facts."""
    for event in write_facts(facts):
        data = {"seq": see(browser, table).seq, "event": json.dumps(event)}
        assert browser.post(f"{table}/events", data=data).status_code == 303


def events(browser: FlaskClient, table: str) -> int:
    """Return how many facts the newest game has."""
    return len(json.loads(browser.get(f"{table}/games/1.json").data)["events"])


def save(browser: FlaskClient) -> bytes:
    """Save everything to a file."""
    answer = browser.get("/everything.db")
    assert "attachment" in answer.headers["Content-Disposition"]
    content: bytes = answer.data
    return content


def take_in(browser: FlaskClient, content: bytes) -> TestResponse:
    """Take a file in."""
    data = {"file": (io.BytesIO(content), "chicago.db")}
    return browser.post("/offline", data=data, headers=ENGLISH)


def list_tables(browser: FlaskClient) -> set[str]:
    """Return the addresses of the tables."""
    cards = see(browser, "/tables").soup.select("a.facts")
    return {str(card["href"]).partition("?")[0] for card in cards}


def test_nothing_is_offered_that_takes_a_server(browser: FlaskClient) -> None:
    """Along all links and buttons no page leads there or promises a network, and none is lost."""
    table = open_table(browser)
    play(browser, table, "Anna 7, settled")
    assert browser.post(f"{table}/games", data={"seq": see(browser, table).seq}).status_code == 303
    play(browser, table, "Bo pair")
    walk = Walk(browser)
    walk.follow_all("/")
    assert len(walk.pages) > 40
    refused = {address: status for address, status in walk.answers.items() if status >= 400}
    assert set(refused.values()) <= {409, 422}
    for address in walk.pages:
        assert not [place for place in ELSEWHERE if place in address], address
    for path in ["/", "/tables", "/offline", "/rules", table, f"{table}/more", f"{table}/settings"]:
        words = see(browser, path).soup.get_text(" ").lower()
        assert [word for word in PROMISES if word in words] == [], path


def test_one_line_says_what_takes_a_server_and_where_files_are(browser: FlaskClient) -> None:
    """Who comes there by an old address is told as much."""
    words = see(browser, "/offline").soup.get_text(" ")
    assert "handing over the pen and links need a server" in " ".join(words.split())
    assert "where it puts all downloads" in words
    table = open_table(browser)
    answer = browser.get(f"{table}/join", headers=ENGLISH)
    assert "needs a server" in answer.text
    assert browser.get("/t/nowhere", headers=ENGLISH).status_code == 404


def test_nothing_waits_so_that_a_release_may_take_over(browser: FlaskClient) -> None:
    """What was recorded is nowhere else, and goes nowhere."""
    play(browser, open_table(browser), "Anna pair")
    status = browser.get("/offline/status").get_json()
    assert (status["waiting"], status["only_here"], status["line"]) == (0, [], "")
    assert status["schema"] > 5


def test_the_start_page_asks_about_an_evening_that_was_never_saved(browser: FlaskClient) -> None:
    """From a finished game on, until everything is saved, and again after the next."""
    table, asks = open_table(browser), "Keep a file of it?"
    play(browser, table, "Anna pair")
    assert asks not in see(browser, "/").soup.text
    play(browser, table, "Anna 7, settled")
    assert asks in see(browser, "/").soup.text
    save(browser)
    assert asks not in see(browser, "/").soup.text
    assert "Everything in one file" in see(browser, "/").soup.text


def test_everything_goes_out_and_in_again(browser: FlaskClient, new_browser: NewBrowser) -> None:
    """Tables with their games, people and debts, and the person goes on writing at them."""
    tables = {open_table(browser) for _ in range(3)}
    for table in tables:
        play(browser, table, "Anna 7, settled")
    other = new_browser()
    own = open_table(other)
    answer = take_in(other, save(browser))
    assert answer.status_code == 303
    assert "3 tables have been added" in see(other, "/offline").soup.text
    assert list_tables(other) == {*tables, own}
    for table in tables:
        pages = [each.get(f"{table}/evening", headers=ENGLISH).text for each in (browser, other)]
        assert pages[0] == pages[1]
        assert "settle" in pages[0].lower() or "pays" in pages[0].lower()
    table = tables.pop()
    assert other.post(f"{table}/undo", data={"seq": see(other, table).seq}).status_code == 303


def test_a_table_that_was_deleted_comes_back_from_the_file(browser: FlaskClient) -> None:
    """Under its link, and the others with it."""
    table, other = open_table(browser), open_table(browser)
    play(browser, table, "Anna 7, settled")
    content = save(browser)
    for each in (table, other):
        gone = {"what": "table", "sure": "yes"}
        assert browser.post(f"{each}/forget", data=gone).status_code == 303
    for _ in range(2):
        assert take_in(browser, content).status_code == 303
    assert list_tables(browser) == {table, other}
    assert events(browser, table) == 2


def test_taken_in_again_a_file_changes_nothing_and_a_later_one_adds(
    browser: FlaskClient, new_browser: NewBrowser
) -> None:
    """What is here beyond a file stays, and a file that goes on from here brings the rest."""
    table, other = open_table(browser), new_browser()
    play(browser, table, "Anna pair")
    first = save(browser)
    play(browser, table, "Bo flush")
    later = save(browser)
    for content, count in ((first, 1), (later, 2), (first, 2), (later, 2)):
        assert take_in(other, content).status_code == 303
        assert events(other, table) == count
    assert list_tables(other) == {table}


def test_a_table_that_went_on_in_both_becomes_two_once(
    browser: FlaskClient, new_browser: NewBrowser
) -> None:
    """Neither loses anything, however often the file is taken in."""
    table, other = open_table(browser), new_browser()
    play(browser, table, "Anna pair")
    take_in(other, save(browser))
    play(browser, table, "Bo flush, Anna trick")
    play(other, table, "Cilla straight")
    for _ in range(2):
        assert take_in(other, save(browser)).status_code == 303
    (twin,) = list_tables(other) - {table}
    assert (events(other, table), events(other, twin)) == (2, 3)


# What a file of everything may be spoilt by.
SPOILT = {
    "newer": "INSERT INTO _sqlite_migrations (migration_set, name, applied_at)"
    " VALUES ('log', 'm999', '')",
    "damaged": "UPDATE changes SET body = '{' WHERE table_id = 2",
}


@pytest.mark.parametrize("what", ["", "no database", "SQLite format 3\0" + "x" * 5000, *SPOILT])
def test_a_file_of_anything_else_is_refused_in_words(
    browser: FlaskClient, new_browser: NewBrowser, tmp_path: Path, what: str
) -> None:
    """One of a newer version says so; of a damaged table no other comes; what is here stays."""
    other, content = new_browser(), what.encode()
    table = open_table(other)
    if what in SPOILT:
        for _ in range(2):
            open_table(browser)
        path = tmp_path / "spoilt.db"
        path.write_bytes(save(browser))
        with closing(sqlite3.connect(path)) as database, database:
            database.execute(SPOILT[what])
        content = path.read_bytes()
    answer = take_in(other, content)
    assert answer.status_code == 422
    words = "made by a newer version" if what == "newer" else "not a file of everything"
    assert words in answer.text
    assert list_tables(other) == {table}


def test_forgetting_and_files_in_are_carried_out_here(browser: FlaskClient) -> None:
    """Nobody else has the table: a name, a game and all of it can be let go, and games come in."""
    table = open_table(browser)
    play(browser, table, "Anna 7, settled")
    games = browser.get(f"{table}/games.zip").data
    name = {"what": "name", "name": "Bo", "sure": "yes"}
    assert browser.post(f"{table}/forget", data=name).status_code == 303
    assert "Bo" not in see(browser, f"{table}/people").soup.text
    data = {"seq": see(browser, table).seq, "file": (io.BytesIO(games), "games.zip")}
    assert browser.post(f"{table}/files", data=data).status_code == 303
    gone = {"what": "table", "sure": "yes"}
    assert browser.post(f"{table}/forget", data=gone).status_code == 303
    assert browser.get(table).status_code == 404
    opened = browser.post("/files", data={"file": (io.BytesIO(games), "games.zip")})
    assert opened.status_code == 303
