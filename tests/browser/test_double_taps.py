"""Taps that come twice, too late, from another window, or from somebody who only reads."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import NewPhone
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.tables import ANNA_PAIR, BO_FLUSH, hold, link, lose_answers, recorded

NOON = datetime(2026, 6, 6, 12, tzinfo=UTC)
BOUNCE = timedelta(seconds=0.5)


@pytest.fixture
def keeper(scripts: bool, new_phone: NewPhone) -> Keeper:
    """Return a keeper's phone with a table open."""
    return opened(new_phone(java_script_enabled=scripts))


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


def test_a_tap_on_a_slow_server_shows_at_once_and_books_once(phone: Page) -> None:
    """Until the answer comes the cell is marked, and tapping on changes nothing."""
    keeper, held = opened(phone), hold(phone, "**/events")
    cell = keeper.cell("pair", "Anna")
    cell.click()
    expect(cell).to_have_class(re.compile("pending"))
    cell.click()
    keeper.cell("flush", "Bo").click()
    for route in held:
        route.continue_()
    keeper.expect_scores(1, 0, 0, 0)
    expect(phone.locator(".pending")).to_have_count(0)
    assert recorded(keeper.page) == [ANNA_PAIR]


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


def test_the_second_of_two_windows_gets_the_fresh_table(
    keeper: Keeper, tolerated: list[str]
) -> None:
    """Two windows of one keeper never overwrite each other; the later one is told kindly."""
    other = Keeper(keeper.page.context.new_page())
    stay_stale(other.page, tolerated)
    other.page.goto(keeper.page.url)
    other.players = keeper.players
    keeper.tap("pair", "Anna")
    other.cell("flush", "Bo").click()
    expect(other.said).to_have_text("Någon annan hann före. Så här står det nu.")
    other.expect_scores(1, 0, 0, 0)
    assert recorded(keeper.page) == [ANNA_PAIR]
    other.tap("flush", "Cilla")
    other.expect_scores(1, 0, 5, 0)


def test_undo_in_two_windows_takes_one_fact_back(keeper: Keeper, tolerated: list[str]) -> None:
    """The same step undone from an old window too does not reach further back."""
    keeper.tap("pair", "Anna")
    keeper.tap("flush", "Bo")
    other = Keeper(keeper.page.context.new_page())
    stay_stale(other.page, tolerated)
    other.page.goto(keeper.page.url)
    keeper.undo()
    other.undo_button.click()
    other.expect_scores(1, 0, 0, 0)
    assert recorded(keeper.page) == [ANNA_PAIR]


def test_a_reader_sees_the_game_and_cannot_write(phone: Page, new_phone: NewPhone) -> None:
    """Whoever has only the link follows along, and finds nothing to write with."""
    keeper, reader = opened(phone), Keeper(new_phone())
    reader.page.goto(link(keeper.page))
    reader.players = keeper.players
    reader.expect_scores(0, 0, 0, 0)
    keeper.tap("pair", "Anna")
    reader.expect_scores(1, 0, 0, 0)
    expect(reader.page.locator(".follow")).to_contain_text("Anna")
    expect_nothing_to_write_with(reader)
    reader.look_up("Dan")
    expect(reader.sheet).to_contain_text("Dan får köpa högst 5 kort")
    expect_nothing_to_write_with(reader)
    for sheet in ("hand/1/four_of_a_kind", "tie", "more", "protocol"):
        reader.page.goto(f"{link(keeper.page)}/{sheet}")
        expect_nothing_to_write_with(reader)


def expect_nothing_to_write_with(reader: Keeper) -> None:
    """No form leads to the table; choosing a language is not writing."""
    expect(reader.page.locator("main")).to_be_visible()
    expect(reader.page.locator("form:not(.languages)")).to_have_count(0)
    expect(reader.page.locator("[hx-post]")).to_have_count(0)
