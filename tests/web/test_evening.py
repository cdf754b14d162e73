"""Evenings, their money, people and games, where stories in data do not reach."""

from __future__ import annotations

from datetime import date, timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from flask import Flask

from app.i18n.language import get_language
from app.services.evenings import PAGE_SIZE
from app.store.clock import this_evening
from app.store.database import Database
from tests.services.keeper import game_from
from tests.web.conftest import Seat
from tests.web.evenings import next_game, open_games, read_code, won
from tests.web.pages import Page, words
from tests.web.phone import HTMX, Phone

FIRST = date(2024, 1, 5)
PLAYERS = ["Anna", "Bo", "Cilla"]
NUMBER, KEPT = "070-123 45 67", "0701234567"


def read(page: Page, selector: str) -> list[str]:
    """Return the texts of the elements that match a selector."""
    return [words(each) for each in page.soup.select(selector)]


def test_a_number_opens_swish_and_is_shown_on_its_payment_alone(
    seat: Seat, phone: Phone, caplog: pytest.LogCaptureFixture
) -> None:
    """An independent reader gets number, amount and message from the code; no address has it."""
    seat(phone, *won("Anna", 5), players=["Anna", "Bo"], stake_ore=150)
    phone.open(f"{phone.table}/evening/pay/2-1")
    phone.fill(number=NUMBER)
    address = urlsplit(read_code(phone.press("Show a code")))
    assert address[:3] == ("https", "app.swish.nu", "/1/p/sw/")
    assert parse_qs(address.query, strict_parsing=True) == {
        "sw": [KEPT],
        "amt": ["7.5"],
        "cur": ["SEK"],
        "msg": [f"Chicago {get_language('en').short_day(this_evening())}"],
        "edit": ["amt,msg"],
        "src": ["qr"],
    }
    assert KEPT not in phone.answer.headers.get("Location", "") + phone.answer.request.path
    parts = ("", "/evening", "/people", "/more", "/games/1.json", "/protocol", "/join")
    api = phone.table.replace("/t/", "/api/tables/")
    for page in (*(phone.table + part for part in parts), f"{api}/settlement"):
        answer = phone.client.get(page, headers=phone.headers)
        assert answer.status_code == 200
        assert KEPT not in answer.text
        assert NUMBER not in answer.text
    assert KEPT not in caplog.text


def test_every_evening_is_come_by_page_by_page(db: Database, phone: Phone) -> None:
    """A page has thirty evenings, none is listed twice, and each page has the same sums."""
    days = [FIRST + timedelta(days=7 * n) for n in range(100)]
    games = [
        game_from(f"{day}T19:00:00Z", " ".join(PLAYERS), *won(PLAYERS[n % 3], n % 7 + 1))
        for n, day in enumerate(days)
    ]
    open_games(db, phone, games, "/money")
    page, seen = phone.page, list[str]()
    total = page.soup.select_one("table.ledger tbody")
    while True:
        assert page.soup.select_one("table.ledger tbody") == total
        seen += read(page, "details.night > summary")
        if not page.has("Before that"):
            break
        page = phone.follow("Before that")
    assert [each.split()[:3] for each in seen] == [f"{day:%-d %B %Y}".split() for day in days[::-1]]
    page = phone.open(f"{phone.table}/money?to=2025")
    assert [each["href"] for each in page.elements("[aria-current=page]")] == [
        f"{phone.table}/money?to=2025"
    ]


def test_a_long_list_of_games_goes_on_page_by_page(app: Flask, seat: Seat, phone: Phone) -> None:
    """The next page keeps the search; an invalid page number opens the first page."""
    seat(phone, "Bo 1, settled")
    for _ in range(PAGE_SIZE):
        next_game(app, phone, "Anna 1, settled")
    phone.open(f"{phone.table}/games?q=bo")
    assert len(read(phone.page, ".played li")) == PAGE_SIZE
    phone.follow("Older games")
    [oldest] = read(phone.page, ".played li")
    assert "Game 1 " in oldest
    assert not phone.page.has("Older games")
    assert phone.page.form(f"{phone.table}/games").values("q") == ["bo"]
    for wrong in ("x", "0", "-1", "9" * 40, "3"):
        page = phone.open(f"{phone.table}/games?page={wrong}")
        assert len(read(page, ".played li")) == PAGE_SIZE


@pytest.mark.parametrize(
    ("query", "cards"),
    [("card=Kh&card=2d&who=1&cards=Kh&who=2&cards=&turn=1", 0), ("who=1&cards=&fill=4", 52)],
)
def test_a_phone_is_sent_cards_for_tapping_where_its_own_are_not_right(
    keeper: Phone, query: str, cards: int
) -> None:
    """Comparing hands, the answer for scripts holds no others."""
    answer = keeper.client.get(f"{keeper.table}/compare?{query}", headers=keeper.headers | HTMX)
    assert len(Page(answer.text).elements("input[name=card]")) == cards
