"""Taps that waited and cannot simply be written: the person decides, with both versions in sight.

Every test ends by looking at what the server holds.
"""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import NewPhone
from tests.browser.keeper import Keeper
from tests.browser.tables import ANNA_PAIR, BO_FLUSH, GLANCE, cut, recorded, second_pen
from tests.browser.unsent import (
    correct_unheard,
    correction,
    expect_written,
    tap_unheard,
    unsent,
    with_sheets,
)


def test_when_somebody_else_has_written_the_person_decides(
    keeper: Keeper, new_phone: NewPhone, screenshot: Callable[[Page, str], Path]
) -> None:
    """Both versions are in sight, nothing is sent by itself, and what is sent then is on top."""
    other = second_pen(keeper, new_phone)
    cut(with_sheets(keeper).page)
    tap_unheard(keeper, "flush", "Bo", 1)
    correct_unheard(keeper, "Anna", 7, 2)
    other.tap("pair", "Anna")
    cut(keeper.page, off=False)
    expect(unsent(keeper)).to_contain_text("Skrivet senast: Anna par")
    expect(unsent(keeper).locator("li span")).to_have_text(["Bo: Färg", "Anna – Rätta, 7"])
    keeper.expect_scores(1, 0, 0, 0)
    keeper.cell("flush", "Dan").click()
    expect(unsent(keeper)).to_contain_text("Bestäm först")
    expect(unsent(keeper).get_by_role("button", name="Skicka")).to_be_focused()
    screenshot(keeper.page, "offline-decide")
    assert recorded(keeper.page) == [ANNA_PAIR]
    unsent(keeper).get_by_role("button", name="Släng", exact=True).nth(1).click()
    unsent(keeper).get_by_role("button", name="Skicka").click()
    keeper.expect_scores(1, 5, 0, 0)
    expect_written(keeper, ANNA_PAIR, BO_FLUSH)


def test_the_person_may_drop_what_somebody_else_has_written_meanwhile(
    keeper: Keeper, new_phone: NewPhone
) -> None:
    """Dropped is dropped: the other phone's version stands alone."""
    other = second_pen(keeper, new_phone)
    cut(keeper.page)
    tap_unheard(keeper, "pair", "Anna", 1)
    other.tap("pair", "Anna")
    cut(keeper.page, off=False)
    unsent(keeper).get_by_role("button", name="Släng det").click()
    expect_written(keeper, ANNA_PAIR)
    keeper.tap("flush", "Bo")
    expect_written(keeper, ANNA_PAIR, BO_FLUSH)


def test_what_comes_after_an_answer_that_was_lost_is_not_sent_past_another(
    keeper: Keeper, new_phone: NewPhone
) -> None:
    """The first tap was written, somebody wrote after it: the second tap waits for a decision."""
    other = second_pen(keeper, new_phone)

    def lose(route: Route) -> None:
        route.fetch()
        keeper.page.context.set_offline(True)
        route.abort()

    keeper.page.route("**/events", lose, times=1)
    correct_unheard(with_sheets(keeper), "Dan", 7, 1)
    tap_unheard(keeper, "pair", "Anna", 2)
    other.expect_scores(0, 0, 0, 7)
    other.page.wait_for_timeout(GLANCE)
    other.tap("flush", "Bo")
    cut(keeper.page, off=False)
    expect(unsent(keeper)).to_contain_text("Skrivet senast: Bo färg")
    expect(unsent(keeper).locator("li span")).to_have_text(["Anna: Par"])
    assert recorded(keeper.page) == [correction("Dan", 7), BO_FLUSH]
    unsent(keeper).get_by_role("button", name="Släng det").click()
    expect_written(keeper, correction("Dan", 7), BO_FLUSH)


def test_what_the_rules_refuse_is_said_and_kept_until_dropped(keeper: Keeper) -> None:
    """A score can hardly be a million: what went before is written, this is shown."""
    cut(with_sheets(keeper).page)
    tap_unheard(keeper, "pair", "Anna", 1)
    correct_unheard(keeper, "Dan", 1_000_000, 2)
    cut(keeper.page, off=False)
    expect(unsent(keeper).locator(".count")).to_have_text("1")
    expect(unsent(keeper)).to_contain_text("Dan – Rätta, 1000000 – inte sparat än")
    unsent(keeper).get_by_role("button", name="Skicka").click()
    expect(unsent(keeper).locator(".choice")).to_be_visible()
    unsent(keeper).get_by_role("button", name="Släng det").click()
    expect_written(keeper, ANNA_PAIR)
