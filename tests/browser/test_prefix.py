"""An evening below a path of a shared host: everything works, and no request leaves the path."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import AWAY, NewPhone
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.kept import expect_kept
from tests.browser.prefix_proxy import PrefixProxy, below_a_path
from tests.browser.serving import Server

SCOPES = """
    async () => (await navigator.serviceWorker.getRegistrations()).map(({scope}) => scope)
"""


@pytest.fixture
def tolerated() -> list[str]:
    """Return the messages of a browser without a network."""
    return [*AWAY, "server error 50[23]"]


@pytest.fixture
def below(tmp_path: Path) -> Iterator[PrefixProxy]:
    """Serve below a path, behind a proxy that strips it and sends it in a header."""
    server = Server(tmp_path, CHICAGO_PROXIES="1")
    server.start()
    with below_a_path(server) as proxy:
        yield proxy
        assert proxy.astray == []
    server.stop()


def test_an_evening_below_a_path(below: PrefixProxy, new_phone: NewPhone) -> None:
    """A table, a tap, a worker of the path alone, and pages that open without a network."""
    page = new_phone(base_url="http://127.0.0.1:1")
    keeper = Keeper(page)
    keeper.open_table(*PLAYERS, at=f"{below.url}/")
    table = page.url
    expect(page.locator("#live")).to_have_class("on")
    keeper.tap("pair", "Anna")
    keeper.expect_scores(1, 0, 0, 0)
    page.reload()
    expect_kept(page, table)
    assert page.evaluate(SCOPES) == [f"{below.url}/"]
    below.served.kill()
    page.goto(table)
    expect(page.locator(".known-at")).to_be_visible()
    page.goto(f"{below.url}/rules")
    expect(page.locator("#kept a").first).to_have_attribute("href", table)
    below.served.start()
    expect(page.locator("main.lost")).to_have_count(0)
