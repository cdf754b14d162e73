"""Two versions of a table: a page shows both, and what each of three ways would do."""

from __future__ import annotations

import pytest
from werkzeug.test import TestResponse

from tests.offline.phones import Phone
from tests.offline.test_conflicts import PLAYERS, write_there
from tests.services.keeper import NOBODY, best_hand, last_trick

ENGLISH = {"Accept-Language": "en"}


@pytest.fixture
def link(phone: Phone) -> str:
    """Return a table at which others wrote on the server while this phone went on without it."""
    link = phone.open_table(PLAYERS)
    phone.tap(link, best_hand("Anna"))
    phone.push()
    phone.refresh()
    for event in (NOBODY, last_trick("Bo"), best_hand("Cilla")):
        phone.tap(link, event)
    write_there(phone, link, best_hand("Bo"))
    assert phone.push() == [409]
    phone.refresh()
    return link


def test_the_page_of_what_is_only_here_leads_to_the_decision(phone: Phone, link: str) -> None:
    """As long as there is one."""
    assert f'href="/t/{link}/decide"' in phone.here.get("/offline").text
    choose(phone, link, "server")
    assert "/decide" not in phone.here.get("/offline").text


def choose(phone: Phone, link: str, way: str) -> TestResponse:
    """Go one way."""
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
    """It leads to the table, says what was done, and nothing is left to decide."""
    answer = choose(phone, link, way)
    assert answer.status_code == 303
    assert told in phone.here.get(answer.headers["Location"], headers=ENGLISH).text
    assert phone.status()["conflicts"] == []
    phone.push()
    assert phone.status()["waiting"] == 0


def test_a_second_tap_decides_nothing_again(phone: Phone, link: str) -> None:
    """It leads to the table as it was decided."""
    choose(phone, link, "add")
    before = phone.view(link)
    answer = choose(phone, link, "server")
    assert answer.headers["Location"] == f"/t/{link}"
    assert phone.view(link) == before
    assert phone.here.get(f"/t/{link}/decide").status_code == 303
