"""The answer to a stuffed form is a page plus at most a few times the length of the request."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.http.bodies import FORM
from tests.hard.cases import FORMS, find_unlisted, stuffed, write_address
from tests.web.conftest import Seat
from tests.web.phone import Phone

MOST_TIMES = 4


@pytest.fixture
def link(seat: Seat, phone: Phone) -> str:
    """Return the link of a table where the phone writes and the only game is over."""
    return seat(phone, "settled").table.removeprefix("/t/")


def send(client: FlaskClient, address: str, body: str) -> int:
    """Send a form; return the length of the answer."""
    assert len(body) <= FORM
    headers = {"Sec-Fetch-Site": "same-origin"}
    kind = "application/x-www-form-urlencoded"
    answer = client.post(address, data=body, content_type=kind, headers=headers)
    assert answer.status_code < 500
    return len(answer.data)


@pytest.mark.parametrize("endpoint", FORMS)
def test_a_stuffed_form_is_answered_with_little(
    app: Flask, phone: Phone, link: str, endpoint: str
) -> None:
    """The fields hold long texts of characters that are escaped, or thousands of texts each."""
    rest, fields = FORMS[endpoint]
    [rule] = [each for each in app.url_map.iter_rules(endpoint) if "POST" in (each.methods or ())]
    address = write_address(rule, link=link)
    rest = rest.replace("LINK", link).replace("NAME", "Anna")
    page = send(phone.client, address, rest)
    for body in stuffed(fields, rest):
        assert len(body) > FORM * 0.9
        assert send(phone.client, address, body) <= page + MOST_TIMES * len(body)


def test_every_route_is_in_the_listing(app: Flask) -> None:
    """So that it is stuffed here, and played with its dearest case in the long run."""
    assert find_unlisted(app) == []


def test_too_many_seats_are_refused_in_words(phone: Phone) -> None:
    """The form keeps twice the largest number of seats, and the fault is named."""
    page = phone.send("/", {"player": [f"{n}" for n in range(5000)], "preset": "vanlig"})
    assert phone.answer.status_code == 422
    assert "played by two to eight" in page.announcement
    assert page.form("/").values("player") == [f"{n}" for n in range(16)]
