"""With the kit: a table that began on the server goes on when that is gone, and counts once."""

import os
import signal
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import SharedPhone
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.kit import (
    UNREACHABLE,
    expect_nothing_waits,
    fail_at,
    page_with_server,
    recorded_here,
    status,
    take_along_once,
)
from tests.browser.serving import Server
from tests.browser.tables import ANNA_PAIR, BO_FLUSH, eventually, path_of, recorded

HELD = """(link) => fetch("/offline/status").then((told) => told.json())
  .then(({ held }) => held.includes(link))"""


@pytest.fixture
def tolerated(tolerated: list[str]) -> list[str]:
    """Return the usual patterns, and that there is no server."""
    return [*tolerated, UNREACHABLE]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Serve for the tests of this file, which may stop it, kill it and start it again."""
    served = Server(tmp_path_factory.mktemp("server"))
    served.start()
    yield served
    served.stop()


@pytest.fixture(scope="module")
def with_kit(shared_phone: SharedPhone) -> SharedPhone:
    """Return a phone that has taken the kit along."""
    take_along_once(shared_phone)
    return shared_phone


@pytest.fixture
def taken(with_kit: SharedPhone, server: Server, tolerated: list[str]) -> Iterator[Page]:
    """Return a page of that phone, which holds nothing yet, while there is a server."""
    with page_with_server(with_kit, server, tolerated) as page:
        yield page


def test_a_table_that_began_on_the_server_goes_on_without_it(taken: Page, server: Server) -> None:
    """The phone that holds the pen has a replica, plays on it, and hands over what it did."""
    page, keeper = taken, Keeper(taken)
    keeper.open_table(*PLAYERS)
    table = path_of(page)
    keeper.tap("pair", "Anna")
    eventually(page, HELD, table.removeprefix("/t/"))
    server.kill()
    keeper.tap("flush", "Bo")
    assert recorded_here(page, table) == [ANNA_PAIR, BO_FLUSH]
    page.reload()
    server.start()
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
