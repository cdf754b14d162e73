"""Pages of a phone that runs the score keeper itself: its unpushed changes, and more."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from flask.testing import FlaskClient

from app.http import context
from app.offline import replicas
from app.offline.exchange import Replica, read_people
from app.offline.phone import create_phone_app
from app.services.rows import read_rows
from tests.empty_database import copy_empty_database
from tests.web.pages import Page

OPENING = {"player": ["Anna", "Bo", "Cilla", "Dan"], "dealer": "0", "stake": "1", "key": "k" * 22}
PAIR = {"event": "best_hand", "player": "Anna", "hand": "pair"}
ENGLISH = {"Accept-Language": "en"}
NETWORK = "needs the network"


@pytest.fixture
def phone(tmp_path: Path) -> FlaskClient:
    """Return a phone that runs the score keeper itself."""
    path = copy_empty_database(tmp_path / "chicago.db")
    return create_phone_app(str(path)).test_client()


@pytest.fixture
def table(phone: FlaskClient) -> str:
    """Return the address of a table opened on the phone."""
    return phone.post("/", data=OPENING).headers["Location"]


def see(phone: FlaskClient, address: str) -> Page:
    """Return a page in English."""
    return Page(phone.get(address, headers=ENGLISH).text)


def line(page: Page) -> str:
    """Return the page's line about unpushed changes, empty where there is none."""
    found = page.soup.select_one("#only-here")
    return " ".join(found.text.split()) if found else ""


def record(phone: FlaskClient, table: str) -> None:
    """Record a fact."""
    data = {"seq": see(phone, table).seq, "event": msgspec.json.encode(PAIR)}
    assert phone.post(f"{table}/events", data=data).status_code == 303


def push(phone: FlaskClient, table: str) -> None:
    """Let the phone pull its own rows, as if the server had all of them."""
    with phone.application.app_context(), context.db().transaction() as connection:
        link = table.rpartition("/")[2]
        rows = read_rows(connection, 1, 0)
        copy = Replica(link, 0, len(rows), 0, read_people(connection, 1), rows=rows)
        replicas.follow(connection, 1, copy)


def test_every_page_says_what_is_only_here(phone: FlaskClient, table: str) -> None:
    """The line counts a table, then its entries; after the push it is gone."""
    assert line(see(phone, table)).startswith("1 table is saved here")
    record(phone, table)
    pages = (table, "/", "/tables", f"{table}/protocol", f"{table}/rules", "/t/none", "/offline")
    for address in pages:
        assert line(see(phone, address)).startswith("1 tap is saved here"), address
    push(phone, table)
    for address in pages:
        assert line(see(phone, address)) == "", address


def test_each_table_says_what_of_it_is_only_here(phone: FlaskClient, table: str) -> None:
    """The page about play without a network lists the table with its unpushed taps."""
    record(phone, table)
    told, file = see(phone, "/offline").soup.select("#waits li a")
    assert [told["href"], file["href"]] == [table, f"{table}/files"]
    assert list(told.stripped_strings) == ["Anna, Bo, Cilla, Dan", "the whole table, 1 tap"]
    push(phone, table)
    assert not see(phone, "/offline").soup.select("#waits")


def test_the_code_of_a_table_works_once_it_is_pushed(phone: FlaskClient, table: str) -> None:
    """The code can be shown before the push; the text beside it changes with the push."""
    assert "once the table has been handed over" in see(phone, f"{table}/join").text
    push(phone, table)
    assert "work where there is one" in see(phone, f"{table}/join").text
    assert not see(phone, f"{table}/join").has("Let somebody else write too")


ELSEWHERE = [
    *(f"POST TABLE{path}" for path in ("/pen", "/pen/back", "/recovery", "/recovery/off")),
    *("POST TABLE/files", "POST TABLE/forget", "POST /transfer", "POST /transfer/secret"),
    *("GET /transfer", "GET /transfer/secret", "GET /install", "POST /install"),
    "POST /start/secret",
]


@pytest.mark.parametrize("call", ELSEWHERE)
@pytest.mark.parametrize("htmx", [{}, {"HX-Request": "true"}], ids=["page", "sheet"])
def test_what_needs_others_says_so(
    phone: FlaskClient, table: str, call: str, htmx: dict[str, str]
) -> None:
    """The refusal says so, and names the help until then; no request fails."""
    method, path = call.replace("TABLE", table).split(" ")
    answer = phone.open(path, method=method, headers=ENGLISH | htmx, data={"seq": "1"})
    assert answer.status_code == (200 if method == "GET" else 422)
    page = Page(answer.text)
    assert (NETWORK in page.text, page.whole) == (True, not htmx)
    assert table in path or not [link for link in page.links if "/t/" in link.href]
    waits = json.loads(phone.get("/offline/status").text)
    assert (waits["waiting"], waits["held"]) == (1, [table.removeprefix("/t/")])


def test_a_table_that_is_not_here_says_so(phone: FlaskClient, table: str) -> None:
    """The page does not deny the table, of which this phone cannot know.

    What a home screen opens is the start as always, and how Chicago is played can be read.
    """
    led = phone.get("/start/some-secret", headers=ENGLISH)
    assert (led.status_code, led.headers["Location"]) == (303, "/")
    assert "5 points" in see(phone, "/how").text
    page = see(phone, "/t/AAAAAAAAAAAAAAAAAAAAAA")
    assert "This is not on this phone." in page.text
    assert page.has("The tables on this phone")
