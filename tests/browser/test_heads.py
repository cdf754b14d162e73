"""The players' heads: scores legible across the table, names whole, letters large enough."""

from __future__ import annotations

from playwright.sync_api import Browser, Page

from tests.browser.keeper import Keeper
from tests.browser.serving import Server
from tests.screens.phone import open_table
from tests.screens.scenes import LONG, Event

FOUR = ("Anna", "Bo", "Cecilia", "Daniel")
# Smallest letters that can be read at a glance, in px.
LEAST_CHIP, LEAST_OF_EIGHT, LEAST_SCORE = 11, 26, 36
SIZES = """
    (parts) => [...document.querySelectorAll(parts)]
        .map((part) => parseFloat(getComputedStyle(part).fontSize))
"""
NOT_WHOLE = """
    () => [...document.querySelectorAll(".head .name")]
        .filter((name) => name.scrollWidth > name.clientWidth)
        .map((name) => name.textContent)
"""
UNDER_THE_BAR = """
    () => {
        const bar = document.querySelector(".bar").getBoundingClientRect().top;
        return [...document.querySelectorAll(".row")]
            .filter((row) => row.getBoundingClientRect().bottom > bar).map((row) => row.id);
    }
"""
HEIGHTS = "() => [...document.querySelectorAll('.head')].map((head) => head.offsetHeight)"
# Every player is above the stop or the target, or has a hand to show.
STANDING = (46, 50, 31, 48, 46, 51, 46, 49)
CROWDED: dict[str, tuple[Event, ...]] = {
    "much is told of everybody": tuple(
        {"event": "correction", "player": name, "points": points}
        for name, points in zip(LONG, STANDING, strict=True)
    ),
    "in the next deal, of exchanges": (
        {"event": "no_best_hand"},
        {"event": "no_best_hand"},
        {"event": "last_trick", "player": LONG[2]},
        {"event": "no_best_hand"},
        {"event": "best_hand", "player": LONG[4], "hand": "two_pairs"},
    ),
    "somebody zeroes everybody": (
        {"event": "best_hand", "player": LONG[4], "hand": "four_of_a_kind", "choose": "zero"},
    ),
}


def sizes(page: Page, parts: str) -> list[float]:
    """Return the font sizes of some elements, in px."""
    found: list[float] = page.evaluate(SIZES, parts)
    assert found, f"There is no {parts}."
    return found


def test_four_players_read_their_scores_across_the_table(phone: Page) -> None:
    """Scores are large at every step, and the rows keep their places below any banner."""
    keeper = Keeper(phone)
    keeper.open_table(*FOUR)
    rows, title = keeper.rows(), keeper.title.inner_text()
    keeper.correct("Daniel", "46")
    assert keeper.rows() == rows
    for _ in FOUR:
        assert phone.evaluate(NOT_WHOLE) == []
        assert min(sizes(phone, ".score")) >= LEAST_SCORE
        keeper.tap("pair", "Cecilia")
        keeper.tap("pair", "Bo")
        assert min(sizes(phone, ".score")) >= LEAST_SCORE
        assert min(sizes(phone, ".chip")) >= LEAST_CHIP
        keeper.tap("trick", "Anna")
        keeper.tap("nobody")
    assert keeper.title.inner_text() == title, "Not at the first exchange."
    assert keeper.rows() == rows
    keeper.tap_rare("Fyrtal (nollar)", "Bo")
    assert keeper.rows() == rows


def test_eight_players_have_all_rows_in_sight(browser: Browser, server: Server) -> None:
    """Any number of notices keeps the rows in sight, and the heads keep their height."""
    table = open_table(browser, server.url, "sv-SE", LONG)
    table.page.set_viewport_size({"width": 360, "height": 780})
    heights = set()
    for name, events in CROWDED.items():
        table.record(events)
        table.page.goto(table.address)
        assert table.page.evaluate(UNDER_THE_BAR) == [], name
        assert min(sizes(table.page, ".score")) >= LEAST_OF_EIGHT
        assert min(sizes(table.page, ".chip")) >= LEAST_CHIP
        heights.update(table.page.evaluate(HEIGHTS))
    shown = table.page.locator(".head .name").all_inner_texts()
    table.close()
    assert len(heights) == 1
    assert len(set(shown)) == len(LONG), "Two names look alike."
