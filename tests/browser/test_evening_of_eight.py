"""A walk through the end of an evening of eight with the longest names, in Finnish."""

from __future__ import annotations

from playwright.sync_api import Browser

from tests.browser.serving import Server
from tests.browser.walk import Barriers, Walk
from tests.screens.phone import open_table
from tests.screens.scenes import LONG, deals, last_deals


def test_the_end_of_an_evening_of_eight(
    browser: Browser, server: Server, barriers: Barriers
) -> None:
    """No page of it has a covered, cut-off, unreachable, too wide or inaccessible element."""
    walk = Walk(open_table(browser, server.url, "fi-FI", LONG), barriers)
    walk.pass_by(deals(LONG))
    walk.see(last_deals(LONG))
    walk.end()
