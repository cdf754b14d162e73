"""The score sheet: the newest deal on top, older ones folded, each mark with its reason."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from bs4 import Tag
from flask import Flask

from app.rules import protocol
from app.rules.protocol import DealSheet
from app.services import play, tables
from app.services.commit import commit
from app.services.play import Mend
from app.services.tables import Write
from app.store.clock import this_evening
from app.store.database import Database
from app.web.table import protocol as pages
from tests.long_games import play_long_game
from tests.services.keeper import SETTLE
from tests.web.conftest import Seat
from tests.web.phone import HTMX, Phone

Event = dict[str, object]

EIGHT = ["Anna", "Bo", "Cilla", "Dan", "Eva", "Fia", "Gun", "Hans"]
FEW = ["Anna", "Bo", "Cilla"]
STOPPED = {"event": "correction", "player": "Anna", "points": 46}
PASS = {"event": "no_best_hand"}
DEAL = (PASS, PASS, {"event": "last_trick", "player": "Bo"}, PASS)
HUVUDREGLER = {"preset": "huvudregler"}


def play_long(db: Database, phone: Phone, deals: int, players: Sequence[str] = FEW) -> int:
    """Let the phone keep a table with so many deals played; return the number of events."""
    game = play_long_game(players, deals)
    phone.open("/")
    with phone.client.session_transaction() as cookie:
        pen = cookie["pen"] = tables.new_pen()
    link = play.open_table(db, game.setup, "", pen)
    commit(db, Write(link, pen), Mend(1, game.events))
    phone.open(f"/t/{link}/games/1")
    return len(game.events)


@pytest.fixture(scope="module")
def long_table(app: Flask, db: Database) -> str:
    """Return the address of a table with two hundred deals, for reading."""
    phone = Phone(app.test_client())
    play_long(db, phone, 200)
    return phone.table


def deals_on(phone: Phone) -> list[int]:
    """Return the numbers of the deals on the page, from the top."""
    return [int(each["id"][5:]) for each in phone.page.elements("details[id^=deal-]")]


def folded_on(phone: Phone) -> list[str]:
    """Return the folded stretches, from the top."""
    return [each["id"] for each in phone.page.elements("a.stretch")]


def opened_on(phone: Phone) -> list[str]:
    """Return the deals that are open."""
    return [each["id"] for each in phone.page.elements("details[id^=deal-][open]")]


def column(phone: Phone, deal: int, seat: int) -> Tag:
    """Return a player's column in a deal."""
    return phone.page.soup.select(f"#deal-{deal} .column")[seat]


@pytest.mark.parametrize("end", [(), (SETTLE,)], ids=("played", "over"))
def test_the_newest_deal_is_open_on_top(seat: Seat, phone: Phone, end: tuple[Event, ...]) -> None:
    """The newest deal is open during a game and after it; the others are there, folded."""
    seat(phone, *DEAL, PASS, *end, rules=HUVUDREGLER)
    phone.open(f"{phone.table}/protocol")
    assert bool(phone.page.elements(".why")) == bool(end)
    assert deals_on(phone) == [2, 1]
    assert opened_on(phone) == ["deal-2"]


@pytest.mark.parametrize(
    ("deals", "shown", "folded"),
    [
        (14, range(14, 0, -1), []),
        (15, range(15, 10, -1), ["1-10"]),
        (
            200,
            range(200, 190, -1),
            [*(f"{n - 9}-{n}" for n in range(190, 100, -10)), "1-100"],
        ),
    ],
)
def test_older_deals_are_folded_and_the_page_is_no_longer_for_them(
    db: Database,
    phone: Phone,
    monkeypatch: pytest.MonkeyPatch,
    deals: int,
    shown: range,
    folded: list[str],
) -> None:
    """Lines, bytes and computed deals stay within a bound, for a game of any length."""
    laid_out: list[DealSheet] = []

    def assemble(*given: object) -> list[DealSheet]:
        laid_out.extend(found := original(*given))  # type: ignore[arg-type]  # handed on
        return found

    original = protocol.assemble
    monkeypatch.setattr(pages, "assemble", assemble)
    play_long(db, phone, deals, EIGHT)
    assert deals_on(phone) == list(shown)
    assert folded_on(phone) == [f"deals-{each}" for each in folded]
    assert len(laid_out) == len(shown)
    assert len(str(phone.page.soup.select_one(".sheet"))) < 25_000


def test_a_stretch_comes_alone_where_there_are_scripts(phone: Phone, long_table: str) -> None:
    """The answer replaces the link; a stretch that no longer exists redirects to the page."""
    address, headers = f"{long_table}/games/1", phone.headers | HTMX
    phone.open(address)
    (link,) = [each for each in phone.page.elements("a.stretch") if each["id"] == "deals-111-120"]
    part = phone.client.get(link["hx-get"], headers=headers)
    assert "<html" not in part.text
    assert re.findall(r'id="deal-(\d+)"', part.text) == [str(n) for n in range(120, 110, -1)]
    for gone in ("201-210", "201-300", "12-21", "0-9"):
        answer = phone.client.get(f"{address}?deals={gone}", headers=headers)
        assert answer.headers["HX-Redirect"] == address, gone


@pytest.mark.parametrize("query", ["deals=x", "deals=1-9999", "deal=0", "deal=999"])
def test_an_address_of_no_deals_opens_the_newest(phone: Phone, long_table: str, query: str) -> None:
    """The answer is the sheet as it is without a query."""
    phone.open(f"{long_table}/games/1?{query}")
    assert phone.answer.status_code == 200
    assert opened_on(phone) == ["deal-200"]
    assert len(folded_on(phone)) == 10


@pytest.mark.parametrize("deal", [55, 200])
def test_a_deal_is_laid_open_wherever_it_is(phone: Phone, long_table: str, deal: int) -> None:
    """Its stretch is shown, and no other deal is open."""
    phone.open(f"{long_table}/games/1?deal={deal}")
    assert opened_on(phone) == [f"deal-{deal}"]
    assert len(deals_on(phone)) <= 20
    way = phone.page.soup.select(f"#deal-{deal} .way-in")[-1]
    phone.open(str(way["href"]))
    assert phone.page.soup.select_one(f"a.close[href$='?deal={deal}#deal-{deal}']")


def test_a_mark_has_a_name_and_its_why_in_the_deal(seat: Seat, phone: Phone) -> None:
    """The reason, in words with the numbers, links to the entry behind it, in the deal before."""
    seat(phone, PASS, STOPPED, *DEAL[1:], PASS, rules=HUVUDREGLER)
    phone.open(f"{phone.table}/protocol")
    (mark,) = column(phone, 2, 0).select(".mark")
    assert (mark.text, mark["title"]) == ("■", "Exchange stop begins")
    assert mark["aria-label"] == mark["title"]
    way = next(a for a in phone.page.links if "may not exchange" in a.label)
    assert "Anna may not exchange: 46 points, exchange stop at 45." in way.label
    assert way.href.endswith("/entries/1")
    assert phone.open(way.href).has("Remove this")


def test_all_deals_are_printed_from_the_first(db: Database, phone: Phone) -> None:
    """Many deals fill two columns, with names, date, rules and a key to the marks."""
    play_long(db, phone, 31, EIGHT)
    page = phone.open(f"{phone.table}/games/1/print")
    numbers = [[int(row.text) for row in side.select("tbody th")] for side in page.soup("table")]
    assert numbers == [list(range(1, 17)), list(range(17, 32))]
    assert all(name in page.text for name in EIGHT)
    assert "Our own rules · Swedish main rules · " in page.text
    assert page.soup.select_one(".hero small").text.startswith(str(this_evening().day))  # type: ignore[union-attr]  # it is there
    drawn = {mark["title"] for mark in page.soup.select("td .mark")}
    assert {mark["title"] for mark in page.soup.select(".key .mark")} == drawn
