"""The large view: a television shows the whole game, and nobody has to touch it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPhone
from tests.browser.keeper import Keeper
from tests.browser.tables import reader_of
from tests.browser.test_eight_players import NAMES

SCREENS: dict[str, dict[str, Any]] = {
    "1280x720": {"viewport": {"width": 1280, "height": 720}, "color_scheme": "dark"},
    "1920x1080": {"viewport": {"width": 1920, "height": 1080}, "locale": "en-GB"},
    "tablet": {"viewport": {"width": 1024, "height": 768}},
}
# What is shown is wholly on the screen; what does not fit is left out, not cut in two.
CUT_OFF = """
    () => [...document.querySelectorAll(
        ".top *, .head, .head *, .middle :is(li, p, h2, td, tbody th), #curve svg, #curve span"
    )].flatMap((part) => {
        const {left, right, top, bottom, width} = part.getBoundingClientRect();
        const list = part.closest("ul")?.getBoundingClientRect();
        const leftOut = list && left >= list.right - 1;
        const fits = left >= -1 && top >= -1
            && right <= innerWidth + 1 && bottom <= innerHeight + 1;
        return fits || leftOut || !width ? [] : [`${part.outerHTML} ${[left, right, top, bottom]}`];
    })
"""
SCROLLS = """
    () => [...document.querySelectorAll("html, body, .heads, .middle, #curve")]
        .filter((part) => part.scrollHeight > part.clientHeight
            || part.scrollWidth > part.clientWidth)
        .map((part) => part.outerHTML.slice(0, 200))
"""


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("players", [4, 8])
def test_everything_is_in_sight(
    phone: Page,
    new_phone: NewPhone,
    screenshot: Callable[[Page, str], Path],
    screen: str,
    players: int,
) -> None:
    """Scores, what is due, the latest facts and the curve: nothing to scroll, nothing cut off."""
    keeper = Keeper(phone)
    keeper.open_table(*NAMES[:players])
    large = reader_of(keeper, new_phone(**SCREENS[screen], is_mobile=False))
    expect_all_in_sight(large.page)
    for deal in range(3):
        for row, seat in (("pair", 0), ("three_of_a_kind", 1), ("trick", 2), ("full_house", 3)):
            keeper.tap(row, NAMES[(seat + deal) % players])
    expect(large.page.locator(".latest li")).to_have_count(8)
    expect(large.page.locator("#curve polyline")).to_have_count(players)
    expect_all_in_sight(large.page)
    screenshot(large.page, f"large-{screen}-{players}")
    phone.get_by_role("link", name="Mer", exact=True).click()
    keeper.answer("Bryt partiet – ställningen gäller")
    expect_all_in_sight(large.page, ".payments")
    screenshot(large.page, f"large-{screen}-{players}-over")


def expect_all_in_sight(page: Page, what: str = "#curve svg") -> None:
    """Nothing scrolls, and nothing that is shown ends beyond the edge."""
    expect(page.locator(what)).to_be_visible()
    assert page.evaluate(SCROLLS) == []
    assert page.evaluate(CUT_OFF) == []


def test_the_curve_follows_the_game(phone: Page, new_phone: NewPhone) -> None:
    """Each change is in the curve as well, and the page keeps its own name."""
    keeper = Keeper(phone)
    keeper.open_table("Anna", "Bo")
    large = reader_of(keeper, new_phone(**SCREENS["1280x720"], is_mobile=False))
    line = large.page.locator("#curve polyline").first
    expect(line).to_have_attribute("points", "0.0,150.0")
    keeper.tap("pair", "Anna")
    expect(line).not_to_have_attribute("points", "0.0,150.0")
    expect(large.page).to_have_title("Chicago")


def test_an_upright_phone_asks_for_no_curve(phone: Page, new_phone: NewPhone) -> None:
    """What a small screen has no room for is never fetched."""
    keeper = Keeper(phone)
    keeper.open_table("Anna", "Bo")
    page = new_phone()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    reader = reader_of(keeper, page)
    keeper.tap("pair", "Anna")
    reader.expect_scores(1, 0)
    assert [url for url in asked if url.endswith("/protocol")] == []
    expect(page.locator("#curve")).to_be_hidden()
