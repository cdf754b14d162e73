"""With the kit and without a server: everything works, and nothing that was shown is ever lost."""

import json
import os
import signal

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewPhone
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.kit import (
    end_workers,
    expect_nothing_waits,
    fill_storage,
    recorded_here,
    status,
    take_along,
)
from tests.browser.serving import Server
from tests.browser.tables import ANNA_PAIR, BO_FLUSH, eventually, path_of, recorded

# Whoever is without a server meets its absence now and then.
UNREACHABLE = r"net::ERR_(CONNECTION_REFUSED|INCOMPLETE_CHUNKED_ENCODING|FAILED|TIMED_OUT)"

HELD = """(link) => fetch("/offline/status").then((told) => told.json())
  .then(({ held }) => held.includes(link))"""


@pytest.fixture
def tolerated(tolerated: list[str]) -> list[str]:
    """Return the usual patterns, and that there is no server."""
    return [*tolerated, UNREACHABLE]


@pytest.fixture
def alone(new_phone: NewPhone, own_server: Server) -> Keeper:
    """Return a phone with the kit whose server has died, with a table that it opened by itself."""
    page = new_phone(base_url=own_server.url)
    take_along(page)
    own_server.kill()
    keeper = Keeper(page)
    keeper.open_table(*PLAYERS)
    return keeper


def test_an_evening_begins_without_a_server_and_is_handed_over(
    alone: Keeper, own_server: Server
) -> None:
    """A table is opened, played at, looked at and mended; then the server has it, once."""
    page = alone.page
    expect(page.locator("#live")).to_have_text("utan nät: sparas på telefonen")
    alone.tap("pair", "Anna")
    alone.tap("flush", "Bo")
    alone.undo()
    alone.tap("flush", "Bo")
    table = path_of(page)
    assert recorded_here(page, table) == [ANNA_PAIR, BO_FLUSH]
    page.goto(f"{table}/protocol")
    expect(page.get_by_role("main")).to_contain_text("Anna")
    end_workers(page)
    page.goto(table)
    assert recorded_here(page, table) == [ANNA_PAIR, BO_FLUSH]
    assert status(page)["only_here"] == [table.removeprefix("/t/")]
    expect(page.locator("#only-here")).to_be_visible()
    own_server.start()
    expect_nothing_waits(page)
    expect(page.locator("#live")).to_have_class("on")
    assert recorded(page) == [ANNA_PAIR, BO_FLUSH]
    alone.undo()
    assert recorded(page) == [ANNA_PAIR]


def test_a_worker_that_is_ended_at_any_moment_loses_nothing_that_was_shown(alone: Keeper) -> None:
    """Ended right after a tap, it has written that tap or not; what was answered is there."""
    page, table = alone.page, path_of(alone.page)
    alone.tap("pair", "Anna")
    shown = 1
    for moment in (0, 3, 10, 30, 90):
        seq = page.locator("input[name=seq]").first.input_value()
        page.evaluate(
            "([table, seq, event]) => { fetch(`${table}/events`, { method: 'POST',"
            " body: new URLSearchParams({ seq, event }) }).catch(() => {}); }",
            [table, seq, json.dumps({**BO_FLUSH, "player": "Bo"} if shown % 2 else ANNA_PAIR)],
        )
        page.wait_for_timeout(moment)
        end_workers(page)
        page.goto(table)
        events = recorded_here(page, table)
        assert events[:shown] == [ANNA_PAIR, *[BO_FLUSH] * 9][:shown]
        shown = len(events)
        alone.undo() if shown > 1 else None
        shown = 1


def test_a_table_that_began_on_the_server_goes_on_without_it(
    new_phone: NewPhone, own_server: Server
) -> None:
    """The phone that holds the pen has a replica, plays on it, and hands over what it did."""
    page = new_phone(base_url=own_server.url)
    take_along(page)
    keeper = Keeper(page)
    keeper.open_table(*PLAYERS)
    table = path_of(page)
    keeper.tap("pair", "Anna")
    eventually(page, HELD, table.removeprefix("/t/"))
    own_server.kill()
    keeper.tap("flush", "Bo")
    assert recorded_here(page, table) == [ANNA_PAIR, BO_FLUSH]
    page.reload()
    own_server.start()
    expect_nothing_waits(page)
    assert recorded(page) == [ANNA_PAIR, BO_FLUSH]


def test_a_tap_whose_answer_never_came_counts_once(new_phone: NewPhone, own_server: Server) -> None:
    """A network swallows a tap and the phone answers: what the server did is not done twice."""
    page = new_phone(base_url=own_server.url)
    take_along(page)
    keeper = Keeper(page)
    keeper.open_table(*PLAYERS)
    table = path_of(page)
    eventually(page, HELD, table.removeprefix("/t/"))
    os.killpg(own_server.pid, signal.SIGSTOP)
    keeper.tap("pair", "Anna")
    assert recorded_here(page, table) == [ANNA_PAIR]
    os.killpg(own_server.pid, signal.SIGCONT)
    expect_nothing_waits(page)
    keeper.tap("flush", "Bo")
    assert recorded(page) == [ANNA_PAIR, BO_FLUSH]


def test_a_full_storage_says_so_and_shows_nothing_as_written(alone: Keeper) -> None:
    """What could not be saved is not on the page; with room again, the tap is taken."""
    page, table = alone.page, path_of(alone.page)
    alone.tap("pair", "Anna")
    fill_storage(page)
    alone.cell("flush", "Bo").click()
    expect(alone.said).to_contain_text("lagring är full")
    assert recorded_here(page, table) == [ANNA_PAIR]
    page.goto(f"{table}/protocol")
    expect(page.get_by_role("main")).to_contain_text("Anna")
    end_workers(page)
    page.goto(table)
    assert recorded_here(page, table) == [ANNA_PAIR]
    alone.tap("flush", "Bo")
    assert recorded_here(page, table) == [ANNA_PAIR, BO_FLUSH]
