"""Taps that come twice."""

from datetime import UTC, datetime, timedelta

from playwright.sync_api import Page, expect

from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.tables import ANNA_PAIR, recorded

NOON = datetime(2026, 6, 6, 12, tzinfo=UTC)
BOUNCE, SOON = timedelta(seconds=1), timedelta(seconds=3)


def test_a_tap_that_comes_twice_is_asked_about(phone: Page) -> None:
    """A finger that bounces on a fast server hits the next step's cell: that was one tap.

    Soon after it is asked whether it happened twice; a tap later on counts at once.
    """
    keeper = Keeper(phone)
    keeper.open_table(*PLAYERS)
    phone.clock.set_fixed_time(NOON)
    with keeper.booking():
        keeper.cell("pair", "Anna").dblclick()
    expect(keeper.undo_button).to_contain_text("Anna par")
    keeper.cell("pair", "Anna").click()
    expect(keeper.said).to_be_empty()
    phone.clock.set_fixed_time(NOON + BOUNCE)
    keeper.cell("pair", "Anna").click()
    expect(keeper.said).to_contain_text("redan skrivet")
    assert recorded(keeper.page) == [ANNA_PAIR]
    keeper.tap("pair", "Anna")
    keeper.expect_scores(2, 0, 0, 0)
    keeper.tap("trick", "Bo")
    phone.clock.set_fixed_time(NOON + BOUNCE + SOON)
    keeper.tap("pair", "Anna")
    assert recorded(keeper.page).count(ANNA_PAIR) == 3


def test_the_cell_that_was_tapped_says_so_for_a_moment(phone: Page) -> None:
    """It is marked when the table has the fact, and a refusal marks nothing."""
    keeper = Keeper(phone)
    keeper.open_table(*PLAYERS)
    phone.clock.install(time=NOON)
    keeper.tap("pair", "Anna")
    expect(keeper.cell("pair", "Anna")).to_have_class("cell done")
    phone.clock.run_for(1000)
    expect(keeper.cell("pair", "Anna")).to_have_class("cell")
    keeper.tap("pair", "Bo")
    phone.clock.run_for(1000)
    keeper.cell("chicago", "Dan").click(force=True)
    expect(keeper.said).to_contain_text("får inte ropa")
    expect(keeper.cell("chicago", "Dan")).to_have_class("cell")
