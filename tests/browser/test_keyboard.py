"""The keeper's screen by keyboard and by ear: a grid, a focus that is never lost, one voice."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPhone
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.tables import eventually, reader_of, recorded

# Notes which live regions change, each once for all that changes at a time; behind a sheet none is
# read out.
LISTENING = """
    window.heardAloud = [];
    new MutationObserver((changes) => {
        const regions = new Set(changes.map(({target}) => {
            const part = target.nodeType === 1 ? target : target.parentElement;
            return part?.closest("[aria-live], [role=status], [role=alert], output");
        }).filter(Boolean));
        for (const region of regions) {
            const behind = document.querySelector(":modal") && !region.closest(":modal");
            const words = !behind && region.checkVisibility() && region.textContent.trim();
            if (words) window.heardAloud.push(words);
        }
    }).observe(document, {subtree: true, childList: true, characterData: true});
"""


@pytest.fixture
def tolerated() -> list[str]:
    """Return what the console says of refused taps."""
    return ["Failed to load resource"]


def focused(page: Page) -> str:
    """What the focus is on, in words."""
    return str(
        page.evaluate(
            "document.activeElement.ariaLabel || document.activeElement.textContent.trim()"
        )
    )


def expect_heard(page: Page, sentences: list[str]) -> None:
    """Each was read out, and soon after still none of them twice."""
    eventually(page, "(count) => heardAloud.length >= count", len(sentences))
    page.wait_for_timeout(300)
    assert page.evaluate("heardAloud") == sentences


def press(page: Page, *keys: str) -> str:
    """Press keys; return what the focus is on then."""
    for key in keys:
        page.keyboard.press(key)
    return focused(page)


def test_a_whole_deal_with_the_keyboard_only(keeper: Keeper) -> None:
    """Four facts, a sheet among them, and the focus is in the grid after each."""
    page = keeper.page
    tab_into_the_grid(page)
    with keeper.booking():
        page.keyboard.press("Enter")
    assert focused(page) == "Anna: Par"
    assert press(page, "ArrowRight", *["ArrowDown"] * 6) == "Bo: Fyrtal"
    page.keyboard.press("Enter")
    expect(keeper.sheet.get_by_role("heading", level=2)).to_be_focused()
    assert press(page, "Tab", "Tab") == "8 poäng"
    with keeper.booking():
        page.keyboard.press("Enter")
    expect(keeper.sheet).to_have_count(0)
    eventually(page, "document.activeElement.matches('.cell')")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowUp")
    assert press(page, *["ArrowUp"] * 9, "ArrowRight") == "Bo: Sista stick"
    with keeper.booking():
        page.keyboard.press("Enter")
    eventually(page, "document.activeElement.matches('.cell')")
    assert focused(page) == "Bo: Par"
    assert press(page, "End", "ArrowDown") == "Dan: Två par"
    with keeper.booking():
        page.keyboard.press("Enter")
    keeper.expect_scores(1, 13, 0, 2)
    eventually(page, "document.activeElement.matches('.cell')")
    assert len(recorded(page)) == 4


def tab_into_the_grid(page: Page) -> None:
    """Go on with Tab until the grid has the focus, which it takes once."""
    for _ in range(20):
        if press(page, "Tab") == "Anna: Par":
            return
    raise AssertionError("The grid was never reached.")


def test_arrows_move_in_the_grid(keeper: Keeper) -> None:
    """To every cell, dimmed ones too, to the ends of a row, and past rows with fewer cells."""
    page = keeper.page
    keeper.cell("pair", "Anna").focus()
    assert press(page, "ArrowUp") == "Anna: Par"
    assert press(page, "ArrowLeft") == "Anna: Par"
    assert press(page, "End") == "Dan: Par"
    assert press(page, "ArrowRight") == "Dan: Par"
    assert press(page, *["ArrowDown"] * 30) == "Lika händer"
    assert press(page, "ArrowLeft") == "Ingen"
    assert press(page, "ArrowUp") == "Dan: Royal"
    assert press(page, "Home") == "Anna: Royal"
    keeper.tap("pair", "Anna")
    keeper.tap("flush", "Bo")
    keeper.cell("trick", "Cilla").focus()
    assert press(page, "ArrowDown") == "Cilla: Chicago"
    expect(keeper.cell("chicago", "Cilla")).to_have_attribute("aria-disabled", "true")
    keeper.page.keyboard.press("Tab")
    assert page.evaluate("!document.activeElement.matches('.cell')")
    assert press(page, "Shift+Tab") == "Cilla: Chicago"


def test_arrows_move_in_a_list(phone: Page) -> None:
    """Where a row asks whom, from row to row; one in which nothing is open says so."""
    keeper = Keeper(phone)
    keeper.open_table(*PLAYERS, "Eva", "Filip", "Gun", "Hans")
    keeper.tap("pair", "Anna")
    keeper.tap("nobody")
    phone.locator("#row-trick .whom").focus()
    assert press(phone, "ArrowRight") == "Sista stick"
    assert press(phone, "ArrowDown") == "Chicago"
    bid = phone.get_by_role("grid").get_by_role("link", name="Chicago", exact=True)
    expect(bid).to_have_attribute("aria-disabled", "true")
    phone.keyboard.press("Enter")
    expect(keeper.sheet.get_by_role("heading", level=2)).to_be_focused()
    assert press(phone, "Tab", "Tab") == "Anna: Chicago"
    phone.keyboard.press("Enter")
    expect(keeper.said).to_have_text("Anna får inte ropa chicago än: 1 poäng, 15 behövs.")
    phone.keyboard.press("Escape")
    expect(keeper.sheet).to_have_count(0)
    expect(bid).to_be_focused()


def test_the_grid_is_a_table_with_headers(keeper: Keeper) -> None:
    """A column for each player, a row for each hand, and in them the cells."""
    grid = keeper.page.get_by_role("grid")
    expect(grid.get_by_role("columnheader")).to_have_text(["", "Anna", "Bo", "Cilla", "Dan"])
    row = grid.get_by_role("row").filter(has_text="Två par")
    expect(row.get_by_role("rowheader")).to_contain_text("Två par")
    expect(row.get_by_role("gridcell")).to_have_count(4)


def test_the_focus_is_never_lost(keeper: Keeper) -> None:
    """What had it may be gone after a tap: then what is due has it."""
    page = keeper.page
    keeper.tap("pair", "Anna")
    keeper.undo()
    page.locator(".redo").focus()
    with keeper.booking():
        page.keyboard.press("Enter")
    expect(keeper.undo_button).to_be_focused()
    keeper.cell("royal_flush", "Cilla").focus()
    page.keyboard.press("Enter")
    expect(keeper.sheet.get_by_role("heading", level=2)).to_be_focused()
    assert press(page, "Tab", "Tab") == "Cilla vinner partiet med 52 poäng"
    with keeper.booking():
        page.keyboard.press("Enter")
    expect(page.locator(".result .go")).to_be_focused()
    with keeper.booking():
        page.keyboard.press("Enter")
    eventually(page, "document.activeElement.matches('.cell')")


def test_a_change_is_announced_once(keeper: Keeper, new_phone: NewPhone) -> None:
    """One sentence for whoever wrote it, and the same for whoever follows along."""
    reader = reader_of(keeper, new_phone())
    for phone in (keeper, reader):
        phone.page.evaluate(LISTENING)
    keeper.tap("pair", "Anna")
    # Else the reader may be shown both at once.
    eventually(reader.page, "heardAloud.length === 1")
    keeper.tap("flush", "Bo")
    reader.expect_scores(1, 5, 0, 0)
    sentences = [
        "Senast: Anna får +1 för par. Andra köpet – bästa hand?",
        "Senast: Bo får +5 för färg. Spelet – sista stick?",
    ]
    for phone in (keeper, reader):
        expect_heard(phone.page, sentences)
    keeper.cell("chicago", "Cilla").click(force=True)
    expect(keeper.said).not_to_be_empty()
    eventually(keeper.page, "heardAloud.length === 3")
    assert reader.page.evaluate("heardAloud") == sentences


def test_what_a_sheet_records_is_announced_once_too(keeper: Keeper, new_phone: NewPhone) -> None:
    """When the sheet is gone, for nobody hears what changes behind it."""
    page, reader = keeper.page, reader_of(keeper, new_phone())
    keeper.tap("pair", "Anna")
    reader.expect_scores(1, 0, 0, 0)
    for phone in (page, reader.page):
        phone.evaluate(LISTENING)
    keeper.look_up("Bo")
    keeper.close()
    page.wait_for_timeout(100)
    assert page.evaluate("heardAloud") == []
    keeper.cell("four_of_a_kind", "Dan").click()
    keeper.answer("Nolla alla andra")
    eventually(reader.page, "heardAloud.length === 1")
    keeper.correct("Bo", "7")
    reader.expect_scores(0, 7, 0, 0)
    due = "Första köpet – bästa hand?"
    sentences = [
        f"Senast: Dan nollar med fyrtal; Anna nollas av Dan (fyrtal): −1. {due}",
        f"Senast: Rättelse för Bo: +7. {due}",
    ]
    for phone in (page, reader.page):
        expect_heard(phone, sentences)
