"""A walk over the boards of eight with the longest names, and over rarely visited pages."""

from __future__ import annotations

from playwright.sync_api import Browser

from tests.browser.serving import Server
from tests.browser.walk import Barriers, Walk
from tests.screens.phone import open_table
from tests.screens.scenes import (
    LONG,
    deals,
    elsewhere,
    last_deals,
    long_lists,
    sheets_as_pages,
)


def test_deals_of_eight(browser: Browser, server: Server, barriers: Barriers) -> None:
    """Neither the board as a list nor any sheet has a covered, cut-off or inaccessible element."""
    walk = Walk(open_table(browser, server.url, "sv-SE", LONG), barriers)
    walk.see(deals(LONG))
    walk.end()


def test_pages_beside_an_evening(browser: Browser, server: Server, barriers: Barriers) -> None:
    """Nor have other pages, with the longest lists."""
    walk = Walk(open_table(browser, server.url, "sv-SE", LONG), barriers)
    walk.pass_by([*deals(LONG), *last_deals(LONG)])
    walk.see([*long_lists(LONG), *sheets_as_pages(), *elsewhere(LONG)])
    walk.end()
