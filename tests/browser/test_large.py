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
    "tablet": {"viewport": {"width": 1024, "height": 768}},
}
# What is shown is wholly on the screen; what does not fit is left out, not cut in two.
CUT_OFF = """
    () => [...document.querySelectorAll(
        ".top *, .head, .head *, .middle :is(li, p, h2, td, tbody th, b, svg, .deal), "
        + "#curve svg, #curve use, #curve p, #curve figcaption"
    )].flatMap((part) => {
        const {left, right, top, bottom, width} = part.getBoundingClientRect();
        const list = part.closest(".sheet")?.getBoundingClientRect();
        const leftOut = list && left >= list.right - 1;
        const fits = left >= -1 && top >= -1
            && right <= innerWidth + 1 && bottom <= innerHeight + 1;
        return fits || leftOut || !width ? [] : [`${part.outerHTML} ${[left, right, top, bottom]}`];
    })
"""
SCROLLS = """
    () => [...document.querySelectorAll("html, body, .heads, .middle, .result, #curve, .own")]
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
    """Scores, what is due, the score sheet and the curve: nothing to scroll, nothing cut off."""
    keeper = Keeper(phone)
    keeper.open_table(*NAMES[:players])
    large = reader_of(keeper, new_phone(**SCREENS[screen], is_mobile=False))
    expect_all_in_sight(large.page)
    for deal in range(3):
        for row, seat in (("pair", 0), ("three_of_a_kind", 1), ("trick", 2), ("full_house", 3)):
            keeper.tap(row, NAMES[(seat + deal) % players])
    expect(large.page.locator("#deal-3 li")).to_have_count(4)
    expect(large.page.locator("#curve [id*=-line-]")).to_have_count(players)
    expect_all_in_sight(large.page)
    screenshot(large.page, f"large-{screen}-{players}")
    phone.get_by_role("link", name="Mer", exact=True).click()
    keeper.answer("Bryt partiet – ställningen gäller")
    expect_all_in_sight(large.page, ".payments")
    screenshot(large.page, f"large-{screen}-{players}-over")


def expect_all_in_sight(page: Page, what: str = "#curve .plot") -> None:
    """Nothing scrolls, and nothing that is shown ends beyond the edge."""
    expect(page.locator(what)).to_be_visible()
    # What glides to its place is there.
    expect(page.locator("[style*=translate]")).to_have_count(0)
    assert page.evaluate(SCROLLS) == []
    assert page.evaluate(CUT_OFF) == []


def test_the_curve_follows_the_game(phone: Page, new_phone: NewPhone) -> None:
    """Each change is in the curve as well, and the page keeps its own name."""
    keeper = Keeper(phone)
    keeper.open_table("Anna", "Bo")
    large = reader_of(keeper, new_phone(**SCREENS["1280x720"], is_mobile=False))
    line = large.page.locator("#curve [id*=-line-]").first
    expect(line).to_have_attribute("d", "M0 1000")
    keeper.tap("pair", "Anna")
    expect(line).not_to_have_attribute("d", "M0 1000")
    expect(large.page).to_have_title("Chicago")


def test_a_large_view_by_standing_stays_so(phone: Page, new_phone: NewPhone) -> None:
    """Whoever is ahead comes first, heads and columns alike, also when the page is loaded anew."""
    keeper = Keeper(phone)
    keeper.open_table("Anna", "Bo", "Cilla")
    large = reader_of(keeper, new_phone(**SCREENS["1280x720"], is_mobile=False)).page
    large.get_by_role("link", name="Ordna efter ställning").click()
    keeper.tap("pair", "Cilla")
    for loads in range(2):
        expect(large.locator(".head .name")).to_have_text(["Cilla", "Anna", "Bo"])
        expect(large.locator(".names b")).to_have_text(["Cilla", "Anna", "Bo"])
        expect(large.locator("#live")).to_have_class("on")
        if not loads:
            large.reload()
    keeper.tap("flush", "Bo")
    expect(large.locator(".head .name")).to_have_text(["Bo", "Cilla", "Anna"])
    large.get_by_role("link", name="Ordna efter plats").click()
    expect(large.locator(".head .name")).to_have_text(["Anna", "Bo", "Cilla"])


def test_whatever_is_recorded_a_reader_asks_for_nothing_more(
    phone: Page, new_phone: NewPhone
) -> None:
    """The score sheet and the curve come with the change itself."""
    keeper = Keeper(phone)
    keeper.open_table("Anna", "Bo")
    page = new_phone()
    reader = reader_of(keeper, page)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    keeper.tap("pair", "Anna")
    reader.expect_scores(1, 0)
    expect(page.locator("#curve [id*=-line-]").first).not_to_have_attribute("d", "M0 1000")
    assert [url for url in asked if "/t/" in url] == []
