"""A phone's tables on another phone, and on an iPhone's home screen, in a real browser."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPhone
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.tables import expect_kept_secret, requests_of, unfold

# The property by which WebKit marks a page opened from a home screen.
HOME_SCREEN = "Object.defineProperty(navigator, 'standalone', {value: true})"
ADD = "Lägg till här"
THREE = "3 bord, alla med pennan"


def open_tables(page: Page, count: int = 3) -> Keeper:
    """Let a phone open tables, and stay at the last of them."""
    keeper = Keeper(page)
    for _ in range(count):
        page.goto("/")
        keeper.open_table(*PLAYERS)
    return keeper


def tables(page: Page) -> set[str | None]:
    """Return the addresses of the tables that a phone lists."""
    page.goto("/tables")
    return {link.get_attribute("href") for link in page.locator(".list a").all()}


def make_link(page: Page) -> str:
    """Let a phone make a link from its start page; return the link's path."""
    page.goto("/")
    unfold(page, "mer")
    page.get_by_role("link", name="Mina bord på en annan telefon").click()
    page.get_by_role("button", name="Gör en länk").click()
    address = page.get_by_label("Länk som tar med dina bord").input_value()
    return "/" + address.split("/", 3)[3]


def prepare(page: Page) -> str:
    """Let a browser make its start address, and return the address of the page."""
    page.goto("/tables")
    page.get_by_role("link", name="På hemskärmen").click()
    page.get_by_role("button", name="Ta med mina bord till hemskärmen").click()
    expect(page.locator(".steps")).to_be_visible()
    return page.url


def test_one_link_moves_a_pen_and_three_tables_and_then_is_dead(new_phone: NewPhone) -> None:
    """A second browser writes, and no request leaks the link; a third one reads that it is used."""
    first, second, third = new_phone(), new_phone(), new_phone()
    open_tables(first)
    path = make_link(first)
    sent = requests_of(second)
    for page in (second, third):
        page.goto(path)
        expect(page.locator("main")).to_contain_text(THREE)
    second.get_by_role("button", name=ADD).click()
    expect(second.locator(".told")).to_contain_text(THREE)
    assert tables(second) == tables(first)
    second.goto("/")
    second.locator("a.on").click()
    other = Keeper(second)
    other.players = PLAYERS
    other.tap("pair", "Anna")
    other.expect_scores(1, 0, 0, 0)
    expect_kept_secret(path.rsplit("/", 1)[1], sent)
    third.get_by_role("button", name=ADD).click()
    expect(third.get_by_role("status")).to_contain_text("redan kommit till en annan telefon")
    assert tables(third) == set()
    the_app_on_a_home_screen_opens_the_same_by_itself(first, new_phone())


def the_app_on_a_home_screen_opens_the_same_by_itself(safari: Page, app: Page) -> None:
    """Check the start without cookies, at the address of the page's manifest, without a tap.

    A page outside of a home screen, like a preview that runs scripts, takes nothing by itself.
    Every later start opens the start page, also with the browser's cookies: as on Android, and if
    WebKit copies them.
    """
    address = prepare(safari)
    href = safari.locator("link[rel=manifest]").get_attribute("href")
    assert href
    start = app.request.get(href).json()["start_url"]
    assert address.endswith(start)
    app.goto(start)
    expect(app.get_by_role("button", name=ADD)).to_be_visible()
    assert tables(app) == set()
    app.context.clear_cookies()
    for page in (app, safari):
        page.context.add_init_script(HOME_SCREEN)
    app.goto(start)
    expect(app.locator(".told")).to_contain_text(THREE)
    expect(app).to_have_url(re.compile(r"//[^/]+/$"))
    assert tables(app) == tables(safari)
    for page in (app, safari):
        page.goto(start)
        expect(page.locator("a.on")).to_be_visible()
        expect(page).to_have_url(re.compile(r"//[^/]+/$"))
