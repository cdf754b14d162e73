"""The score sheet: the newest deal on top, each mark with its reason."""

from __future__ import annotations

import pytest
from bs4 import Tag

from app.services import access, opening
from app.services.access import Write
from app.services.commit import commit
from app.services.edit import Edit
from app.store.database import Database
from app.web.table.protocol import DEALS
from tests.long_games import play_long_game
from tests.web.conftest import Seat
from tests.web.pages import words
from tests.web.phone import Phone

HUVUDREGLER = {"preset": "huvudregler"}


@pytest.fixture(scope="module")
def long_table(db: Database) -> str:
    """Return the address of a table with two hundred deals, for reading."""
    game, pen = play_long_game(["Anna", "Bo", "Cilla"], 200), access.new_pen()
    link = opening.open_table(db, game.setup, "", pen)
    commit(db, Write(link, pen), Edit(1, entries=game.events))
    return f"/t/{link}"


def deals_on(phone: Phone) -> list[int]:
    """Return the numbers of the deals on the page, from the top."""
    return [int(each["id"][5:]) for each in phone.page.elements("details[id^=deal-]")]


def opened_on(phone: Phone) -> list[str]:
    """Return the deals that are open."""
    return [each["id"] for each in phone.page.elements("details[id^=deal-][open]")]


def column(phone: Phone, deal: int, seat: int) -> Tag:
    """Return a player's column in a deal."""
    return phone.page.soup.select(f"#deal-{deal} .column")[seat]


@pytest.mark.parametrize("end", ["", "settled"])
def test_the_newest_deal_is_open_on_top(seat: Seat, phone: Phone, end: str) -> None:
    """The newest deal is open during a game and after it; the others are there, folded."""
    seat(phone, "deal Bo, nobody", end, rules=HUVUDREGLER)
    phone.open(f"{phone.table}/protocol")
    assert bool(phone.page.elements(".why")) == bool(end)
    assert deals_on(phone) == [2, 1]
    assert opened_on(phone) == ["deal-2"]


def test_a_page_has_so_many_deals_and_a_way_to_the_older_ones(
    phone: Phone, long_table: str
) -> None:
    """Every deal is on one of the pages, the newest first; each older page leads back."""
    phone.open(f"{long_table}/games/1")
    found = deals_on(phone)
    assert not phone.page.has("The newest deals")
    while found[-1] > 1:
        phone.follow("Older deals")
        assert len(deals_on(phone)) <= DEALS
        found += deals_on(phone)
    assert found == list(range(200, 0, -1))
    assert not phone.page.has("Older deals")
    phone.follow("The newest deals")
    assert opened_on(phone) == ["deal-200"]


@pytest.mark.parametrize("query", ["deal=x", "deals=1-9999", "deal=0", "deal=999"])
def test_an_address_of_no_deals_opens_the_newest(phone: Phone, long_table: str, query: str) -> None:
    """The answer is the sheet as it is without a query."""
    phone.open(f"{long_table}/games/1?{query}")
    assert phone.answer.status_code == 200
    assert opened_on(phone) == ["deal-200"]


@pytest.mark.parametrize("deal", [55, 200])
def test_a_deal_is_laid_open_wherever_it_is(phone: Phone, long_table: str, deal: int) -> None:
    """It is on the page, and no other deal is open."""
    phone.open(f"{long_table}/games/1?deal={deal}")
    assert opened_on(phone) == [f"deal-{deal}"]
    way = phone.page.soup.select(f"#deal-{deal} .block")[-1]
    phone.open(str(way["href"]))
    assert phone.page.soup.select_one(f"a.close[href$='?deal={deal}#deal-{deal}']")


def test_a_mark_has_a_name_and_its_why_in_the_deal(seat: Seat, phone: Phone) -> None:
    """The reason, in words with the numbers, links to the entry behind it, in the deal before."""
    seat(phone, "nobody, Anna 46, nobody, Bo trick, no hands", rules=HUVUDREGLER)
    phone.open(f"{phone.table}/protocol")
    (mark,) = column(phone, 2, 0).select(".mark")
    assert (mark.text, mark["title"]) == ("■", "Exchange stop begins")
    assert mark["aria-label"] == mark["title"]
    way = next(a for a in phone.page.links if "may not exchange" in a.label)
    assert "Anna may not exchange: 46 points, exchange stop at 45." in way.label
    assert way.href.endswith("/entries/1")
    assert phone.open(way.href).has("It did not happen")


def test_every_fact_of_the_play_has_its_step(seat: Seat, phone: Phone) -> None:
    """By which equal hands of several steps are told apart; named as on the board."""
    scored = {"dealt": "everyone", "1": "everyone", "play": "everyone"}
    happened = "Anna pair, nobody, Anna pair, nobody, Anna 5, Anna trick, Anna pair, nobody"
    seat(phone, happened, rules={"preset": "pagat", "scored_hands": scored})
    phone.open(f"{phone.table}/protocol")
    steps = ["dealt", "dealt", "Exch. 1", "Exch. 1", "", "play", "end", "end"]
    links = phone.page.soup.select("#deal-1 a.block")
    assert [" ".join(map(words, link.select("small"))) for link in links] == steps
