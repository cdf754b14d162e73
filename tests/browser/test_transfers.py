"""A phone's tables on another phone, and on an iPhone's home screen, in a real browser."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPhone
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.tables import expect_kept_secret, path_of, requests_of

# The property by which WebKit marks a page opened from a home screen.
HOME_SCREEN = "Object.defineProperty(navigator, 'standalone', {value: true})"
ADD = "Lägg till här"
TAKEN = "Borden finns nu på den här telefonen."
START = re.compile(r"//[^/]+/$")


def tables(page: Page) -> set[str | None]:
    """Return the addresses of the tables that a phone lists."""
    page.goto("/tables")
    return {link.get_attribute("href") for link in page.locator(".list a").all()}


def test_a_link_brings_a_pen_to_another_phone_and_tells_nobody(new_phone: NewPhone) -> None:
    """The other phone writes, and no request of it holds the link's secret."""
    first, second = new_phone(), new_phone()
    Keeper(first).open_table(*PLAYERS)
    table = path_of(first)
    first.goto("/tables")
    first.get_by_role("link", name="Mina bord på en annan telefon").click()
    first.get_by_role("button", name="Gör en länk").click()
    address = first.get_by_label("Länk som tar med dina bord").input_value()
    secret, sent = address.rsplit("/", 1)[1], requests_of(second)
    second.goto(f"/transfer/{secret}")
    second.get_by_role("button", name=ADD).click()
    expect(second.locator(".told")).to_have_text(TAKEN)
    assert tables(second) == {table}
    second.goto(table)
    other = Keeper(second)
    other.players = PLAYERS
    other.tap("pair", "Anna")
    other.expect_scores(1, 0, 0, 0)
    expect_kept_secret(secret, sent)


def test_the_app_on_a_home_screen_opens_the_same_by_itself(new_phone: NewPhone) -> None:
    """Its first start needs neither cookie nor tap; a page in a tab takes nothing by itself.

    Every later start is the start page, also with the browser's cookies: as on Android, and if
    WebKit copies them.
    """
    safari, app = new_phone(), new_phone()
    Keeper(safari).open_table(*PLAYERS)
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
        expect(page.locator("a.on")).to_be_visible()
        expect(page).to_have_url(START)
    assert tables(app) == tables(safari)
