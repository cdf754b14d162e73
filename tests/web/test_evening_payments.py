"""One payment: its ways, the code that opens Swish, and the tick that records it."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from flask import Flask

from app.i18n.language import get_language
from app.store.clock import this_evening
from tests.web.conftest import NewPhone, Seat
from tests.web.evenings import next_game, plain, read_code, won
from tests.web.pages import Page
from tests.web.phone import Phone

NUMBER = "070-123 45 67"
KEPT = "0701234567"


def owing(seat: Seat, phone: Phone, points: int = 5, stake_ore: int = 150) -> Page:
    """Return the page of the payment that Bo owes Anna."""
    seat(phone, *won("Anna", points), players=["Anna", "Bo"], stake_ore=stake_ore)
    phone.open(f"{phone.table}/evening")
    return phone.open(next(link.href for link in phone.page.links if "/pay/" in link.href))


@pytest.fixture
def numbered(seat: Seat, phone: Phone) -> Phone:
    """Return a phone that has typed Anna's number, and shows Bo the code to pay her."""
    owing(seat, phone)
    phone.fill(number=NUMBER)
    phone.press("Show a code")
    return phone


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
    """A ticked payment is listed with its way, and nothing is left to settle."""
    owing(seat, phone)
    page = phone.press(label)
    assert phone.answer.status_code == 303
    assert f"Bo → Anna {how}" in plain(page)
    assert "Nobody owes anything." in page.text


def test_the_page_begins_with_swish_and_ends_with_what_is_rare(seat: Seat, phone: Phone) -> None:
    """The number or the code stands first; a part, another way and letting it go come below."""
    labels = [button.label for button in owing(seat, phone).buttons]
    assert labels == [
        *("Show a code", "Paid with Swish", "Paid in cash", "Paid in cash, whole kronor: 8 kr"),
        *("Part of it with Swish", "Part of it in cash", "Paid another way", "Cancel the debt"),
    ]


@pytest.mark.parametrize(
    ("typed", "noted"),
    [
        *(("1\u00a0400", "1,400"), ("1 400 kr", "1,400"), ("1400:-", "1,400")),
        *(("1 400,00", "1,400"), ("400 kr", "400"), ("97,50", "97.50"), ("1.400", "")),
    ],
)
def test_an_amount_is_read_as_it_is_written_or_asked_about(
    seat: Seat, phone: Phone, typed: str, noted: str
) -> None:
    """Of 1 400 kr owed what is typed is noted, and nothing where it may be two amounts."""
    owing(seat, phone, 14, 10_000)
    phone.fill(amount=typed)
    page = phone.press("Part of it in cash")
    said = "Do you mean 1,400 kr or 1.40 kr?"
    assert (f"{noted} kr in cash" if noted else said) in plain(page)


def test_a_payment_already_made_has_nothing_to_pay(numbered: Phone) -> None:
    """The payment's page says so, shows no number, and refuses another tick."""
    button = numbered.page.button("Paid in cash")
    numbered.press("Paid with Swish")
    page = numbered.open(f"{numbered.table}/evening/pay/2-1")
    assert "There is nothing to pay here now." in page.text
    assert NUMBER not in page.html
    numbered.submit(button)
    assert numbered.answer.status_code == 409


def test_the_code_opens_swish_with_everything_filled_in(numbered: Phone) -> None:
    """An independent reader gets number, amount and message from the code on the page."""
    address = urlsplit(read_code(numbered.page))
    assert address[:3] == ("https", "app.swish.nu", "/1/p/sw/")
    day = get_language("en").short_day(this_evening())
    assert parse_qs(address.query, strict_parsing=True) == {
        "sw": [KEPT],
        "amt": ["7.5"],
        "cur": ["SEK"],
        "msg": [f"Chicago {day}"],
        "edit": ["amt,msg"],
        "src": ["qr"],
    }


def test_a_number_is_deleted(numbered: Phone) -> None:
    """A deleted number is gone from the page and from the database."""
    page = numbered.press("Delete the number")
    assert KEPT not in page.html
    assert page.has("Show a code")


def test_a_number_is_shown_on_its_payment_only(
    numbered: Phone, caplog: pytest.LogCaptureFixture
) -> None:
    """No other page, file or answer holds the number, no address of this app, and no log."""
    assert KEPT not in numbered.answer.headers.get("Location", "") + numbered.answer.request.path
    parts = ("", "/evening", "/people", "/more", "/games/1.json", "/protocol", "/join")
    api = numbered.table.replace("/t/", "/api/tables/")
    for address in (*(numbered.table + part for part in parts), f"{api}/settlement"):
        answer = numbered.client.get(address, headers=numbered.headers)
        assert answer.status_code == 200
        assert KEPT not in answer.text
        assert NUMBER not in answer.text
    assert KEPT not in caplog.text


def test_a_number_is_for_one_person_at_one_table(
    app: Flask, seat: Seat, numbered: Phone, new_phone: NewPhone
) -> None:
    """Another table's Anna has no number, and Bo has none when Anna owes him."""
    assert owing(seat, new_phone()).has("Show a code")
    numbered.press("Paid with Swish")
    next_game(app, numbered, "Bo 9, settled")
    page = numbered.open(f"{numbered.table}/evening/pay/1-2")
    assert page.title == "Anna → Bo"
    assert KEPT not in page.html


def test_a_reader_sees_the_code_to_pay_by(numbered: Phone, new_phone: NewPhone) -> None:
    """A reader can neither tick nor change the evening, its people or their money."""
    reader = new_phone()
    for part in ("/evening", "/people", "/evening/advance", "/evening/pay/2-1"):
        assert reader.open(numbered.table + part).buttons == []
    assert read_code(reader.page)


@pytest.mark.parametrize(
    ("points", "stake", "said"),
    [(1, 99, "takes no less than 1 krona"), (100, 1_000_000, "takes less than a million kronor")],
)
def test_what_swish_does_not_take_is_said(
    seat: Seat, phone: Phone, points: int, stake: int, said: str
) -> None:
    """The page gives the reason, and offers no code."""
    page = owing(seat, phone, points, stake)
    assert not page.has("Show a code")
    assert f"Swish {said}" in page.text


@pytest.mark.parametrize("pair", ["1-3", "0-1"])
def test_nobody_pays_a_stranger(seat: Seat, phone: Phone, pair: str) -> None:
    """A payment to or from an unknown person is answered with status 404."""
    owing(seat, phone)
    phone.open(f"{phone.table}/evening/pay/{pair}")
    assert phone.answer.status_code == 404


# Payments in advance.

NOTED = {"payer": "2", "payee": "1", "amount": "100", "way": "cash"}


@pytest.fixture
def noting(seat: Seat, phone: Phone) -> Phone:
    """Return a phone with the form, from an evening at which Bo has lost 5 kr to Anna."""
    seat(phone, "Anna 5, settled", players=["Anna", "Bo"])
    phone.open(f"{phone.table}/evening")
    phone.follow("Somebody has paid in advance")
    return phone


@pytest.mark.parametrize(
    ("field", "typed", "said"),
    [
        ("payer", "", "There is nobody of that name at this table."),
        ("payee", "2", "Bo cannot pay themselves."),
        ("way", "written_off", ""),
        ("way", "rounded", ""),
        ("way", "", ""),
    ],
)
def test_what_cannot_be_noted_is_refused_at_its_field(
    noting: Phone, field: str, typed: str, said: str
) -> None:
    """The fault stands at its field, the other fields stay filled in, and nothing is paid.

    A debt cannot be cancelled in advance: only ways that move money are accepted.
    """
    where = f"{noting.table}/evening/advance"
    page = noting.send(where, {"seq": noting.page.seq, **NOTED, field: typed})
    assert noting.answer.status_code == 422
    assert said in plain(page)
    if said:
        assert [fault["role"] for fault in page.elements(f"#{field}-fault")] == ["alert"]
    others = NOTED.keys() - {field}
    assert {name: page.form(where).values(name) for name in others} == {
        name: [NOTED[name]] for name in others
    }
    assert "in cash" not in noting.open(f"{noting.table}/evening").text


def test_noted_twice_by_one_form_it_is_paid_once(noting: Phone) -> None:
    """The second press of the same button changes nothing."""
    noting.fill(**NOTED)
    button = noting.page.button("Record it")
    pages = [noting.submit(button), noting.submit(button)]
    assert [page.text.count("100 kr in cash") for page in pages] == [1, 1]
