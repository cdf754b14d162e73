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


def test_boards_of_eight_and_pages_beside_an_evening(
    browser: Browser, server: Server, barriers: Barriers
) -> None:
    """Even the longest lists have no covered, cut-off, unreachable or inaccessible element."""
    walk = Walk(open_table(browser, server.url, "sv-SE", LONG), barriers)
    walk.see(deals(LONG))
    walk.pass_by(last_deals(LONG))
    walk.see([*long_lists(LONG), *sheets_as_pages(), *elsewhere(LONG)])
    walk.end()
