"""Taps that come twice, or whose answer is lost."""

from datetime import UTC, datetime, timedelta

from playwright.sync_api import Page, Route, expect

from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.tables import ANNA_PAIR, lose_answers, recorded

NOON = datetime(2026, 6, 6, 12, tzinfo=UTC)
BOUNCE = timedelta(seconds=0.5)


def opened(page: Page) -> Keeper:
    """Return the phone after it has opened a table."""
    keeper = Keeper(page)
    keeper.open_table(*PLAYERS)
    return keeper


def stay_stale(page: Page, tolerated: list[str]) -> None:
    """Cut a page off from what others record, as a bad network does."""
    tolerated.append("net::ERR_FAILED")

    def cut(route: Route) -> None:
        if route.request.resource_type == "eventsource":
            route.abort()
        else:
            route.fallback()

    page.route("**/*", cut)


def test_a_tap_that_comes_twice_within_half_a_second_books_once(phone: Page) -> None:
    """A finger that bounces on a fast server hits the next step's cell; a tap later on counts."""
    keeper = opened(phone)
    phone.clock.set_fixed_time(NOON)
    with keeper.booking():
        keeper.cell("pair", "Anna").dblclick()
    expect(keeper.undo_button).to_contain_text("Anna par")
    keeper.cell("pair", "Anna").click()
    phone.clock.set_fixed_time(NOON + BOUNCE)
    keeper.tap("pair", "Anna")
    keeper.expect_scores(2, 0, 0, 0)
    assert recorded(keeper.page) == [ANNA_PAIR, ANNA_PAIR]


def test_a_tap_without_an_answer_is_repeated_by_itself_and_books_once(
    phone: Page, tolerated: list[str]
) -> None:
    """The answer got lost after the fact was written: asking again does not write another."""
    stay_stale(phone, tolerated)
    keeper = opened(phone)
    lose_answers(phone, "**/events")
    keeper.cell("pair", "Anna").click()
    expect(phone.locator("#unsent")).to_contain_text("Anna: Par – inte sparat än")
    phone.unroute("**/events")
    keeper.expect_scores(1, 0, 0, 0)
    expect(phone.locator("#unsent")).to_be_hidden()
    assert recorded(keeper.page) == [ANNA_PAIR]
