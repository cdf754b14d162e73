"""A bad network: what was tapped is kept on the phone, and written once, in order, or not at all.

Every test ends by looking at what the server holds.
"""

import re
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
    eventually,
    hold,
    lose_answers,
    recorded,
    second_pen,
)

DAN_STRAIGHT: dict[str, object] = {"event": "best_hand", "player": "Dan", "hand": "straight"}
FOUR = "four_of_a_kind"
AWAY = "Inget svar från poängräknaren just nu. Inget har ändrats."
LATER = '<main id="table" class="lost"><p class="said" role="status">Later.</p></main>'
AGAIN = [
    HTTPStatus.SERVICE_UNAVAILABLE,
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.REQUEST_TIMEOUT,
]


@pytest.fixture
def tolerated() -> list[str]:
    """Return the messages of a browser whose network is gone: that is what is tested."""
    return [
        "net::ERR_",
        "Failed to load resource",
        "Failed to fetch",
        "server error 503",
        "htmx:error: timeout",
    ]


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


def with_sheets(keeper: Keeper) -> Keeper:
    """Wait until a phone has fetched the sheets of the table that it shows."""
    ahead = "document.querySelector('#sheets').dataset.of"
    eventually(keeper.page, f"{ahead} === document.querySelector('#table').dataset.seq")
    return keeper


def correction(player: str, points: int) -> dict[str, object]:
    """What a correction is in a game file."""
    return {"event": "correction", "player": player, "points": points}


def correct_unheard(keeper: Keeper, player: str, points: int, waiting: int) -> None:
    """Correct a score on a sheet without an answer; so many taps wait then."""
    keeper.look_up(player)
    keeper.sheet.locator("input[name=points]").fill(str(points))
    keeper.sheet.get_by_role("button", name="Rätta", exact=True).click()
    expect(unsent(keeper).locator(".count")).to_have_text(str(waiting))
    expect(keeper.sheet).to_have_count(0)


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
    cut(with_sheets(keeper).page)
    correct_unheard(keeper, "Cilla", 7, 1)
    tap_unheard(keeper, "pair", "Anna", 2)
    correct_unheard(keeper, "Dan", 3, 3)
    cut(keeper.page, off=False)
    keeper.expect_scores(1, 0, 7, 3)
    expect_written(keeper, correction("Cilla", 7), ANNA_PAIR, correction("Dan", 3))


def test_while_a_hand_waits_no_other_is_taken_for_the_same_exchange(
    keeper: Keeper, screenshot: Callable[[Page, str], Path]
) -> None:
    """The page does not know the next step, says so, and books nothing into it by mistake."""
    cut(with_sheets(keeper).page)
    tap_unheard(keeper, "pair", "Anna", 1)
    keeper.cell("straight", "Dan").click()
    expect(keeper.said).to_contain_text("”Anna: Par” väntar på svar")
    expect(keeper.said).to_have_class(re.compile("calm"))
    screenshot(keeper.page, "offline-held-back")
    keeper.cell(FOUR, "Bo").click()
    keeper.page.locator("#row-nobody .asks").click()
    expect(keeper.sheet).to_have_count(0)
    expect(unsent(keeper).locator(".count")).to_have_text("1")
    cut(keeper.page, off=False)
    keeper.expect_scores(1, 0, 0, 0)
    expect_written(keeper, ANNA_PAIR)
    keeper.tap("flush", "Bo")
    expect_written(keeper, ANNA_PAIR, BO_FLUSH)


def test_a_tap_that_waits_can_be_undone_and_made_again(keeper: Keeper) -> None:
    """What may have been written already is taken back on the server, and nothing else is."""
    keeper.tap("straight", "Dan")
    cut(keeper.page)
    tap_unheard(keeper, "pair", "Anna", 1)
    keeper.undo_button.click()
    expect(unsent(keeper).locator(".count")).to_have_text("2")
    tap_unheard(keeper, "flush", "Bo", 3)
    cut(keeper.page, off=False)
    keeper.expect_scores(0, 5, 0, 4)
    expect_written(keeper, DAN_STRAIGHT, BO_FLUSH)


def test_what_the_server_holds_is_undone_without_a_network_but_once(keeper: Keeper) -> None:
    """Where an undo waits, what is due is not known either."""
    keeper.tap("pair", "Anna")
    cut(keeper.page)
    keeper.undo_button.click()
    expect(unsent(keeper).locator(".count")).to_have_text("1")
    for tap in (keeper.cell("flush", "Bo"), keeper.undo_button):
        tap.click()
        expect(keeper.said).to_contain_text("väntar på svar")
    cut(keeper.page, off=False)
    keeper.expect_scores(0, 0, 0, 0)
    expect_written(keeper)


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
    correct_unheard(with_sheets(keeper), "Bo", 7, 1)
    tap_unheard(keeper, "pair", "Anna", 2)
    own_server.start()
    keeper.expect_scores(1, 7, 0, 0)
    expect_written(keeper, correction("Bo", 7), ANNA_PAIR)


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
    cut(with_sheets(keeper).page)
    correct_unheard(keeper, "Bo", 7, 1)
    tap_unheard(keeper, "pair", "Anna", 2)
    address, context = keeper.page.url, keeper.page.context
    keeper.page.close()
    cut(keeper.page, off=False)
    again = Keeper(context.new_page())
    again.page.goto("/")
    expect(again.page.locator(".tables")).to_contain_text("2 inte sparat än")
    again.page.goto(address)
    again.expect_scores(1, 7, 0, 0)
    expect_written(again, correction("Bo", 7), ANNA_PAIR)


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


def test_unsent_taps_can_be_dropped_one_by_one(keeper: Keeper) -> None:
    """What was tapped by mistake without a network is taken off the list, or undone."""
    cut(with_sheets(keeper).page)
    tap_unheard(keeper, "straight", "Dan", 1)
    for waiting, player in enumerate(PLAYERS[:3], start=2):
        correct_unheard(keeper, player, 7, waiting)
    keeper.undo_button.click()
    expect(unsent(keeper).locator(".count")).to_have_text("3")
    unsent(keeper).locator("summary").click()
    unsent(keeper).get_by_role("button", name="Släng").first.click()
    expect(unsent(keeper).locator("li span")).to_have_text(["Anna – Rätta, 7", "Bo – Rätta, 7"])
    cut(keeper.page, off=False)
    keeper.expect_scores(7, 7, 0, 0)
    expect_written(keeper, correction("Anna", 7), correction("Bo", 7))


def test_a_tap_dropped_takes_its_undo_along(keeper: Keeper) -> None:
    """What it would have taken back instead was never meant."""
    keeper.tap("pair", "Anna")
    cut(keeper.page)
    tap_unheard(keeper, "flush", "Bo", 1)
    keeper.undo_button.click()
    expect(unsent(keeper).locator(".count")).to_have_text("2")
    unsent(keeper).locator("summary").click()
    unsent(keeper).get_by_role("button", name="Släng").first.click()
    cut(keeper.page, off=False)
    expect_written(keeper, ANNA_PAIR)


def test_the_same_correction_again_asks_whether_it_happened_twice(keeper: Keeper) -> None:
    """An impatient finger does not correct a score twice, a patient one may."""
    cut(with_sheets(keeper).page)
    correct_unheard(keeper, "Bo", 7, 1)
    keeper.look_up("Bo")
    keeper.sheet.locator("input[name=points]").fill("7")
    again = keeper.sheet.get_by_role("button", name="Rätta", exact=True)
    again.click()
    expect(keeper.said).to_contain_text("Tryck en gång till om det hände två gånger")
    again.click()
    expect(unsent(keeper).locator(".count")).to_have_text("2")
    cut(keeper.page, off=False)
    keeper.expect_scores(0, 14, 0, 0)
    expect_written(keeper, correction("Bo", 7), correction("Bo", 7))


def test_a_zeroing_is_made_without_a_network(keeper: Keeper) -> None:
    """Its sheet was fetched before, says what it will do, and waits as every tap does."""
    keeper.tap("flush", "Bo")
    cut(with_sheets(keeper).page)
    keeper.cell(FOUR, "Anna").click()
    expect(keeper.sheet).to_contain_text("Bo 5 → 0")
    keeper.sheet.get_by_role("button", name="Nolla alla andra").click()
    expect(unsent(keeper)).to_contain_text("Anna: fyrtal – Nolla alla andra – inte sparat än")
    keeper.cell("pair", "Dan").click()
    expect(keeper.said).to_contain_text("väntar på svar")
    cut(keeper.page, off=False)
    expect_written(keeper, BO_FLUSH, {**ANNA_PAIR, "hand": FOUR, "choose": "zero"})
    keeper.expect_scores(0, 0, 0, 0)


def test_a_tie_is_made_without_a_network(keeper: Keeper) -> None:
    """On a page that was opened without one as well: its copy has the sheets too."""
    page = with_sheets(keeper).page
    copy = "async () => (await (await caches.open('pages-1')).match(location.href))?.text()"
    eventually(page, f"async () => (await ({copy})())?.includes('data-at')")
    cut(page)
    page.reload()
    page.locator("#row-nobody .asks").click()
    for pick in ("Par", "Anna", "Bo"):
        keeper.sheet.get_by_label(pick, exact=True).check(force=True)
    keeper.sheet.locator(".go").click()
    expect(unsent(keeper)).to_contain_text("Par, Anna, Bo – inte sparat än")
    cut(page, off=False)
    expect_written(keeper, {"event": "no_best_hand", "hand": "pair", "tied": ["Anna", "Bo"]})


def test_a_correction_is_made_without_a_network(keeper: Keeper) -> None:
    """It is kept in words with what was filled in; a sheet stays open while others are sent."""
    cut(with_sheets(keeper).page)
    correct_unheard(keeper, "Bo", 7, 1)
    expect(unsent(keeper)).to_contain_text("Bo – Rätta, 7 – inte sparat än")
    keeper.look_up("Cilla")
    keeper.sheet.locator("input[name=points]").fill("-2")
    cut(keeper.page, off=False)
    keeper.expect_scores(0, 7, 0, 0)
    expect(keeper.sheet.locator("input[name=points]")).to_have_value("-2")
    keeper.answer("Rätta")
    expect_written(keeper, correction("Bo", 7), correction("Cilla", -2))


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


def test_what_is_only_looked_at_is_no_alarm(keeper: Keeper) -> None:
    """The reason of a dimmed cell, and a sheet that is not here, need the score keeper: no loss."""
    keeper.page.route("**/sheets*", lambda route: route.abort())
    keeper.tap("pair", "Anna")
    keeper.tap("flush", "Bo")
    cut(keeper.page)
    for look in (keeper.cell("chicago", "Cilla"), keeper.page.get_by_role("link", name="Mer")):
        look.click(force=True)
        expect(keeper.said).to_have_text(AWAY)
        expect(keeper.said).to_have_class(re.compile("calm"))
        expect(unsent(keeper)).to_be_hidden()
        keeper.page.locator("[data-hush]").click()
    cut(keeper.page, off=False)
    keeper.tap("trick", "Cilla")
    expect_written(keeper, ANNA_PAIR, BO_FLUSH, CILLA_TRICK)


def test_what_is_no_alarm_goes_by_itself(keeper: Keeper) -> None:
    """Nobody has to put a calm line away."""
    keeper.page.route("**/sheets*", lambda route: route.abort())
    keeper.tap("pair", "Anna")
    keeper.page.clock.install()
    cut(keeper.page)
    keeper.page.get_by_role("link", name="Mer").click()
    expect(keeper.said).to_have_text(AWAY)
    keeper.page.clock.run_for(8000)
    expect(keeper.said).to_be_empty()


def test_a_network_that_swallows_everything_keeps_nobody_waiting_long(keeper: Keeper) -> None:
    """A tap waits in sight, a sheet that is here opens, one that is not is given up.

    What is answered late counts, in order.
    """
    page = with_sheets(keeper).page
    held = hold(page, "**/t/**")
    tap_unheard(keeper, "pair", "Anna", 1)
    correct_unheard(keeper, "Bo", 7, 2)
    page.get_by_role("link", name="Mer").click()
    keeper.sheet.get_by_role("link", name="Följ med").click()
    expect(keeper.said).to_have_text(AWAY, timeout=6000)
    next(route for route in held if route.request.url.endswith("/events")).continue_()
    page.unroute("**/t/**")
    keeper.expect_scores(1, 7, 0, 0)
    expect_written(keeper, ANNA_PAIR, correction("Bo", 7))
