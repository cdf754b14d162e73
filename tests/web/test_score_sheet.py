"""The score sheet: the newest deal on top, each mark with its reason."""

from __future__ import annotations

import pytest

from app.services import access, import_export
from app.store.database import Database
from app.web.protocol import DEALS
from tests.long_games import play_long_game
from tests.web.phone import Phone


@pytest.fixture(scope="module")
def long_table(db: Database) -> str:
    """Return the address of a table with two hundred deals, for reading."""
    game = play_long_game(["Anna", "Bo", "Cilla"], 200)
    return "/t/" + import_export.open_with_games(db, [game], "", access.new_pen())


def deals_on(phone: Phone) -> list[int]:
    """Return the numbers of the deals on the page, from the top."""
    return [int(each["id"][5:]) for each in phone.page.elements("details[id^=deal-]")]


def opened_on(phone: Phone) -> list[str]:
    """Return the deals that are open."""
    return [each["id"] for each in phone.page.elements("details[id^=deal-][open]")]


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
