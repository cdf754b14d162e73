"""The page of a conflict: what others wrote, mine behind it, and what came of it."""

from __future__ import annotations

from typing import Any

import pytest
from werkzeug.test import TestResponse

from tests.offline.phones import ENGLISH, Phone
from tests.offline.stories import Story
from tests.web.pages import Page


@pytest.fixture
def link(phone: Phone) -> str:
    """Return the link of a table with different later events on this phone and on the server."""
    told = ["begin", "here nobody, Bo trick, Cilla pair", "other Bo pair", "push 409"]
    return Story(phone).tell(told).link


def see(phone: Phone, link: str) -> Page:
    """Return the page."""
    return phone.see(f"/t/{link}/decide")


def fields(page: Page, *left_out: str) -> dict[str, Any]:
    """Return the fields of its form as a browser sends them, without those left out by place."""
    form = page.soup.select_one("form:has([name=seen])")
    assert form is not None
    taken = [tag["value"] for tag in form.select("[name=take][checked], [name=take][type=hidden]")]
    seen = form.select("[name=seen]")[0]["value"]
    return {"seen": seen, "take": [each for each in taken if each not in left_out]}


def send(phone: Phone, link: str, do: str, form: dict[str, Any] | None = None) -> TestResponse:
    """Press one of its buttons."""
    data = {"do": do, **(form or {})}
    return phone.here.post(f"/t/{link}/decide", data=data, headers=ENGLISH)


def scores(page: Page) -> list[str]:
    """Return the rows of the table of scores: a player, here, the others, becomes."""
    return [" ".join(row.text.split()) for row in page.soup.select("tbody tr")]


def test_it_shows_what_comes_of_it_and_what_does_not_fit(phone: Phone, link: str) -> None:
    """Scores from what to what, each of mine with its box, and the reason of what has no place."""
    page = see(phone, link)
    assert scores(page) == ["Anna 1 1 1", "Bo 5 1 6", "Cilla 1 0 1"]
    assert "That moment of deal 1 already has its entry." in page.text
    assert len(page.soup.select("[type=checkbox][checked]")) == 2
    looked = Page(send(phone, link, "look", fields(page, "1")).text)
    assert scores(looked)[1] == "Bo 5 1 1"
    assert "An entry is missing before this one" in looked.text
    assert len(fields(looked)["take"]) == 2
    assert phone.status()["waiting"] == 3


def test_afterwards_what_was_left_out_is_one_tap_from_its_place(phone: Phone, link: str) -> None:
    """The entry that has its place, or the score sheet at its deal; also after a change there."""
    assert send(phone, link, "add", fields(see(phone, link), "1")).status_code == 303
    page = see(phone, link)
    places = [tag["href"] for tag in page.soup.select(".conflicts a")]
    sheet = f"/t/{link}/games/1?deal=1#deal-1"
    assert places == [f"/t/{link}/games/1/entries/1", sheet, sheet]
    assert "Left out by you." in page.text
    for each in places:
        assert phone.here.get(each).status_code == 200
    phone.tap(link, "Bo trick")
    assert see(phone, link).soup.select(f'.conflicts a[href="/t/{link}/games/1/entries/2"]')


def test_a_second_tap_and_an_older_page_change_nothing(phone: Phone, link: str) -> None:
    """A page of other versions is shown anew, with the reason."""
    form = fields(see(phone, link))
    phone.tap(link, "nobody")
    for do in ("look", "add"):
        answer = send(phone, link, do, form)
        assert (answer.status_code, "Somebody else got there first" in answer.text) == (409, True)
    form = fields(see(phone, link))
    send(phone, link, "add", form)
    before = phone.view(link)
    assert "Yours now comes after theirs." in send(phone, link, "add", form).text
    assert phone.view(link) == before


@pytest.mark.parametrize("form", [{}, {"take": ["0", "x", "-1", "9" * 40]}, {"seen": "1 1"}])
def test_a_form_that_no_page_made_changes_nothing(
    phone: Phone, link: str, form: dict[str, Any]
) -> None:
    """It is answered with the page."""
    assert send(phone, link, "add", form).status_code == 409
    assert send(phone, link, "sing", form).status_code == 400
    assert phone.status()["waiting"] == 3
