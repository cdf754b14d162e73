"""Without HTTPS nothing greets a phone; after a deal a line tells of the screen, once."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Judge, NewPhone
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.serving import Server
from tests.browser.tables import eventually, link, path_of
from tests.screens.layout import find_faults

TOLERATED = ["Cross-Origin-Opener-Policy header has been ignored"]

MARKED = """() => {
    const {selectionStart, selectionEnd, value} = document.querySelector("input.share");
    return value && selectionStart === 0 && selectionEnd === value.length;
}"""


def test_after_the_first_deal_a_line_tells_that_the_screen_may_go_dark(
    new_phone: NewPhone, server: Server, judge: Judge
) -> None:
    """No page says anything before; closed, the line is gone for good. The rest works by hand."""
    page = new_phone(base_url=f"http://home.test:{server.port}")
    keeper, line = Keeper(page), page.locator("#dark")
    page.goto("/")
    assert not page.evaluate("isSecureContext")
    expect(page.locator("body")).not_to_contain_text("HTTPS")
    keeper.open_table(*PLAYERS)
    for row in ("pair", "two_pairs", "trick"):
        keeper.tap(row, "Anna")
    expect(line).to_be_hidden()
    keeper.tap("straight", "Bo")
    expect(line).to_have_text("Skärmen kan släckas här – så låter du den vara tänd")
    page.reload()
    expect(line).to_be_visible()
    assert find_faults(page) == []
    line.get_by_role("link").click()
    expect(page.locator("main")).to_contain_text("Autolås")
    expect(page.locator("main")).to_contain_text("Skärmens tidsgräns")
    judge(page)
    page.get_by_label("Tillbaka till bordet").click()
    judge(page)
    line.get_by_role("button").click()
    expect(line).to_have_count(0)
    page.reload()
    expect(keeper.title).to_be_visible()
    expect(line).to_have_count(0)
    a_link_is_copied_by_hand(page)


def a_link_is_copied_by_hand(page: Page) -> None:
    """Check that a link is copied without share sheet and clipboard, or else is selected."""
    home = page.evaluate("location.origin")
    assert page.evaluate("[navigator.share, navigator.clipboard].every((it) => !it)")
    page.goto(f"{link(page)}/join")
    page.get_by_role("button", name="Kopiera").click()
    field = page.locator("input.share")
    expect(field).to_have_value(re.compile(f"^{home}.*{path_of(page).removesuffix('/join')}$"))
    eventually(page, MARKED)
    page.reload()
    page.evaluate("document.execCommand = () => false")
    button = page.locator("[data-share]")
    button.click()
    expect(button).to_have_text("Kopiera")
    eventually(page, MARKED)
