"""A browser that keeps no cookies is told so before a table is made that it could not write at."""

from __future__ import annotations

from io import BytesIO

import pytest
from flask import Flask

from app.store.database import Database
from tests.web.conftest import NewPhone
from tests.web.evenings import links_to_send
from tests.web.pages import Page
from tests.web.phone import Phone, writes

TOLD = "This browser keeps no cookies"


@pytest.fixture(params=[False, True], ids=["plain", "htmx"])
def blocked(app: Flask, request: pytest.FixtureRequest) -> Phone:
    """Return a phone whose browser drops every cookie."""
    return Phone(app.test_client(use_cookies=False), request.param, "en")


def count_tables(db: Database) -> int:
    """Return the number of tables that were ever opened."""
    return db.connection.find_number("SELECT COUNT(*) FROM tables")


def start(phone: Phone) -> Page:
    """Fill the start form in, and begin."""
    phone.page.form("/").fill_each("player", ["Ada", "Bo", "Cy"])
    return phone.press("Start the game")


def test_no_table_is_made_without_a_pen(blocked: Phone, db: Database) -> None:
    """The form comes again as it was filled in, however often it is sent."""
    before = count_tables(db)
    blocked.open("/")
    for _ in range(2):
        page = start(blocked)
        assert blocked.answer.status_code == 422
        assert TOLD in page.text
        assert page.form("/").values("player")[:3] == ["Ada", "Bo", "Cy"]
    blocked.open("/files")
    file = {"file": (BytesIO(b"{}"), "a.json"), "kept": ""}
    assert TOLD in blocked.send("/files", file).text
    assert count_tables(db) == before


def test_who_allows_cookies_goes_on(blocked: Phone, new_phone: NewPhone) -> None:
    """The page that tells of it brings one."""
    blocked.open("/")
    start(blocked)
    allowing = new_phone()
    allowing.open("/")
    allowing.page = blocked.page
    start(allowing)
    assert writes(allowing, allowing.table)


def test_a_program_that_has_no_page_opens_a_table(app: Flask) -> None:
    """What keeps cookies and has not been here before is no browser that drops them."""
    client = app.test_client()
    answer = client.post("/", data={"player": ["Ada", "Bo"], "dealer": "0", "apart": "1"})
    assert answer.status_code == 303
    assert "/events" in client.get(answer.headers["Location"]).text


def test_no_link_is_used_up_for_nothing(blocked: Phone, keeper: Phone, new_phone: NewPhone) -> None:
    """One that gives the pen, a recovery link, and one that takes tables along."""
    for path, taken in links_to_send(keeper):
        other = new_phone()
        blocked.open(path)
        assert TOLD in blocked.press(taken).text
        assert blocked.answer.status_code == 422
        other.open(path)
        other.press(taken)
        assert writes(other, keeper.table)
