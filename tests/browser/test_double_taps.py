"""Taps that come twice, or whose answer is lost."""

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.tables import ANNA_PAIR, BO_FLUSH, lose_answers, recorded

NOON = datetime(2026, 6, 6, 12, tzinfo=UTC)
BOUNCE = timedelta(seconds=0.5)


@pytest.fixture
def keeper(phone: Page) -> Keeper:
    """Return a keeper's phone with a table open."""
    return opened(phone)


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


def test_a_double_tap_books_once(keeper: Keeper) -> None:
    """Two taps as fast as a finger can are one fact."""
    with keeper.booking():
        keeper.cell("pair", "Anna").dblclick()
    expect(keeper.undo_button).to_contain_text("Anna par")
    keeper.tap("flush", "Bo")
    keeper.expect_scores(1, 5, 0, 0)
    assert recorded(keeper.page) == [ANNA_PAIR, BO_FLUSH]


def test_a_second_tap_half_a_second_later_is_still_the_same_tap(phone: Page) -> None:
    """A finger that bounces on a fast server hits the next step's cell; a tap later on counts."""
    keeper = opened(phone)
    phone.clock.set_fixed_time(NOON)
    keeper.tap("pair", "Anna")
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
