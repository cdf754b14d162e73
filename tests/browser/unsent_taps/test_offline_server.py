"""No answer from the server, or a useless one: what was tapped is kept, and written once.

Every test ends by looking at what the server holds.
"""

import sqlite3
from contextlib import closing
from http import HTTPStatus

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import NewPhone
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.serving import Server
from tests.browser.tables import ANNA_PAIR, hold
from tests.browser.unsent import (
    correct_unheard,
    correction,
    expect_written,
    tap_unheard,
    unsent,
    with_sheets,
)

LATER = '<main id="table" class="lost"><p class="said" role="status">Later.</p></main>'
AGAIN = [
    HTTPStatus.SERVICE_UNAVAILABLE,
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.REQUEST_TIMEOUT,
]


def opened(page: Page, server: Server) -> Keeper:
    """Return a phone on which a table of this server has been opened, and everything loaded."""
    keeper = Keeper(page)
    keeper.open_table(*PLAYERS, at=server.url)
    expect(page.locator("#live")).to_have_class("on")
    return keeper


def test_a_server_that_dies_between_tap_and_answer_books_once(
    own_server: Server, new_phone: NewPhone
) -> None:
    """The fact was written and the answer lost: sent again, it is known and not written again."""
    keeper = opened(new_phone(), own_server)

    def die(route: Route) -> None:
        route.fetch()
        own_server.kill()
        route.abort()

    keeper.page.route("**/events", die, times=1)
    correct_unheard(with_sheets(keeper), "Bo", 7, 1)
    tap_unheard(keeper, "pair", "Anna", 2)
    own_server.start()
    keeper.expect_scores(1, 7, 0, 0)
    expect_written(keeper, correction("Bo", 7), ANNA_PAIR)


def test_a_tap_while_the_server_is_down_is_written_when_it_is_back(
    own_server: Server, new_phone: NewPhone
) -> None:
    """A server that is started again gets what was tapped meanwhile."""
    keeper = opened(new_phone(), own_server)
    own_server.kill()
    tap_unheard(keeper, "pair", "Anna", 1)
    own_server.start()
    keeper.expect_scores(1, 0, 0, 0)
    expect_written(keeper, ANNA_PAIR)


def test_a_tap_at_a_locked_database_is_kept_and_written_once(
    own_server: Server, new_phone: NewPhone
) -> None:
    """503 is no answer: the tap waits in sight until the database can be written to again."""
    keeper = opened(new_phone(), own_server)
    with closing(sqlite3.connect(own_server.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        tap_unheard(keeper, "pair", "Anna", 1)
        expect(unsent(keeper)).to_contain_text("inte sparat än")
    keeper.expect_scores(1, 0, 0, 0)
    expect_written(keeper, ANNA_PAIR)


@pytest.mark.parametrize("status", AGAIN)
def test_an_overloaded_server_is_asked_again(keeper: Keeper, status: HTTPStatus) -> None:
    """A refusal that says nothing about the game is no answer."""
    keeper.page.route(
        "**/events",
        lambda route: route.fulfill(status=status, content_type="text/html", body=LATER),
        times=1,
    )
    keeper.tap("pair", "Anna")
    expect_written(keeper, ANNA_PAIR)


def test_a_login_page_in_between_is_no_answer(keeper: Keeper) -> None:
    """A hotel's network that answers everything with a page of its own swallows nothing."""
    keeper.page.route(
        "**/events", lambda route: route.fulfill(body="<h1>Welcome, log in</h1>"), times=1
    )
    keeper.tap("pair", "Anna")
    expect_written(keeper, ANNA_PAIR)


@pytest.mark.parametrize("late", ["live.js", "outbox.js"])
def test_a_tap_before_all_scripts_are_there_is_booked(new_phone: NewPhone, late: str) -> None:
    """A page that is still loading on a slow network loses no tap."""
    page = new_phone(service_workers="block")
    held = hold(page, f"**/{late}*")
    keeper = Keeper(page)
    keeper.page.goto("/")
    keeper.type_names(PLAYERS)
    page.locator("button.go").click(no_wait_after=True)
    keeper.players = PLAYERS
    keeper.cell("pair", "Anna").click()
    keeper.expect_scores(1, 0, 0, 0)
    for route in held:
        route.continue_()
    expect_written(keeper, ANNA_PAIR)
