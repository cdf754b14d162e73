"""Sheets: Back closes them, they hold the focus while open, and keep a refused form."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import NewPhone
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.tables import eventually

# The elements that open the sheets of a table of four: a player, rare hands, a tie, the menu.
OPENERS = (
    "#head-2",
    "#row-rare",
    "#row-tie",
    "a[href$='/more']",
)


def expect_closed(keeper: Keeper) -> None:
    """Check that no sheet is open, and the table is there."""
    keeper.expect_no_sheet()
    expect(keeper.page.locator("#ask:modal")).to_have_count(0)
    expect(keeper.page.locator("#table")).to_be_visible()


def test_what_opens_a_sheet_leads_to_its_page_where_a_script_has_not_come(
    new_phone: NewPhone, tolerated: list[str]
) -> None:
    """A tap also works before a script has loaded, or if it fails to load."""
    tolerated.append("net::ERR_FAILED")
    keeper = Keeper(new_phone(service_workers="block"))
    keeper.page.route("**/htmx.min.js*", lambda route: route.abort())
    keeper.open_table(*PLAYERS)
    keeper.page.wait_for_load_state()
    for opener in OPENERS:
        link = keeper.page.locator(opener)
        way = re.compile(re.escape(link.get_attribute("href") or "") + "$")
        link.click()
        expect(keeper.page).to_have_url(way)
        expect(keeper.sheet).to_be_visible()
        keeper.page.go_back()
        expect(keeper.page.locator("#table")).to_be_visible()


def test_a_sheet_takes_the_focus_and_back_closes_it(keeper: Keeper) -> None:
    """Nothing else can be used; reloaded or returned to, a page shows its sheet as it was."""
    table = keeper.page.url
    keeper.page.goto("/")
    keeper.page.goto(table)
    the_focus_goes_in_and_back(keeper)
    it_outlives_its_page(keeper)
    sheets_lead_to_sheets(keeper)
    # No dead entry is in the history.
    keeper.page.go_back()
    expect(keeper.page.locator("input[name=player]").first).to_be_visible()


def the_focus_goes_in_and_back(keeper: Keeper) -> None:
    """Check that the heading gets the focus, the page behind cannot, the opener gets it back."""
    page = keeper.page
    for opener in OPENERS:
        page.locator(opener).focus()
        page.keyboard.press("Enter")
        expect(keeper.sheet.get_by_role("heading", level=2)).to_be_focused()
        page.evaluate("document.querySelector('.undo').focus()")
        expect(keeper.undo_button).not_to_be_focused()
        page.keyboard.press("Escape")
        expect_closed(keeper)
        expect(page.locator(opener)).to_be_focused()


def it_outlives_its_page(keeper: Keeper) -> None:
    """Check that a reload, a return from another page and Forward show the sheet as it was left."""
    page = keeper.page
    page.get_by_role("link", name="Meny", exact=True).click()
    expect(keeper.sheet.get_by_role("heading", level=2)).to_be_focused()
    page.reload()
    expect(keeper.sheet).to_contain_text("Reglerna vi spelar")
    keeper.sheet.get_by_role("link", name="Reglerna vi spelar").click()
    expect(page).to_have_url(re.compile("/rules$"))
    page.go_back()
    expect(keeper.sheet).to_contain_text("Reglerna vi spelar")
    # Wait for its own reaction to being closed, which comes a moment later.
    page.locator("#ask").evaluate("(ask) => { ask.onclose = () => { window.left = true; }; }")
    page.go_back()
    eventually(page, "window.left === true")
    expect_closed(keeper)
    page.go_forward()
    expect(keeper.sheet).to_contain_text("Reglerna vi spelar")
    keeper.close()


def sheets_lead_to_sheets(keeper: Keeper) -> None:
    """Check that Back closes the sheet after a chain of sheets."""
    sheet = keeper.sheet
    keeper.page.get_by_role("link", name="Bjud in", exact=True).click()
    sheet.get_by_role("link", name="Om telefonen försvinner").click()
    sheet.get_by_role("button", name="Gör en reservlänk").click()
    expect(sheet.locator(".code")).to_be_visible()
    expect(keeper.page.locator("#ask:modal")).to_be_visible()
    keeper.page.go_back()
    expect_closed(keeper)
