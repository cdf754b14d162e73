"""The answer to a stuffed form is a page plus at most a few times the length of the request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from urllib.parse import quote

import pytest
from flask.testing import FlaskClient

from app import LARGEST_BODY
from app.rules.presets import PRESETS
from app.web.rule_form import fill_form
from tests.web.conftest import Seat
from tests.web.phone import Phone

MOST_TIMES = 4
SETUP = ("player", "name", "stake", "preset", "own", "dealer", "do")
# Each form, the other fields it needs to be read, and the fields that are stuffed.
FORMS = {
    "/": ("", SETUP),
    "/rules": ("do=look", ("before",)),
    "/t/LINK/next": ("", (*SETUP, "seq")),
    "/t/LINK/rules/change": ("do=look", ("target.other", "target.was")),
    "/t/LINK/events": ("event=correction", ("seq", "player", "points", "event")),
    "/t/LINK/undo": ("", ("seq",)),
    "/t/LINK/games/1/mend": ("event=correction", ("draft", "at", "player", "points", "gap")),
    "/t/LINK/forget": ("what=name&name=Anna", ("before",)),
    "/t/LINK/people": ("name=1&into=2", ("name", "into", "do")),
    "/t/LINK/evening/all": ("way=cash", ("way", "seq")),
    "/t/LINK/evening/undo": ("", ("settlement", "seq")),
    "/t/LINK/evening/pay/1-2": ("way=cash", ("amount", "way", "seq")),
    "/t/LINK/evening/pay/1-2/number": ("", ("number", "do", "seq")),
    "/t/LINK/files": ("", ("name", "file")),
    "/files": ("", ("name", "file")),
    "/language": ("", ("code", "next", "lang")),
}


@pytest.fixture
def link(seat: Seat, phone: Phone) -> str:
    """Return the link of a table where the phone writes and the only game is over."""
    return seat(phone, "settled").table.removeprefix("/t/")


def send(client: FlaskClient, address: str, body: str) -> int:
    """Send a form; return the length of the answer."""
    assert len(body) <= LARGEST_BODY
    headers = {"Sec-Fetch-Site": "same-origin"}
    kind = "application/x-www-form-urlencoded"
    answer = client.post(address, data=body, content_type=kind, headers=headers)
    assert answer.status_code < 500
    return len(answer.data)


def stuffed(fields: Iterable[str], rest: str) -> Iterator[str]:
    """Yield the largest bodies for some fields: with long texts, and with many texts."""
    names = [quote(field) for field in fields]
    room = LARGEST_BODY - len(rest) - 1
    for text in ("'" * (room // len(names) - max(map(len, names)) - 2), "", "'"):
        once = "&".join(f"{name}={text}" for name in names)
        yield "&".join([once] * (room // (len(once) + 1)) + [rest])


def check(client: FlaskClient, address: str, rest: str, fields: Iterable[str]) -> None:
    """Fail if the answer to a stuffed form is much longer than the request."""
    page = send(client, address, rest)
    for body in stuffed(fields, rest):
        assert len(body) > LARGEST_BODY * 0.9
        assert send(client, address, body) <= page + MOST_TIMES * len(body)


@pytest.mark.parametrize("form", FORMS)
def test_a_stuffed_form_is_answered_with_little(phone: Phone, link: str, form: str) -> None:
    """The fields hold long texts of characters that are escaped, or thousands of texts each."""
    rest, fields = FORMS[form]
    check(phone.client, form.replace("LINK", link), rest, fields)


def test_stuffed_house_rules_are_answered_with_little(phone: Phone) -> None:
    """The limit holds for every kind of control."""
    check(phone.client, "/rules", "do=look", fill_form(PRESETS["vanlig"]))


def test_too_many_seats_are_refused_in_words(phone: Phone) -> None:
    """The form keeps twice the largest number of seats, and the fault is named."""
    page = phone.send("/", {"player": [f"{n}" for n in range(5000)], "preset": "vanlig"})
    assert phone.answer.status_code == 422
    assert "played by two to eight" in page.announcement
    assert page.form("/").values("player") == [f"{n}" for n in range(16)]
