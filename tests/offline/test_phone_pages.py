"""Pages of a phone that runs the score keeper itself: its unpushed changes, and more."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.offline import replicas
from app.offline.exchange import Replica, read_people
from app.services.rows import read_rows
from tests.offline.phones import ENGLISH, Browser
from tests.web.pages import Page

NETWORK = "needs the network"


@pytest.fixture
def phone(tmp_path: Path) -> Browser:
    """Return a phone that runs the score keeper itself."""
    return Browser(tmp_path)


@pytest.fixture
def link(phone: Browser) -> str:
    """Return the link of a table opened on the phone."""
    return phone.open_table()


def line(page: Page) -> str:
    """Return the page's line about unpushed changes, empty where there is none."""
    found = page.soup.select_one("#only-here")
    return " ".join(found.text.split()) if found else ""


def push(phone: Browser, link: str) -> None:
    """Let the phone pull its own rows, as if the server had all of them."""
    with phone.page() as db, db.transaction() as connection:
        rows = read_rows(connection, 1, 0)
        copy = Replica(link, 0, len(rows), 0, read_people(connection, 1), rows=rows)
        replicas.follow(connection, 1, copy)


def test_every_page_says_what_is_only_here(phone: Browser, link: str) -> None:
    """The line counts a table, then its entries; after the push it is gone."""
    assert line(phone.see(f"/t/{link}")).startswith("1 table is saved here")
    phone.tap(link, "Anna pair")
    pages = (
        f"/t/{link}",
        "/",
        "/tables",
        f"/t/{link}/protocol",
        f"/t/{link}/rules",
        "/t/none",
        "/offline",
    )
    for address in pages:
        assert line(phone.see(address)).startswith("1 tap is saved here"), address
    push(phone, link)
    for address in pages:
        assert line(phone.see(address)) == "", address


def test_each_table_says_what_of_it_is_only_here(phone: Browser, link: str) -> None:
    """The page about play without a network lists the table with its unpushed taps."""
    phone.tap(link, "Anna pair")
    told, file = phone.see("/offline").soup.select("#waits li a")
    assert [told["href"], file["href"]] == [f"/t/{link}", f"/t/{link}/files"]
    assert list(told.stripped_strings) == ["Anna, Bo, Cilla", "the whole table, 1 tap"]
    push(phone, link)
    assert not phone.see("/offline").soup.select("#waits")


def test_the_code_of_a_table_works_once_it_is_pushed(phone: Browser, link: str) -> None:
    """The code can be shown before the push; the text beside it changes with the push."""
    assert "once the table has been handed over" in phone.see(f"/t/{link}/join").text
    push(phone, link)
    assert "work where there is one" in phone.see(f"/t/{link}/join").text
    assert not phone.see(f"/t/{link}/join").has("Let somebody else write too")


ELSEWHERE = [
    *(f"POST TABLE{path}" for path in ("/pen", "/pen/back", "/recovery", "/recovery/off")),
    *("POST TABLE/files", "POST TABLE/forget", "POST /transfer", "POST /transfer/secret"),
    *("GET /transfer", "GET /transfer/secret", "GET /install", "POST /install"),
    "POST /start/secret",
]


@pytest.mark.parametrize("call", ELSEWHERE)
@pytest.mark.parametrize("htmx", [{}, {"HX-Request": "true"}], ids=["page", "sheet"])
def test_what_needs_others_says_so(
    phone: Browser, link: str, call: str, htmx: dict[str, str]
) -> None:
    """The refusal says so, and names the help until then; no request fails."""
    method, path = call.replace("TABLE", f"/t/{link}").split(" ")
    answer = phone.here.open(path, method=method, headers=ENGLISH | htmx, data={"seq": "1"})
    assert answer.status_code == (200 if method == "GET" else 422)
    page = Page(answer.text)
    assert (NETWORK in page.text, page.whole) == (True, not htmx)
    assert link in path or not [link for link in page.links if "/t/" in link.href]
    waits = json.loads(phone.here.get("/offline/status").text)
    assert (waits["waiting"], waits["held"]) == (1, [link])


def test_a_table_that_is_not_here_says_so(phone: Browser, link: str) -> None:
    """The page does not deny the table, of which this phone cannot know.

    What a home screen opens is the start as always, and how Chicago is played can be read.
    """
    led = phone.here.get("/start/some-secret", headers=ENGLISH)
    assert (led.status_code, led.headers["Location"]) == (303, "/")
    assert "5 points" in phone.see("/how").text
    page = phone.see("/t/AAAAAAAAAAAAAAAAAAAAAA")
    assert "This is not on this phone." in page.text
    assert page.has("The tables on this phone")
