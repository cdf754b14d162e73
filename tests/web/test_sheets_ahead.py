"""Sheets that cells lead to are prefetched together, so that a phone has them without a network."""

from __future__ import annotations

import re

from tests.web.conftest import Seat
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


TAPS = ("Anna: Pair", "Bo: Flush", "Cilla: Last trick", "Nobody has anything")


def test_those_of_the_same_key_say_the_same(keeper: Phone) -> None:
    """A phone shows sheets with the key of its table; few of them differ from deal to deal."""
    found: dict[str, str] = {}
    for tap in 3 * TAPS:
        text = keeper.client.get(f"{keeper.table}/sheets").text
        (key,) = re.findall(r'class="sheets" data-of="(\w*-?\w*)"', text)
        keeper.open(keeper.table)
        (table,) = keeper.page.elements("#table")
        assert table.get("data-sheets", "") == key
        # The phone writes the version of its table in.
        said = re.sub('name="seq" value="[0-9]+"', "", text)
        assert found.setdefault(key, said) == said
        keeper.press(tap)
    assert len(found) <= 4


def test_those_that_tell_scores_are_of_one_version_alone(seat: Seat, phone: Phone) -> None:
    """Where nobody has anything the rare hands give the same, but scores may be others."""
    for rules, keys in ({}, 1), ({"zeroing_victims": "one"}, 2):
        seat(phone, rules={"preset": "huvudregler", **rules})
        found = phone.page.elements("#table")
        phone.press("Nobody has anything")
        found += phone.page.elements("#table")
        assert len({table["data-sheets"] for table in found}) == keys


def test_a_reader_s_cannot_write(reader: Phone) -> None:
    """A reader's sheets have no forms."""
    assert ahead(reader).forms == []
