"""A player joins during a game: the link to the form, the form, and the table afterwards."""

from __future__ import annotations

import pytest
from flask import Flask

from tests.web.conftest import Seat
from tests.web.pages import Page, words
from tests.web.phone import Phone


def comings(phone: Phone) -> Page:
    """Open the sheet of players who join or leave."""
    return phone.open(f"{phone.table}/comings")


def form(phone: Phone) -> Page:
    """Open the form for a latecomer."""
    return phone.open(f"{phone.table}/latecomer")


def heads(phone: Phone) -> list[tuple[str, str]]:
    """Return the names of the heads, each with its score."""
    phone.home()
    found = phone.page.soup.select(".head")
    return [(words(h.select(".name")[0]), words(h.select(".score")[0])) for h in found]


def test_the_lowest_of_those_who_play_is_offered(phone: Phone, seat: Seat) -> None:
    """A player who has left is not counted."""
    seat(phone, "Bo 9, Cilla 9, Dan 9, Anna leaves")
    assert form(phone).form(f"{phone.table}/events").values("begins") == ["9"]


def test_known_names_are_a_tap_away(phone: Phone, seat: Seat, app: Flask) -> None:
    """The names are those of this table that have no seat in this game; other groups' are none."""
    seat(phone, players=["Ines", "Anna"])
    seat(phone, "settled")
    form_of_next = {"player": ["Anna", "Bo"], "dealer": "0", "preset": "pagat", "stake": "1"}
    seq = phone.home().seq
    phone.client.post(f"{phone.table}/next", data={**form_of_next, "seq": seq})
    page = form(phone)
    known = [each["value"] for each in page.elements("input[name=known]")]
    assert known == ["Cilla", "Dan"]
    phone.fill(known="Dan", after="Anna")
    phone.press("Sit down")
    assert [name for name, _ in heads(phone)] == ["Anna", "Dan", "Bo"]


def test_during_a_deal_it_is_said_when(either: Phone, seat: Seat) -> None:
    """Sheet and form say so, without a link or button; a form opened before keeps its text."""
    seat(either, "nobody")
    told = "This deal has begun: somebody can join when it is over."
    page = comings(either)
    assert told in page.text
    assert not page.has("Somebody joins…")
    page = form(either)
    assert told in page.text
    assert not page.has("Sit down")
    seq = either.home().seq
    fields = {"seq": seq, "event": "joins", "name": "Eva", "after": "Bo", "begins": "4"}
    page = either.send(f"{either.table}/events", fields)
    assert either.answer.status_code == 422
    assert told in page.announcement
    assert page.form(f"{either.table}/events").values("name") == ["Eva"]


# Lists of the players.


@pytest.fixture
def joined(seat: Seat, phone: Phone) -> Phone:
    """Return the keeper's phone of a table where Eva joined in the second deal and has won."""
    return seat(phone, "deal Bo, Eva joins Anna 30, Eva flush", rules={"preset": "pagat"})
