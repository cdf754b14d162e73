"""With the kit: a table that began on the server goes on when that is gone, and counts once."""

import os
import signal

from playwright.sync_api import Page

from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.kit import (
    end_workers,
    expect_nothing_waits,
    fail_at,
    recorded_here,
    status,
)
from tests.browser.serving import Server
from tests.browser.tables import ANNA_PAIR, BO_FLUSH, eventually, path_of, recorded

HELD = """(link) => fetch("/offline/status").then((told) => told.json())
  .then(({ held }) => held.includes(link))"""

ONLY_HERE = """(link) => fetch("/offline/status").then((told) => told.json())
  .then((status) => String(status.only_here) === link)"""


def test_a_table_that_began_on_the_server_goes_on_without_it(taken: Page, server: Server) -> None:
    """The phone that holds the pen has a replica, plays on it, and hands over what it did.

    Nothing of one table waits for another's, which may be at a server that is out of order.
    """
    page, keeper = taken, Keeper(taken)
    keeper.open_table(*PLAYERS)
    table = path_of(page)
    keeper.tap("pair", "Anna")
    eventually(page, HELD, table.removeprefix("/t/"))
    server.kill()
    keeper.tap("flush", "Bo")
    assert recorded_here(page, table) == [ANNA_PAIR, BO_FLUSH]
    keeper.open_table(*PLAYERS)
    fail_at(page, f"/offline/tables/{table.removeprefix('/t/')}")
    server.start()
    eventually(page, ONLY_HERE, table.removeprefix("/t/"))
    end_workers(page)
    page.goto(table)
    expect_nothing_waits(page)
    assert recorded(page) == [ANNA_PAIR, BO_FLUSH]


def test_a_tap_that_the_server_has_acknowledged_is_neither_lost_nor_sent_again(
    taken: Page, server: Server
) -> None:
    """The network goes before the replica came: the phone goes on from the tap, as the server's."""
    page, keeper = taken, Keeper(taken)
    keeper.open_table(*PLAYERS)
    table = path_of(page)
    eventually(page, HELD, table.removeprefix("/t/"))
    fail_at(page, "/offline/replicas")
    keeper.tap("pair", "Anna")
    server.kill()
    assert recorded_here(page, table) == [ANNA_PAIR]
    assert status(page)["waiting"] == 0
    keeper.tap("flush", "Bo")
    assert status(page)["waiting"] == 1
    server.start()
    expect_nothing_waits(page)
    assert recorded(page) == [ANNA_PAIR, BO_FLUSH]


def test_a_tap_whose_answer_never_came_counts_once(taken: Page, server: Server) -> None:
    """A network swallows a tap and the phone answers: what the server did is not done twice."""
    page, keeper = taken, Keeper(taken)
    keeper.open_table(*PLAYERS)
    table = path_of(page)
    eventually(page, HELD, table.removeprefix("/t/"))
    os.killpg(server.pid, signal.SIGSTOP)
    try:
        keeper.tap("pair", "Anna")
        assert recorded_here(page, table) == [ANNA_PAIR]
    finally:
        os.killpg(server.pid, signal.SIGCONT)
    expect_nothing_waits(page)
    keeper.tap("flush", "Bo")
    assert recorded(page) == [ANNA_PAIR, BO_FLUSH]
