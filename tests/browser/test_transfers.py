"""A phone's tables on an iPhone's home screen, in a real browser."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPhone
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.tables import path_of

# The property by which WebKit marks a page opened from a home screen.
HOME_SCREEN = "Object.defineProperty(navigator, 'standalone', {value: true})"
ADD = "Lägg till här"
TAKEN = "Borden finns nu på den här telefonen."
START = re.compile(r"//[^/]+/$")


def tables(page: Page) -> set[str | None]:
    """Return the addresses of the tables that a phone lists."""
    page.goto("/tables")
    return {link.get_attribute("href") for link in page.locator(".card .facts").all()}


def test_the_app_on_a_home_screen_opens_the_same_by_itself(new_phone: NewPhone) -> None:
    """Its first start needs neither cookie nor tap; a page in a tab takes nothing by itself.

    Every later start is the start page, also with the browser's cookies: as on Android, and if
    WebKit copies them.
    """
    safari, app = new_phone(), new_phone()
    Keeper(safari).sit_down(*PLAYERS)
    safari.goto("/install")
    safari.get_by_role("button", name="Ta med mina bord till hemskärmen").click()
    href = safari.locator("link[rel=manifest]").get_attribute("href")
    assert href
    start = app.request.get(href).json()["start_url"]
    assert path_of(safari) == start
    app.goto(start)
    expect(app.get_by_role("button", name=ADD)).to_be_visible()
    assert tables(app) == set()
    app.context.clear_cookies()
    for page in (app, safari):
        page.context.add_init_script(HOME_SCREEN)
    app.goto(start)
    expect(app.locator(".told")).to_have_text(TAKEN)
    for page in (app, safari):
        page.goto(start)
        expect(page.locator(".card .on")).to_be_visible()
        expect(page).to_have_url(START)
    assert tables(app) == tables(safari)
