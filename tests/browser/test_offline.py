"""A bad network: what was tapped is kept on the phone, and written once, in order, or not at all.

Every test ends by looking at what the server holds.
"""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from http import HTTPStatus
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import NewPhone
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.serving import Server
from tests.browser.tables import (
    ANNA_PAIR,
    BO_FLUSH,
    CILLA_TRICK,
    GLANCE,
    cut,
    hold,
    lose_answers,
    recorded,
    second_pen,
)

LATER = '<main id="table" class="lost"><p class="said" role="status">Later.</p></main>'
AGAIN = [
    HTTPStatus.SERVICE_UNAVAILABLE,
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.REQUEST_TIMEOUT,
]
DAN_STRAIGHT = {"event": "best_hand", "player": "Dan", "hand": "straight"}


@pytest.fixture
def tolerated() -> list[str]:
    """Return the messages of a browser whose network is gone: that is what is tested."""
    return ["net::ERR_", "Failed to load resource", "Failed to fetch", "server error 503"]


def opened(page: Page, server: Server) -> Keeper:
    """Return a phone on which a table of this server has been opened, and everything loaded."""
    keeper = Keeper(page)
    keeper.open_table(*PLAYERS, at=server.url)
    expect(page.locator("#live")).to_have_class("on")
    return keeper


def unsent(keeper: Keeper) -> Locator:
    """What tells of taps that are not written yet."""
    return keeper.page.locator("#unsent")


def tap_unheard(keeper: Keeper, row: str, player: str, waiting: int) -> None:
    """Tap a cell without an answer; so many taps wait then."""
    keeper.cell(row, player).click()
    expect(unsent(keeper)).to_be_visible()
    expect(unsent(keeper).locator(".count")).to_have_text(str(waiting))


def expect_written(keeper: Keeper, *events: dict[str, object]) -> None:
    """Nothing waits any more, and this is what the server holds."""
    expect(unsent(keeper)).to_be_hidden()
    expect(keeper.page.locator(".pending, [data-waits]")).to_have_count(0)
    assert recorded(keeper.page) == list(events)


def test_a_tap_without_a_network_waits_in_sight_and_is_sent_later(
    keeper: Keeper, screenshot: Callable[[Page, str], Path]
) -> None:
    """In the middle of a deal the network goes: the tap is shown as not saved, then saved once."""
    keeper.tap("pair", "Anna")
    cut(keeper.page)
    tap_unheard(keeper, "flush", "Bo", 1)
    expect(unsent(keeper)).to_contain_text("Bo: Färg – inte sparat än")
    expect(keeper.cell("flush", "Bo")).to_have_attribute("data-waits", "1")
    keeper.expect_scores(1, 0, 0, 0)
    screenshot(keeper.page, "offline-waits")
    cut(keeper.page, off=False)
    keeper.expect_scores(1, 5, 0, 0)
    expect_written(keeper, ANNA_PAIR, BO_FLUSH)
    keeper.tap("trick", "Cilla")
    expect_written(keeper, ANNA_PAIR, BO_FLUSH, CILLA_TRICK)


def test_several_taps_are_sent_in_order(keeper: Keeper) -> None:
    """What was tapped without a network is written in the order of the taps."""
    cut(keeper.page)
    tap_unheard(keeper, "pair", "Anna", 1)
    tap_unheard(keeper, "flush", "Bo", 2)
    cut(keeper.page, off=False)
    keeper.expect_scores(1, 5, 0, 0)
    expect_written(keeper, ANNA_PAIR, BO_FLUSH)


def test_a_server_that_dies_between_tap_and_answer_books_once(
    new_phone: NewPhone, own_server: Server
) -> None:
    """The fact was written and the answer lost: sent again, it is known and not written again."""
    keeper = opened(new_phone(), own_server)

    def die(route: Route) -> None:
        route.fetch()
        own_server.kill()
        route.abort()

    keeper.page.route("**/events", die, times=1)
    tap_unheard(keeper, "pair", "Anna", 1)
    tap_unheard(keeper, "flush", "Bo", 2)
    own_server.start()
    keeper.expect_scores(1, 5, 0, 0)
    expect_written(keeper, ANNA_PAIR, BO_FLUSH)


def test_a_tap_while_the_server_is_down_is_written_when_it_is_back(
    new_phone: NewPhone, own_server: Server
) -> None:
    """A server that is started again gets what was tapped meanwhile."""
    keeper = opened(new_phone(), own_server)
    own_server.kill()
    tap_unheard(keeper, "pair", "Anna", 1)
    own_server.start()
    keeper.expect_scores(1, 0, 0, 0)
    expect_written(keeper, ANNA_PAIR)


def test_a_tap_at_a_locked_database_is_kept_and_written_once(
    new_phone: NewPhone, own_server: Server
) -> None:
    """503 is no answer: the tap waits in sight until the database can be written to again."""
    keeper = opened(new_phone(), own_server)
    with closing(sqlite3.connect(own_server.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        tap_unheard(keeper, "pair", "Anna", 1)
        expect(unsent(keeper)).to_contain_text("inte sparat än")
    keeper.expect_scores(1, 0, 0, 0)
    expect_written(keeper, ANNA_PAIR)


def test_unsent_taps_survive_closing_the_page(keeper: Keeper) -> None:
    """A page closed with taps unsent sends them when it is opened again."""
    cut(keeper.page)
    tap_unheard(keeper, "pair", "Anna", 1)
    tap_unheard(keeper, "flush", "Bo", 2)
    address, context = keeper.page.url, keeper.page.context
    keeper.page.close()
    cut(keeper.page, off=False)
    again = Keeper(context.new_page())
    again.page.goto("/")
    expect(again.page.locator(".tables")).to_contain_text("2 inte sparat än")
    again.page.goto(address)
    again.expect_scores(1, 5, 0, 0)
    expect_written(again, ANNA_PAIR, BO_FLUSH)


def test_a_page_closed_between_tap_and_answer_asks_again(keeper: Keeper) -> None:
    """Nobody saw the answer, so the reopened page finds out: written once, and shown."""
    page = keeper.page
    lose_answers(page, "**/events")
    tap_unheard(keeper, "pair", "Anna", 1)
    again = Keeper(page.context.new_page())
    page.close()
    again.page.goto(page.url)
    again.expect_scores(1, 0, 0, 0)
    expect_written(again, ANNA_PAIR)


def test_when_somebody_else_has_written_the_person_decides(
    keeper: Keeper, new_phone: NewPhone, screenshot: Callable[[Page, str], Path]
) -> None:
    """Both versions are in sight, nothing is sent by itself, and what is sent then is on top."""
    other = second_pen(keeper, new_phone)
    cut(keeper.page)
    tap_unheard(keeper, "flush", "Bo", 1)
    tap_unheard(keeper, "pair", "Anna", 2)
    other.tap("pair", "Anna")
    cut(keeper.page, off=False)
    expect(unsent(keeper)).to_contain_text("Skrivet senast: Anna par")
    expect(unsent(keeper).locator("li span")).to_have_text(["Bo: Färg", "Anna: Par"])
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
    tap_unheard(keeper, "pair", "Anna", 1)
    tap_unheard(keeper, "straight", "Dan", 2)
    other.expect_scores(1, 0, 0, 0)
    other.page.wait_for_timeout(GLANCE)
    other.tap("flush", "Bo")
    cut(keeper.page, off=False)
    expect(unsent(keeper)).to_contain_text("Skrivet senast: Bo färg")
    expect(unsent(keeper).locator("li span")).to_have_text(["Dan: Stege"])
    assert recorded(keeper.page) == [ANNA_PAIR, BO_FLUSH]
    unsent(keeper).get_by_role("button", name="Släng det").click()
    expect_written(keeper, ANNA_PAIR, BO_FLUSH)


def test_what_the_rules_refuse_is_said_and_kept_until_dropped(keeper: Keeper) -> None:
    """A third hand before the trick is no hand: what went before is written, this is shown."""
    cut(keeper.page)
    tap_unheard(keeper, "pair", "Anna", 1)
    tap_unheard(keeper, "flush", "Bo", 2)
    tap_unheard(keeper, "straight", "Dan", 3)
    cut(keeper.page, off=False)
    expect(unsent(keeper).locator(".count")).to_have_text("1")
    expect(unsent(keeper)).to_contain_text("Dan: Stege – inte sparat än")
    unsent(keeper).get_by_role("button", name="Skicka").click()
    expect(unsent(keeper).locator(".choice")).to_be_visible()
    unsent(keeper).get_by_role("button", name="Släng det").click()
    expect_written(keeper, ANNA_PAIR, BO_FLUSH)


def test_unsent_taps_can_be_dropped_one_by_one(keeper: Keeper) -> None:
    """What was tapped by mistake without a network is taken off the list, or undone."""
    cut(keeper.page)
    tap_unheard(keeper, "straight", "Dan", 1)
    tap_unheard(keeper, "pair", "Anna", 2)
    tap_unheard(keeper, "flush", "Bo", 3)
    tap_unheard(keeper, "full_house", "Dan", 4)
    keeper.undo_button.click()
    expect(unsent(keeper).locator(".count")).to_have_text("3")
    unsent(keeper).locator("summary").click()
    unsent(keeper).get_by_role("button", name="Släng").first.click()
    expect(unsent(keeper).locator("li span")).to_have_text(["Anna: Par", "Bo: Färg"])
    cut(keeper.page, off=False)
    keeper.expect_scores(1, 5, 0, 0)
    expect_written(keeper, ANNA_PAIR, BO_FLUSH)


def test_the_same_tap_again_asks_whether_it_happened_twice(keeper: Keeper) -> None:
    """An impatient finger does not write a second pair, a patient one may."""
    cut(keeper.page)
    tap_unheard(keeper, "pair", "Anna", 1)
    keeper.page.wait_for_timeout(600)
    tap_unheard(keeper, "pair", "Anna", 1)
    expect(keeper.said).to_contain_text("Tryck en gång till om det hände två gånger")
    keeper.page.wait_for_timeout(600)
    tap_unheard(keeper, "pair", "Anna", 2)
    cut(keeper.page, off=False)
    keeper.expect_scores(2, 0, 0, 0)
    expect_written(keeper, ANNA_PAIR, ANNA_PAIR)


def test_a_sheet_answered_without_a_network_waits_too(keeper: Keeper) -> None:
    """A correction is kept in words with what was filled in."""
    keeper.look_up("Bo")
    cut(keeper.page)
    keeper.sheet.locator("input[name=points]").fill("7")
    keeper.sheet.get_by_role("button", name="Rätta", exact=True).click()
    expect(unsent(keeper)).to_contain_text("Bo – Rätta, 7 – inte sparat än")
    expect(keeper.sheet).to_have_count(0)
    cut(keeper.page, off=False)
    keeper.expect_scores(0, 7, 0, 0)
    expect_written(keeper, {"event": "correction", "player": "Bo", "points": 7})


def test_a_slow_answer_is_told_as_missing_and_counts_when_it_comes(keeper: Keeper) -> None:
    """Whoever waits long may tap on, and everything is written once, in order."""
    held = hold(keeper.page, "**/events", times=1)
    tap_unheard(keeper, "pair", "Anna", 1)
    tap_unheard(keeper, "flush", "Bo", 2)
    held[0].continue_()
    keeper.expect_scores(1, 5, 0, 0)
    expect_written(keeper, ANNA_PAIR, BO_FLUSH)


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


def test_two_windows_send_what_waits_once(keeper: Keeper) -> None:
    """Both windows of a phone find the same unsent tap, and it is written once."""
    other = Keeper(keeper.page.context.new_page())
    other.page.goto(keeper.page.url)
    cut(keeper.page)
    tap_unheard(keeper, "pair", "Anna", 1)
    cut(keeper.page, off=False)
    other.page.reload()
    keeper.expect_scores(1, 0, 0, 0)
    other.expect_scores(1, 0, 0, 0)
    expect_written(keeper, ANNA_PAIR)
    expect_written(other, ANNA_PAIR)


def test_a_dimmed_cell_without_a_network_keeps_nothing(keeper: Keeper) -> None:
    """What may not be used asks only for the reason, and that needs the score keeper."""
    keeper.tap("pair", "Anna")
    keeper.tap("flush", "Bo")
    cut(keeper.page)
    keeper.cell("chicago", "Cilla").click(force=True)
    expect(keeper.said).to_contain_text("Inget svar")
    expect(unsent(keeper)).to_be_hidden()
    cut(keeper.page, off=False)
    keeper.tap("trick", "Cilla")
    expect_written(keeper, ANNA_PAIR, BO_FLUSH, CILLA_TRICK)
