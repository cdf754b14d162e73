"""The decision page of a conflict: both versions, and the outcome of each of three ways."""

from __future__ import annotations

import pytest
from werkzeug.test import TestResponse

from tests.offline.phones import Phone
from tests.offline.test_conflicts import write_there

ENGLISH = {"Accept-Language": "en"}


@pytest.fixture
def link(phone: Phone) -> str:
    """Return the link of a table with different later events on this phone and on the server."""
    link = phone.open_table()
    phone.tap(link, "Anna pair")
    phone.push()
    phone.refresh()
    phone.tap(link, "nobody, Bo trick, Cilla pair")
    write_there(phone, link, "Bo pair")
    assert phone.push() == [409]
    phone.refresh()
    return link


def test_the_page_of_what_is_only_here_leads_to_the_decision(phone: Phone, link: str) -> None:
    """The link is there as long as there is a conflict."""
    assert f'href="/t/{link}/decide"' in phone.here.get("/offline").text
    choose(phone, link, "server")
    assert "/decide" not in phone.here.get("/offline").text


def choose(phone: Phone, link: str, way: str) -> TestResponse:
    """Choose one of the ways."""
    return phone.here.post(f"/t/{link}/decide", data={"do": way}, headers=ENGLISH)


@pytest.mark.parametrize(
    ("way", "told"),
    [
        ("add", "What was written here has been added."),
        ("own", "This is a table of its own now."),
        ("server", "The other version counts."),
    ],
)
def test_the_way_that_is_chosen_is_gone(phone: Phone, link: str, way: str, told: str) -> None:
    """The phone is redirected to the table, with a message, and has nothing left to decide."""
    answer = choose(phone, link, way)
    assert answer.status_code == 303
    assert told in phone.here.get(answer.headers["Location"], headers=ENGLISH).text
    assert phone.status()["conflicts"] == []
    phone.push()
    assert phone.status()["waiting"] == 0


def test_a_second_tap_decides_nothing_again(phone: Phone, link: str) -> None:
    """The phone is redirected to the table, which stays as decided."""
    choose(phone, link, "add")
    before = phone.view(link)
    answer = choose(phone, link, "server")
    assert answer.headers["Location"] == f"/t/{link}"
    assert phone.view(link) == before
    assert phone.here.get(f"/t/{link}/decide").status_code == 303
