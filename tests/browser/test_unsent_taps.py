"""A bad network: taps are kept on the phone, and recorded once, in order, or not at all.

`tests/scripts/outbox.test.mjs` tests the script's reaction to each answer. Every test here ends
with a check of the events on the server.
"""

import pytest
from playwright.sync_api import Locator, Route, expect

from tests.browser.conftest import AWAY, NewPhone
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.serving import Server
from tests.browser.tables import cut, eventually, recorded, second_pen
from tests.rules.table import write_facts


@pytest.fixture
def tolerated() -> list[str]:
    """Return the messages of a browser without a network, which these tests cause."""
    return [*AWAY, "server error 503", "htmx:error: timeout"]


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
    eventually(keeper.page, "sheetsAhead()")
    return keeper


def correct_without_answer(keeper: Keeper, points: int, waiting: int) -> None:
    """Correct a score on a sheet that was open; `waiting` taps are unsent then."""
    keeper.sheet.locator("input[name=points]").fill(str(points))
    keeper.sheet.get_by_role("button", name="Spara", exact=True).click()
    expect(unsent(keeper).locator(".count")).to_have_text(str(waiting))
    keeper.expect_no_sheet()


def record_fours_without_answer(keeper: Keeper, player: str, waiting: int) -> None:
    """Record four of a kind on a sheet fetched ahead; `waiting` taps are unsent then."""
    keeper.cell("rare").click()
    keeper.sheet.get_by_label(f"{player}: Fyrtal (nollar)").click()
    expect(unsent(keeper).locator(".count")).to_have_text(str(waiting))
    keeper.expect_no_sheet()


def expect_written(keeper: Keeper, told: str) -> None:
    """Check that nothing is unsent any more, and that the server holds these events."""
    expect(unsent(keeper)).to_be_hidden()
    expect(keeper.page.locator(".pending")).to_have_count(0)
    assert recorded(keeper.page) == write_facts(told)


def test_taps_without_a_network_wait_in_sight_and_outlive_their_page(keeper: Keeper) -> None:
    """Taps are shown as unsent, in the list of tables too, and recorded once and in order."""
    keeper.look_up("Cilla")
    cut(keeper.page)
    correct_without_answer(keeper, 7, 1)
    tap_without_answer(keeper, "pair", "Anna", 2)
    expect(unsent(keeper)).to_contain_text("Anna: Par – inte skickat än")
    keeper.expect_scores(0, 0, 0, 0)
    address, context = keeper.page.url, keeper.page.context
    keeper.page.close()
    cut(keeper.page, off=False)
    again = Keeper(context.new_page())
    again.page.goto("/")
    expect(again.page.locator(".card .facts")).to_contain_text("2 inte skickat än")
    again.page.goto(address)
    again.expect_scores(1, 0, 7, 0)
    expect_written(again, "Cilla 7, Anna pair")


def test_a_server_that_dies_between_tap_and_answer_books_once(
    own_server: Server, new_phone: NewPhone
) -> None:
    """The fact was recorded and the answer lost: sent again, it is recognised, not repeated."""
    keeper = Keeper(new_phone(base_url=own_server.url))
    keeper.open_table(*PLAYERS)
    expect(keeper.page.locator("#live")).to_have_class("on")

    def die(route: Route) -> None:
        route.fetch()
        own_server.kill()
        route.abort()

    keeper.page.route("**/events", die, times=1)
    keeper.look_up("Bo")
    correct_without_answer(keeper, 7, 1)
    tap_without_answer(keeper, "pair", "Anna", 2)
    own_server.start()
    keeper.expect_scores(1, 7, 0, 0)
    expect_written(keeper, "Bo 7, Anna pair")


def test_when_somebody_else_has_written_it_says_what_was_not(
    keeper: Keeper, new_phone: NewPhone
) -> None:
    """Nothing is sent by itself, and nothing vanishes unseen; one tap dismisses the list."""
    other = second_pen(keeper, new_phone)
    with_sheets(keeper).look_up("Anna")
    cut(keeper.page)
    correct_without_answer(keeper, 7, 1)
    record_fours_without_answer(keeper, "Bo", 2)
    other.tap("pair", "Anna")
    cut(keeper.page, off=False)
    expect(unsent(keeper)).to_contain_text(
        "Anna – Spara, 7 · Ovanlig hand – Bo: Fyrtal (nollar) – inte skrivet"
    )
    keeper.expect_scores(1, 0, 0, 0)
    keeper.cell("flush", "Dan").click()
    seen = unsent(keeper).get_by_role("button", name="Okej")
    expect(seen).to_be_focused()
    seen.click()
    expect_written(keeper, "Anna pair")
