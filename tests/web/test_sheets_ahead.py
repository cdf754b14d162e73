"""Sheets that cells lead to are prefetched together, so that a phone has them without a network."""

from __future__ import annotations

from tests.web.pages import Page
from tests.web.phone import HTMX, Phone


def ahead(phone: Phone) -> Page:
    """Return the prefetched sheets as the content of a page."""
    answer = phone.client.get(f"{phone.table}/sheets")
    assert answer.status_code == 200
    return Page(answer.text.replace("template", "section"))


def addresses(phone: Phone) -> set[str]:
    """Return the addresses of the prefetched sheets."""
    return {each["data-at"] for each in ahead(phone).elements("[data-at]")}


def cells(page: Page) -> set[str]:
    """Return the addresses that cells of a page lead to."""
    return {cell["href"] for cell in page.elements("a.cell")}


def test_they_are_what_their_addresses_give(keeper: Phone) -> None:
    """Each prefetched sheet equals the answer of its address."""
    together = keeper.client.get(f"{keeper.table}/sheets", headers=keeper.headers).text
    for address in addresses(keeper):
        alone = keeper.client.get(address, headers=keeper.headers | HTMX).text
        assert f'data-at="{address}">{alone}</div>' in together


def test_they_are_those_that_cells_lead_to(keeper: Phone) -> None:
    """The board's cells lead to them and those of the sheet of rare hands; nothing else does."""
    for tap in ("Anna: Pair", "Bo: Pair", "Cilla: Last trick"):
        board = keeper.open(keeper.table)
        rare = set() if "trick" in tap else cells(keeper.open(f"{keeper.table}/rare"))
        assert addresses(keeper) == cells(board) | rare
        keeper.open(keeper.table)
        keeper.press(tap)


def test_they_say_of_which_version_they_are(keeper: Phone) -> None:
    """A phone shows no sheet of another version than the table on its screen."""
    for _ in range(2):
        answer = keeper.client.get(f"{keeper.table}/sheets")
        assert f'data-of="{keeper.page.seq}"' in answer.text
        keeper.press("Anna: Pair")


def test_a_reader_s_cannot_write(reader: Phone) -> None:
    """A reader's sheets have no forms."""
    assert ahead(reader).forms == []
