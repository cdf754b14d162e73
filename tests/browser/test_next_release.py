"""A new release of the bundle: fetched beside the old one, and activated while nobody plays."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser import releases
from tests.browser.bundle import (
    expect_nothing_waits,
    fail_at,
    install_offline,
    recorded_here,
    status,
    wait_for_worker,
)
from tests.browser.conftest import AWAY, NewPhone
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.serving import Server
from tests.browser.tables import eventually, path_of
from tests.rules.table import write_facts

TOLD = "fetch('/offline/status').then((told) => told.json())"
REGISTERED = "navigator.serviceWorker.getRegistration()"
# An update check may join an earlier one, which began before the release came.
WAITS = f"""{REGISTERED}.then(async (found) => {{
  if (!found.waiting && !found.installing) await found.update().catch(() => null);
  return Boolean(found.waiting);
}})"""
FETCHED = """async () => (await (await caches.open("kit")).keys())
  .filter(({ url }) => url.endsWith("/app.zip")).length"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder of the server's bundle, which may be replaced there."""
    folder = tmp_path / "kit"
    releases.copy_bundle(folder)
    return folder


@pytest.fixture
def own_server(tmp_path: Path, folder: Path) -> Iterator[Server]:
    """Serve the score keeper with that bundle."""
    factory = "tests.browser.releases:create_app()"
    served = Server(tmp_path, factory, **{releases.FOLDER: str(folder)})
    served.start()
    yield served
    served.stop()


@pytest.fixture
def tolerated(tolerated: list[str]) -> list[str]:
    """Return the usual patterns, and those of a server that is down."""
    return [*tolerated, *AWAY]


@pytest.fixture
def alone(own_server: Server, new_phone: NewPhone) -> Keeper:
    """Return a phone with the bundle and its own table, whose server is down."""
    page = new_phone(base_url=own_server.url)
    install_offline(page)
    own_server.kill()
    keeper = Keeper(page)
    keeper.open_table(*PLAYERS)
    return keeper


def test_a_release_pushes_what_the_one_before_could_not(
    alone: Keeper, own_server: Server, folder: Path, tmp_path: Path
) -> None:
    """It is complete beside the old one, takes over outside of a game, and opens the same file."""
    page = alone.page
    alone.tap("pair", "Anna")
    table, before = path_of(page), status(page)["kit"]
    fail_at(page, "/offline/tables")
    own_server.start()
    wait_for_worker(page, "(told) => !told.away")
    releases.release_next(folder)
    # The active worker does not report another one that comes to wait.
    eventually(page, WAITS)
    assert page.evaluate(FETCHED) == 2
    told = status(page)
    assert (told["kit"], told["waiting"] > 0) == (before, True)
    page.goto("/")
    eventually(page, f"{REGISTERED}.then((found) => !found.waiting)")
    eventually(page, f"{TOLD}.then(({{ kit }}) => kit === '{releases.RELEASE}')")
    expect_nothing_waits(page)
    eventually(page, f"({FETCHED})().then((count) => count === 1)")
    own_server.kill()
    page.goto(table)
    assert recorded_here(page, table) == write_facts("Anna pair")
    alone.tap("flush", "Bo")
    assert recorded_here(page, table) == write_facts("Anna pair, Bo flush")
    assert releases.MIGRATION in migrations(page, tmp_path / "saved.db")


def migrations(page: Page, path: Path) -> list[str]:
    """Return the migrations of the file on the phone."""
    with page.expect_download() as download:
        page.evaluate("Object.assign(document.createElement('a'), {href: '/offline/file'}).click()")
    download.value.save_as(path)
    found = sqlite3.connect(path)
    names = [name for (name,) in found.execute("SELECT name FROM _sqlite_migrations")]
    found.close()
    return names
