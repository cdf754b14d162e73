"""The score sheet on a phone: numbers under their names, and names that can be read."""

import pytest
from playwright.sync_api import Page

from tests.browser.keeper import Keeper
from tests.browser.tables import link

EIGHT = (
    "Anna-Karin Lindström",
    "Bo",
    "Cecilia Svensson-Ek",
    "Daniel",
    "Eva-Lotta Johansson",
    "Fredrik",
    "Gunilla von Essen",
    "Håkan",
)
MIDDLES = """(selector) => [...document.querySelectorAll(selector)].map((each) => {
    const {left, right} = each.getBoundingClientRect();
    return (left + right) / 2;
})"""


def open_sheet(page: Page, count: int) -> Page:
    """Open the score sheet of a game in which somebody had a pair, on a page of its own."""
    keeper = Keeper(page)
    keeper.open_table(*EIGHT[:count])
    keeper.tap("pair", EIGHT[0])
    sheet = page.context.new_page()
    sheet.goto(f"{link(page)}/games/1")
    return sheet


@pytest.mark.parametrize("count", [2, 4, 6, 8])
def test_numbers_stand_under_their_names(phone: Page, count: int) -> None:
    """Whatever else stands in a row."""
    sheet = open_sheet(phone, count)
    names = sheet.evaluate(MIDDLES, ".sheet .names b")
    numbers = sheet.evaluate(MIDDLES, ".sheet .column b")
    assert len(names) == count
    assert names == pytest.approx(numbers, abs=2.5)


def test_eight_names_stand_upright_and_break_between_words_alone(phone: Page) -> None:
    """On two lines at most: a word too long for its column is cut with an ellipsis."""
    looks = open_sheet(phone, 8).evaluate(
        """() => [...document.querySelectorAll(".sheet .names b")].map((name) => {
            const {writingMode, textOverflow, overflowWrap, fontSize} = getComputedStyle(name);
            return [writingMode, textOverflow, overflowWrap, parseFloat(fontSize) >= 12,
                name.scrollHeight <= name.clientHeight + 1];
        })"""
    )
    assert looks == [["horizontal-tb", "ellipsis", "normal", True, True]] * 8
