"""An evening below a path of a shared host: everything works, and no request leaves the path."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import AWAY, NewPhone
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.serving import Server
from tests.browser.tables import hasten, requests_of

TOLERATED = [*AWAY, "server error 50[23]"]

PREFIX = "/api/hassio_ingress/Tm9ib2R5IGtub3dz"
SCOPES = """
    async () => (await navigator.serviceWorker.getRegistrations()).map(({scope}) => scope)
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Serve below a path."""
    server = Server(tmp_path_factory.mktemp("below"), CHICAGO_URL=f"http://127.0.0.1{PREFIX}")
    server.start()
    yield server
    server.stop()


def test_an_evening_below_a_path(server: Server, new_phone: NewPhone) -> None:
    """A table, a tap, a worker of the path alone, and its words without a network."""
    below, page = f"{server.url}{PREFIX}/", new_phone(base_url=server.url)
    keeper, sent = Keeper(page), requests_of(page)
    keeper.open_table(*PLAYERS, at=below)
    expect(page.locator("#live")).to_have_class("on")
    keeper.tap("pair", "Anna")
    keeper.expect_scores(1, 0, 0, 0)
    page.reload()
    page.wait_for_function("() => navigator.serviceWorker.controller")
    assert page.evaluate(SCOPES) == [below]
    server.kill()
    page.goto(f"{below}rules")
    expect(page.locator("main.lost")).to_have_css("max-width", "544px")
    server.start()
    hasten(page)
    expect(page.locator("main.lost")).to_have_count(0)
    assert [each.url for each in sent if not each.url.startswith(below)] == []
