"""Copies of pages in a phone's cache, for reading without a network."""

from playwright.sync_api import Page

from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.tables import eventually


def opened(page: Page, at: str = "/") -> Keeper:
    """Return the phone after it has opened a table and cached it for reading offline."""
    keeper = Keeper(page)
    keeper.open_table(*PLAYERS, at=at)
    expect_kept(page, page.url)
    return keeper


def expect_kept(page: Page, address: str) -> None:
    """Wait until the phone has a copy in its cache."""
    condition = "async (url) => Boolean(await (await caches.open('pages-1')).match(url))"
    eventually(page, condition, address)
