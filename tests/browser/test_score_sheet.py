"""The score sheet on a phone: numbers under their names, and names that can be read."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.keeper import Keeper
from tests.browser.tables import link
from tests.long_games import long_game
from tests.screens.scenes import LONG

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


def test_numbers_stand_under_their_names(phone: Page) -> None:
    """Whatever else stands in a row, and however many they are."""
    keeper = Keeper(phone)
    keeper.open_table(*EIGHT)
    keeper.tap("pair", EIGHT[0])
    sheet = phone.context.new_page()
    sheet.goto(f"{link(phone)}/games/1")
    names = sheet.evaluate(MIDDLES, ".sheet .names b")
    numbers = sheet.evaluate(MIDDLES, ".sheet .column b")
    assert len(names) == len(EIGHT)
    assert names == pytest.approx(numbers, abs=2.5)


@pytest.fixture
def long_sheet(phone: Page) -> Page:
    """Return the score sheet of sixty deals among eight with the longest names, just opened."""
    phone.goto("/files")
    content = json.dumps(long_game(LONG, 60)).encode()
    upload = {"name": "game.json", "mimeType": "application/json", "buffer": content}
    phone.locator("input[type=file]").set_input_files(upload)  # type: ignore[arg-type]  # a payload, as playwright documents it
    phone.locator("button.go").click()
    phone.wait_for_url(re.compile("/t/"))
    phone.goto(f"{link(phone)}/protocol")
    return phone


def test_a_long_game_opens_at_its_newest_deal_and_prints_on_one_page(long_sheet: Page) -> None:
    """Older deals unfold below what was tapped, which stays; on paper marks have their words."""
    assert long_sheet.evaluate("scrollY") == 0
    expect(long_sheet.locator("#deal-60 .way-in").first).to_be_in_viewport(ratio=1)
    folded = long_sheet.locator("#deals-31-40")
    folded.scroll_into_view_if_needed()
    before = folded.bounding_box()
    folded.click()
    expect(long_sheet.locator("#deal-40 summary")).to_be_visible()
    assert folded.bounding_box() == before
    expect(folded).to_be_focused()
    folded.click()
    expect(long_sheet.locator("#deal-40 summary")).to_be_hidden()
    long_sheet.goto(f"{link(long_sheet)}/games/1/print")
    expect(long_sheet.get_by_text("Chicagon gick hem")).to_be_visible()
    pdf = long_sheet.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 1
