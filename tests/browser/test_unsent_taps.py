"""A bad network: taps are kept on the phone, and recorded once, in order, or not at all.

`tests/scripts/outbox.test.mjs` tests the script's reaction to each answer. Every test here ends
with a check of the events on the server.
"""

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import AWAY, NewPhone
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.serving import Server
from tests.browser.tables import ANNA_PAIR, cut, second_pen
from tests.browser.unsent import (
    correct_without_answer,
    correction,
    expect_written,
    tap_without_answer,
    unsent,
    with_sheets,
)


@pytest.fixture
def tolerated() -> list[str]:
    """Return the messages of a browser without a network, which these tests cause."""
    return [*AWAY, "server error 503", "htmx:error: timeout"]


def test_taps_without_a_network_wait_in_sight_and_outlive_their_page(keeper: Keeper) -> None:
    """Taps are shown as unsent, in the list of tables too, and recorded once and in order."""
    cut(with_sheets(keeper).page)
    correct_without_answer(keeper, "Cilla", 7, 1)
    tap_without_answer(keeper, "pair", "Anna", 2)
    expect(unsent(keeper)).to_contain_text("Anna: Par – inte skickat än")
    keeper.expect_scores(0, 0, 0, 0)
    address, context = keeper.page.url, keeper.page.context
    keeper.page.close()
    cut(keeper.page, off=False)
    again = Keeper(context.new_page())
    again.page.goto("/")
    expect(again.page.locator("a.on")).to_contain_text("2 inte skickat än")
    again.page.goto(address)
    again.expect_scores(1, 0, 7, 0)
    expect_written(again, correction("Cilla", 7), ANNA_PAIR)


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
    correct_without_answer(with_sheets(keeper), "Bo", 7, 1)
    tap_without_answer(keeper, "pair", "Anna", 2)
    own_server.start()
    keeper.expect_scores(1, 7, 0, 0)
    expect_written(keeper, correction("Bo", 7), ANNA_PAIR)


def test_when_somebody_else_has_written_it_says_what_was_not(
    keeper: Keeper, new_phone: NewPhone
) -> None:
    """Nothing is sent by itself, and nothing vanishes unseen; one tap dismisses the list."""
    other = second_pen(keeper, new_phone)
    cut(with_sheets(keeper).page)
    tap_without_answer(keeper, "flush", "Bo", 1)
    correct_without_answer(keeper, "Anna", 7, 2)
    other.tap("pair", "Anna")
    cut(keeper.page, off=False)
    expect(unsent(keeper)).to_contain_text("Bo: Färg · Anna – Rätta, 7 – inte skrivet")
    keeper.expect_scores(1, 0, 0, 0)
    keeper.cell("flush", "Dan").click()
    seen = unsent(keeper).get_by_role("button", name="Okej")
    expect(seen).to_be_focused()
    seen.click()
    expect_written(keeper, ANNA_PAIR)
