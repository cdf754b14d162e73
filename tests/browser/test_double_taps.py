"""Taps that come twice."""

from datetime import UTC, datetime, timedelta

from playwright.sync_api import Page, expect

from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.tables import ANNA_PAIR, recorded

NOON = datetime(2026, 6, 6, 12, tzinfo=UTC)
BOUNCE = timedelta(seconds=0.5)


def test_a_tap_that_comes_twice_within_half_a_second_books_once(phone: Page) -> None:
    """A finger that bounces on a fast server hits the next step's cell; a tap later on counts."""
    keeper = Keeper(phone)
    keeper.open_table(*PLAYERS)
    phone.clock.set_fixed_time(NOON)
    with keeper.booking():
        keeper.cell("pair", "Anna").dblclick()
    expect(keeper.undo_button).to_contain_text("Anna par")
    keeper.cell("pair", "Anna").click()
    phone.clock.set_fixed_time(NOON + BOUNCE)
    keeper.tap("pair", "Anna")
    keeper.expect_scores(2, 0, 0, 0)
    assert recorded(keeper.page) == [ANNA_PAIR, ANNA_PAIR]
