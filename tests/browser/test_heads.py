"""The players' heads: scores read across the table, names whole and upright, words large enough."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import NewPhone
from tests.browser.keeper import Keeper
from tests.browser.test_eight_players import NAMES, expect_all_fits

FOUR = ("Anna", "Bo", "Cecilia", "Daniel")
# What must be read at a glance, in px.
LEAST_CHIP, LEAST_OF_EIGHT, LEAST_SCORE, LARGE_SCORE = 13, 26, 28, 44
SIZES = """
    (parts) => [...document.querySelectorAll(parts)]
        .map((part) => parseFloat(getComputedStyle(part).fontSize))
"""
NOT_WHOLE = """
    () => [...document.querySelectorAll(".head .name")]
        .filter((name) => name.scrollWidth > name.clientWidth)
        .map((name) => name.textContent)
"""
# What a browser's own setting does: everything measured in letters gets twice as large.
TWICE = """
    () => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync("html { font-size: 200% !important }");
        document.adoptedStyleSheets = [sheet];
    }
"""
ON_ITS_SIDE = {"width": 780, "height": 360}
UPRIGHT = {"width": 360, "height": 780}


def sizes(page: Page, parts: str) -> list[float]:
    """Return how large the letters of some parts are, in px."""
    found: list[float] = page.evaluate(SIZES, parts)
    assert found, f"There is no {parts}."
    return found


def test_four_players_read_their_scores_across_the_table(phone: Page) -> None:
    """Where the grid is short the scores take its room; the dealer's mark takes no letters."""
    keeper = Keeper(phone)
    keeper.open_table(*FOUR)
    keeper.correct("Daniel", "47")
    for _ in FOUR:
        assert phone.evaluate(NOT_WHOLE) == []
        assert min(sizes(phone, ".score")) >= LEAST_SCORE
        keeper.tap("pair", "Cecilia")
        keeper.tap("pair", "Bo")
        assert min(sizes(phone, ".score")) >= LARGE_SCORE
        assert min(sizes(phone, ".chip")) >= LEAST_CHIP
        keeper.tap("trick", "Anna")
        keeper.tap("nobody")


def test_rows_stay_whatever_is_told_above_them(phone: Page) -> None:
    """A thumb finds each row where it was: after an exchange, and after a shout."""
    keeper = Keeper(phone)
    keeper.open_table(*FOUR)
    rows = keeper.rows()
    keeper.correct("Daniel", "46")
    assert keeper.rows() == rows
    keeper.tap("pair", "Cecilia")
    assert keeper.rows() == rows
    keeper.cell("four_of_a_kind", "Bo").click()
    keeper.answer("Nolla alla andra")
    assert keeper.rows() == rows


@pytest.mark.parametrize("width", [320, 360])
def test_eight_players_are_read_upright(new_phone: NewPhone, width: int) -> None:
    """No name lies on its side, and no score or word gets too small to read."""
    keeper = Keeper(new_phone(viewport={"width": width, "height": 780}))
    keeper.open_table(*NAMES)
    keeper.tap("pair", NAMES[0])
    modes = "() => getComputedStyle(document.querySelector('.name')).writingMode"
    assert keeper.page.evaluate(modes) == "horizontal-tb"
    assert min(sizes(keeper.page, ".score")) >= LEAST_OF_EIGHT
    assert min(sizes(keeper.page, ".chip")) >= LEAST_CHIP


@pytest.mark.parametrize("viewport", [UPRIGHT, ON_ITS_SIDE], ids=["upright", "on its side"])
def test_letters_twice_as_large_cover_nothing(
    new_phone: NewPhone, viewport: dict[str, Any]
) -> None:
    """The page scrolls instead: nothing is wider than the screen, and everything can be hit."""
    keeper = Keeper(new_phone(viewport=viewport, forced_colors="active"))
    keeper.open_table(*NAMES[:5])
    keeper.tap("pair", NAMES[0])
    keeper.page.evaluate(TWICE)
    expect_all_fits(keeper.page, ".cell, .whom, .head, .bar button, .bar a")
    keeper.page.get_by_role("link", name="Mer", exact=True).click()
    keeper.answer("Bryt partiet – ställningen gäller")
    expect_all_fits(keeper.page, ".head, .result button, .result a, .bar a")
