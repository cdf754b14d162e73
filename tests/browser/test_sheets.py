"""Sheets: Back closes them, they have the focus while open, and keep a form that was refused."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPhone
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.tables import eventually, recorded

# What opens the sheets of a table of four: a player, a hand, a tie, and the rest.
OPENERS = (
    "#head-2",
    "#row-four_of_a_kind .cell >> nth=0",
    "#row-nobody .asks",
    ".bar a >> nth=1",
)
MISTYPED = {"sju": "inte ”sju”", "0": "0 poäng", "99999": "inte ”99999”", "": "heltal"}


def is_open(keeper: Keeper) -> bool:
    """Whether a sheet is open, and nothing beside it can be used."""
    return bool(keeper.page.locator("#ask").evaluate("(sheet) => sheet.matches(':modal')"))


def expect_closed(keeper: Keeper) -> None:
    """No sheet is open, and the table is there."""
    expect(keeper.sheet).to_have_count(0)
    assert not is_open(keeper)
    expect(keeper.page.locator("#table")).to_be_visible()


def leave_for_the_start(keeper: Keeper) -> None:
    """Go back once from the table: to the page that it was opened from, past no dead entry."""
    eventually(keeper.page, "!history.state?.sheet")
    keeper.page.go_back()
    expect(keeper.page.locator("input[name=player]").first).to_be_visible()


@pytest.mark.parametrize("opener", OPENERS)
def test_what_opens_a_sheet_leads_to_its_page_where_a_script_has_not_come(
    new_phone: NewPhone, tolerated: list[str], opener: str
) -> None:
    """A script that is on its way, or was lost there, takes no tap along."""
    tolerated.append("net::ERR_FAILED")
    keeper = Keeper(new_phone(service_workers="block"))
    keeper.page.route("**/htmx.min.js*", lambda route: route.abort())
    keeper.open_table(*PLAYERS)
    keeper.page.wait_for_load_state()
    link = keeper.page.locator(opener)
    way = re.compile(re.escape(link.get_attribute("href") or "") + "$")
    link.click()
    expect(keeper.page).to_have_url(way)
    expect(keeper.sheet).to_be_visible()
    keeper.page.go_back()
    expect(keeper.page.locator("#table")).to_be_visible()


def test_back_closes_a_sheet_and_stays_at_the_table(keeper: Keeper) -> None:
    """The phone's Back puts each sheet away, and the next Back leaves the table."""
    loads = keeper.loads
    for opener in OPENERS:
        keeper.page.locator(opener).click()
        expect(keeper.sheet).to_be_visible()
        assert is_open(keeper)
        keeper.page.go_back()
        expect_closed(keeper)
    assert keeper.loads == loads
    leave_for_the_start(keeper)


def test_back_closes_a_sheet_that_another_led_to(keeper: Keeper, new_phone: NewPhone) -> None:
    """However many led from one to the next: nothing beside it can be used, and Back ends it."""
    page, sheet = keeper.page, keeper.sheet
    page.get_by_role("link", name="Mer", exact=True).click()
    sheet.get_by_role("link", name="Följ med").click()
    sheet.get_by_role("link", name="Om telefonen försvinner").click()
    sheet.get_by_role("button", name="Gör en reservlänk").click()
    expect(sheet.locator(".code")).to_be_visible()
    expect_back_ends_it(keeper)
    leave_for_the_start(keeper)
    eight = Keeper(new_phone())
    eight.open_table(*PLAYERS, "Eva", "Filip", "Gun", "Hans")
    eight.reach("flush", "Hans")
    expect_back_ends_it(eight)
    eight.reach("four_of_a_kind", "Hans").click()
    expect(eight.sheet.get_by_role("heading", level=2)).to_have_text("Hans: fyrtal")
    expect_back_ends_it(eight)
    expect(eight.page.locator("#row-four_of_a_kind .whom")).to_be_focused()
    leave_for_the_start(eight)


def expect_back_ends_it(keeper: Keeper) -> None:
    """The sheet is all there is to use, and Back puts it away and stays at the table."""
    expect(keeper.sheet).to_be_visible()
    assert is_open(keeper)
    keeper.page.go_back()
    expect_closed(keeper)


def test_a_sheet_closed_otherwise_leaves_nothing_to_go_back_to(keeper: Keeper) -> None:
    """By its cross, by Escape, by a tap beside it, by booking: one Back leads to the start."""
    page = keeper.page
    keeper.look_up("Bo")
    keeper.close()
    keeper.look_up("Bo")
    page.keyboard.press("Escape")
    expect_closed(keeper)
    keeper.look_up("Bo")
    page.mouse.click(180, 20)
    expect_closed(keeper)
    page.get_by_role("link", name="Mer", exact=True).click()
    page.get_by_role("link", name="Följ med").click()
    expect(keeper.sheet.locator(".code")).to_be_visible()
    keeper.close()
    keeper.correct("Anna", "7")
    expect_closed(keeper)
    assert recorded(page) == [{"event": "correction", "player": "Anna", "points": 7}]
    leave_for_the_start(keeper)


def test_a_page_loaded_anew_or_come_back_to_shows_the_sheet_that_was_open(keeper: Keeper) -> None:
    """Reloaded, returned to from another page, or gone forward to, it is as it was left."""
    page = keeper.page
    page.get_by_role("link", name="Mer", exact=True).click()
    expect(keeper.sheet.get_by_role("heading", level=2)).to_be_focused()
    page.reload()
    expect(keeper.sheet).to_contain_text("Vi spelar")
    keeper.sheet.get_by_role("link", name="Alla regler").click()
    expect(page).to_have_url(re.compile("/rules$"))
    page.go_back()
    expect(keeper.sheet).to_contain_text("Vi spelar")
    # Its own answer to being closed comes a moment later, and nobody is faster than that.
    page.locator("#ask").evaluate("(ask) => { ask.onclose = () => { window.left = true; }; }")
    page.go_back()
    eventually(page, "window.left === true")
    expect_closed(keeper)
    page.go_forward()
    expect(keeper.sheet).to_contain_text("Vi spelar")
    keeper.close()
    leave_for_the_start(keeper)


def test_a_sheet_takes_the_focus_and_gives_it_back(keeper: Keeper) -> None:
    """Its heading has it, the rest of the page cannot have it, then what opened it has it."""
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


def test_a_mistyped_correction_is_mended_where_it_was_typed(keeper: Keeper) -> None:
    """The sheet stays and says what is wrong at the field, which keeps what was typed."""
    keeper.look_up("Bo")
    points = keeper.sheet.locator("input[name=points]")
    for typed, sentence in MISTYPED.items():
        points.fill(typed)
        keeper.sheet.get_by_role("button", name="Rätta", exact=True).click()
        expect(points).to_have_accessible_description(re.compile(re.escape(sentence)))
        expect(points).to_have_attribute("aria-invalid", "true")
        expect(points).to_have_value(typed)
        expect(points).to_be_focused()
    expect(keeper.page.locator("#said")).to_be_empty()
    points.fill("7")
    keeper.answer("Rätta")
    keeper.expect_scores(0, 7, 0, 0)
    expect_closed(keeper)


def test_a_tie_that_is_none_is_mended_where_it_was_chosen(keeper: Keeper) -> None:
    """Without a hand, then with one name: each fault is told at its question, nothing is lost."""
    keeper.cell("nobody", "Bo").click()
    sheet = keeper.sheet
    sheet.get_by_label("Bo", exact=True).check()
    record = sheet.get_by_role("button", name="Skriv upp")
    record.click()
    hands = sheet.get_by_role("radiogroup")
    expect(hands).to_have_attribute("aria-invalid", "true")
    expect(hands.locator("input").first).to_be_focused()
    expect(sheet.get_by_label("Bo", exact=True)).to_be_checked()
    sheet.get_by_label("Par", exact=True).check()
    record.click()
    expect(sheet.locator("#wrong")).to_have_text("Vid lika behövs minst två olika spelare.")
    expect(sheet.get_by_label("Anna", exact=True)).to_be_focused()
    expect(sheet.get_by_label("Par", exact=True)).to_be_checked()
    sheet.get_by_label("Cilla", exact=True).check()
    keeper.answer("Skriv upp")
    expect_closed(keeper)
    expect(keeper.head("Cilla")).to_contain_text("visa par")


def test_a_refused_form_is_a_page_again_without_scripts(phone_without_js: Page) -> None:
    """The sheet as a page has what was typed, and the reason at its field."""
    keeper = Keeper(phone_without_js)
    keeper.open_table(*PLAYERS)
    keeper.look_up("Bo")
    points = keeper.sheet.locator("input[name=points]")
    points.fill("sju")
    keeper.sheet.get_by_role("button", name="Rätta", exact=True).click()
    expect(points).to_have_value("sju")
    expect(points).to_be_focused()
    points.fill("7")
    keeper.sheet.get_by_role("button", name="Rätta", exact=True).click()
    keeper.expect_scores(0, 7, 0, 0)
