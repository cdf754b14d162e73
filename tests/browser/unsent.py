"""Taps without an answer: their making, and their end."""

from playwright.sync_api import Locator, expect

from tests.browser.keeper import Keeper
from tests.browser.tables import recorded


def unsent(keeper: Keeper) -> Locator:
    """Return the marks of taps that are not recorded yet."""
    return keeper.page.locator("#unsent")


def tap_without_answer(keeper: Keeper, row: str, player: str, waiting: int) -> None:
    """Tap a cell without an answer; `waiting` taps are unsent then."""
    keeper.cell(row, player).click()
    expect(unsent(keeper)).to_be_visible()
    expect(unsent(keeper).locator(".count")).to_have_text(str(waiting))


def with_sheets(keeper: Keeper) -> Keeper:
    """Wait until a phone has prefetched the sheets of the table on its screen."""
    of, seq = "'#sheets').dataset.of", "'#table').dataset.seq"
    keeper.page.wait_for_function(
        f"() => document.querySelector({of} === document.querySelector({seq}"
    )
    return keeper


def correction(player: str, points: int) -> dict[str, object]:
    """Return a correction as a game file holds it."""
    return {"event": "correction", "player": player, "points": points}


def correct_without_answer(keeper: Keeper, player: str, points: int, waiting: int) -> None:
    """Correct a score on a sheet without an answer; `waiting` taps are unsent then."""
    keeper.look_up(player)
    keeper.sheet.locator("input[name=points]").fill(str(points))
    keeper.sheet.get_by_role("button", name="Rätta", exact=True).click()
    expect(unsent(keeper).locator(".count")).to_have_text(str(waiting))
    keeper.expect_no_sheet()


def expect_written(keeper: Keeper, *events: dict[str, object]) -> None:
    """Check that nothing is unsent any more, and that the server holds these events."""
    expect(unsent(keeper)).to_be_hidden()
    expect(keeper.page.locator(".pending")).to_have_count(0)
    assert recorded(keeper.page) == list(events)
