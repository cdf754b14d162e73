"""The sheets are fetched ahead, all at once, so that a phone has them when its network goes."""

from __future__ import annotations

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


def fetch(phone: Phone, query: str = "") -> Page:
    """Return what is fetched ahead, as if it stood on a page."""
    answer = phone.client.get(f"{phone.table}/sheets{query}")
    assert answer.status_code == 200
    return Page(answer.text.replace("template", "section"))


def ahead(phone: Phone, query: str = "") -> set[str]:
    """Return where at the table the sheets are that are fetched ahead."""
    found = fetch(phone, query).elements("[data-at]")
    return {each["data-at"].removeprefix(phone.table) for each in found}


def test_they_are_what_their_addresses_give(keeper: Phone) -> None:
    """The same from the first letter to the last."""
    together = keeper.client.get(f"{keeper.table}/sheets", headers=keeper.headers).text
    for end in SHEETS:
        alone = keeper.client.get(keeper.table + end, headers=keeper.headers | HTMX).text
        assert f'data-at="{keeper.table}{end}">{alone}</div>' in together


def sheets(page: Page, table: str) -> set[str]:
    """Return the ends of the addresses of all sheets that a page leads to."""
    return {link.htmx.removeprefix(table) for link in page.links if link.htmx}


def test_every_sheet_that_the_page_leads_to_is_among_them(keeper: Phone) -> None:
    """Of all that opens a sheet at the table and records something, and the menu; rows if asked."""
    links = sheets(keeper.page, keeper.table)
    rows = {link for link in links if link.startswith("/row/")}
    assert rows
    links |= sheets(keeper.open(f"{keeper.table}/rare"), keeper.table)
    links = (links | {"/comings", "/latecomer"}) - {"/join"}
    assert ahead(keeper) == links - rows
    assert ahead(keeper, "?rows=1") == links


def test_they_say_of_which_version_they_are(keeper: Phone) -> None:
    """A phone shows none that is of another version than the table it shows."""
    for _ in range(2):
        answer = keeper.client.get(f"{keeper.table}/sheets")
        assert f'data-of="{keeper.page.seq}"' in answer.text
        keeper.press("Anna: Pair")


def test_a_reader_s_cannot_write(reader: Phone) -> None:
    """As every page of a reader's."""
    assert fetch(reader, "?rows=1").forms == []
