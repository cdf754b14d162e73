"""One payment: the ways to make it, the code that opens Swish, and the tick that counts."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from flask import Flask

from app.i18n.language import get_language
from app.store.clock import evening_of, now
from tests.web.conftest import NewPhone, Seat
from tests.web.evenings import next_game, read_code, won
from tests.web.pages import Page
from tests.web.phone import Phone

NUMBER = "070-123 45 67"
KEPT = "0701234567"


def owing(seat: Seat, phone: Phone, points: int = 5, stake_ore: int = 150) -> Page:
    """Return the page of what Bo owes Anna."""
    seat(phone, *won("Anna", points), players=["Anna", "Bo"], stake_ore=stake_ore)
    phone.open(f"{phone.table}/evening")
    return phone.open(next(link.href for link in phone.page.links if "/pay/" in link.href))


def told_number(phone: Phone) -> Page:
    """Type Anna's number and return the page with the code."""
    phone.fill(number=NUMBER)
    return phone.press("Show a code")


@pytest.mark.parametrize(
    ("label", "how"),
    [
        ("Paid with Swish", "7.50 kr with Swish"),
        ("Paid in cash", "7.50 kr in cash"),
        ("Paid in cash, whole kronor: 8 kr", "8 kr in cash Anna → Bo 0.50 kr rounding"),
        ("Paid another way", "7.50 kr paid"),
        ("Cancel the debt", "7.50 kr debt cancelled"),
    ],
)
def test_a_payment_is_ticked_by_hand(seat: Seat, phone: Phone, label: str, how: str) -> None:
    """Ticked, it stands among what was paid, with the way, and nothing is left."""
    owing(seat, phone)
    page = phone.press(label)
    assert phone.answer.status_code == 303
    assert f"Bo → Anna {how}" in page.text.replace("\N{NO-BREAK SPACE}", " ")
    assert "Nobody owes anything." in page.text


def test_a_payment_already_made_has_nothing_to_pay(seat: Seat, phone: Phone) -> None:
    """Its page says so, shows no number, and another tick is refused."""
    owing(seat, phone)
    told_number(phone)
    where = f"{phone.table}/evening/pay/2-1"
    button = phone.page.button("Paid in cash")
    phone.press("Paid with Swish")
    page = phone.open(where)
    assert "There is nothing to pay here now." in page.text
    assert NUMBER not in page.html
    phone.submit(button)
    assert phone.answer.status_code == 409


def test_the_code_opens_swish_with_everything_filled_in(seat: Seat, phone: Phone) -> None:
    """Another program reads the number, the amount and the message from the code on the page."""
    owing(seat, phone)
    page = told_number(phone)
    address = urlsplit(read_code(page))
    assert (address.scheme, address.netloc, address.path) == (
        "https",
        "app.swish.nu",
        "/1/p/sw/",
    )
    day = get_language("en").short_day(evening_of(now()))
    assert parse_qs(address.query, strict_parsing=True) == {
        "sw": [KEPT],
        "amt": ["7.5"],
        "cur": ["SEK"],
        "msg": [f"Chicago {day}"],
        "edit": ["amt,msg"],
        "src": ["qr"],
    }
    assert "%20" in address.query
    assert "+" not in address.query


def test_a_number_is_deleted(seat: Seat, phone: Phone) -> None:
    """Deleted it is gone from the page and from the database."""
    owing(seat, phone)
    told_number(phone)
    page = phone.press("Delete the number")
    assert KEPT not in page.html
    assert page.has("Show a code")


def test_a_number_is_shown_on_its_payment_only(
    app: Flask, seat: Seat, phone: Phone, caplog: pytest.LogCaptureFixture
) -> None:
    """No other page, file or answer holds it, no address of ours, and no log."""
    owing(seat, phone)
    told_number(phone)
    assert KEPT not in phone.answer.headers.get("Location", "")
    assert KEPT not in phone.answer.request.path
    for address in ("", "/evening", "/people", "/more", "/games/1.json", "/protocol", "/join"):
        answer = phone.client.get(phone.table + address, headers=phone.headers)
        assert answer.status_code == 200
        assert KEPT not in answer.text
        assert NUMBER not in answer.text
    settled = phone.client.get(f"/api/tables/{phone.table.removeprefix('/t/')}/settlement")
    assert KEPT not in settled.text
    assert KEPT not in caplog.text


def test_a_number_is_for_one_person_at_one_table(
    app: Flask, seat: Seat, phone: Phone, new_phone: NewPhone
) -> None:
    """Another table's Anna has no number, nor has Bo when Anna owes him."""
    owing(seat, phone)
    told_number(phone)
    other = new_phone()
    assert owing(seat, other).has("Show a code")
    phone.press("Paid with Swish")
    next_game(app, phone, *won("Bo", 9))
    page = phone.open(f"{phone.table}/evening/pay/1-2")
    assert page.title == "Anna → Bo"
    assert KEPT not in page.html


def test_only_the_pen_sets_a_number_and_ticks(
    seat: Seat, phone: Phone, new_phone: NewPhone
) -> None:
    """A reader sees the code to pay by, and can neither tick nor change where the money goes."""
    owing(seat, phone)
    told_number(phone)
    where, reader = f"{phone.table}/evening/pay/2-1", new_phone()
    page = reader.open(where)
    assert read_code(page)
    assert page.buttons == []
    for address, sent in ((where, {"way": "cash", "amount": "1"}), (f"{where}/number", {})):
        reader.send(address, {"seq": "1", "number": "0709999999", **sent})
        assert reader.answer.status_code == 401
    assert KEPT in phone.open(where).html


@pytest.mark.parametrize(
    ("points", "stake", "said"),
    [(1, 99, "takes no less than 1 krona"), (100, 1_000_000, "takes less than a million kronor")],
)
def test_what_swish_does_not_take_is_said(
    seat: Seat, phone: Phone, points: int, stake: int, said: str
) -> None:
    """There is no code to show then."""
    page = owing(seat, phone, points, stake)
    assert not page.has("Show a code")
    assert f"Swish {said}" in page.text


@pytest.mark.parametrize("pair", ["1-3", "0-1"])
def test_nobody_pays_a_stranger(seat: Seat, phone: Phone, pair: str) -> None:
    """A number that is nobody's has no page."""
    owing(seat, phone)
    phone.open(f"{phone.table}/evening/pay/{pair}")
    assert phone.answer.status_code == 404
