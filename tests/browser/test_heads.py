"""The players' heads: scores legible across the table, names whole, and all in their place."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.keeper import Keeper
from tests.browser.serving import Server
from tests.screens.boards import boards
from tests.screens.layout import AT_REST, find_moved
from tests.screens.phone import open_table, resize
from tests.screens.scenes import LONG, SHORT

FOUR = ("Anna", "Bo", "Cecilia", "Daniel")
# The least size of a score, in px, by the number of players: read across a table, or beside others.
SCORES = {2: 44, 3: 44, 4: 44, 5: 44, 6: 34, 7: 40, 8: 40}
NAME, SHORT_NAME = 13, 16
SIZES = """
    (parts) => [...document.querySelectorAll(parts)]
        .map((part) => parseFloat(getComputedStyle(part).fontSize))
"""
NOT_WHOLE = """
    () => [...document.querySelectorAll(".head .name")]
        .filter((name) => name.scrollWidth > name.clientWidth)
        .map((name) => name.textContent)
"""


def sizes(page: Page, parts: str) -> list[float]:
    """Return the font sizes of some elements, in px."""
    found: list[float] = page.evaluate(SIZES, parts)
    assert found, f"There is no {parts}."
    return found


@pytest.mark.parametrize(
    ("count", "names"),
    [(2, LONG), (3, SHORT), (4, LONG), (5, SHORT), (5, LONG), (6, LONG), (7, SHORT), (8, LONG)],
    ids=lambda value: {SHORT: "short", LONG: "long"}.get(value, value),
)
def test_heads_stand_still_and_are_read_across_the_table(
    browser: Browser, server: Server, count: int, names: tuple[str, ...]
) -> None:
    """At every step scores are large and names whole and different, and no head moves."""
    table = open_table(browser, server.url, "sv-SE", names[:count], {"preset": "huvudregler"})
    resize(table.page, 390, 664)
    faults, stood = [], dict[str, list[float]]()
    for scene in boards("huvudregler", table.players):
        table.record(scene.events)
        table.page.goto(table.address)
        table.page.evaluate(AT_REST)
        found = [*find_moved(table.page, stood), *find_small(table.page, SCORES[count])]
        faults += [f"{scene.name}: {fault}" for fault in found]
    table.close()
    assert not faults, "\n".join(faults)


def find_small(page: Page, score: float) -> list[str]:
    """Find scores under `score` px, and names that are small, cut off, or like another."""
    found: list[str] = [f"cut: {name}" for name in page.evaluate(NOT_WHOLE)]
    if (size := min(sizes(page, ".score"))) < score:
        found.append(f"score: {size}")
    if (size := min(sizes(page, ".name"))) < NAME:
        found.append(f"name: {size}")
    shown = page.locator(".head .name").all_inner_texts()
    return found if len({*shown}) == len(shown) else [*found, f"alike: {shown}"]


def test_four_short_names_are_large_and_no_tap_moves_a_row(phone: Page) -> None:
    """In a whole deal, with a banner, and after a zeroing, the rows keep their places."""
    keeper = Keeper(phone)
    keeper.open_table(*FOUR)
    rows = keeper.rows()
    assert [*sizes(phone, ".name")][:2] == [SHORT_NAME, SHORT_NAME]
    keeper.correct("Daniel", "46")
    assert keeper.rows() == rows
    keeper.tap("pair", "Cecilia")
    keeper.tap("pair", "Bo")
    keeper.tap("trick", "Anna")
    keeper.tap("nobody")
    assert keeper.rows() == rows
    keeper.tap_rare("Fyrtal (nollar)", "Bo")
    assert keeper.rows() == rows
