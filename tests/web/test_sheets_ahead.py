"""All sheets are prefetched together, so that a phone has them when its network fails."""

from __future__ import annotations

from tests.web.conftest import Seat
from tests.web.pages import Page
from tests.web.phone import HTMX, Phone

SHEETS = [
    "/more",
    "/comings",
    "/rare",
    "/latecomer",
    "/player/1",
    "/player/4",
    "/tie",
]


def fetch(phone: Phone) -> Page:
    """Return the prefetched sheets as the content of a page."""
    answer = phone.client.get(f"{phone.table}/sheets")
    assert answer.status_code == 200
    return Page(answer.text.replace("template", "section"))


def ahead(phone: Phone) -> set[str]:
    """Return the addresses of the prefetched sheets below the table."""
    found = fetch(phone).elements("[data-at]")
    return {each["data-at"].removeprefix(phone.table) for each in found}


def test_they_are_what_their_addresses_give(keeper: Phone) -> None:
    """Each prefetched sheet equals the answer of its address."""
    together = keeper.client.get(f"{keeper.table}/sheets", headers=keeper.headers).text
    for end in SHEETS:
        alone = keeper.client.get(keeper.table + end, headers=keeper.headers | HTMX).text
        assert f'data-at="{keeper.table}{end}">{alone}</div>' in together


def sheets(page: Page, table: str) -> set[str]:
    """Return the ends of the addresses of all sheets that a page links to."""
    return {link.htmx.removeprefix(table) for link in page.links if link.htmx}


def test_every_sheet_that_the_page_leads_to_is_among_them(keeper: Phone, seat: Seat) -> None:
    """All sheets of the table that record something are there, and the menu."""
    for when in ("before_play", "any_time"):
        seat(keeper, "Anna 15", rules={"chicago_when": when})
        links = sheets(keeper.page, keeper.table)
        assert ("/row/chicago" in links) is (when == "any_time")
        links |= sheets(keeper.open(f"{keeper.table}/rare"), keeper.table)
        assert ahead(keeper) >= (links | {"/comings", "/latecomer"}) - {"/join", "/deal"}


def test_they_say_of_which_version_they_are(keeper: Phone) -> None:
    """A phone shows no sheet of another version than the table on its screen."""
    for _ in range(2):
        answer = keeper.client.get(f"{keeper.table}/sheets")
        assert f'data-of="{keeper.page.seq}"' in answer.text
        keeper.press("Anna: Pair")


def test_a_reader_s_cannot_write(reader: Phone) -> None:
    """A reader's sheets have no forms."""
    assert fetch(reader).forms == []
