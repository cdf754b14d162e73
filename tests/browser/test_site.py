"""The score keeper as a folder of files: the browser is its own server from the first page on."""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from app.offline import site
from app.offline.build import OUTPUT
from tests.browser import releases
from tests.browser.bundle import end_workers
from tests.browser.conftest import AWAY, NewPhone
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.static_host import Host
from tests.browser.tables import eventually

# Of a browser whose host is gone, or has a file not at all.
TOLERATED = [*AWAY, "server responded with a status of 404", "status of 503", "unsupported MIME"]

MOST_BYTES = 7_400_000
REGISTERED = "navigator.serviceWorker.getRegistration()"
UPDATED = f"{REGISTERED}.then((found) => found.update()).then(() => 1)"
WAITS = f"{REGISTERED}.then((found) => Boolean(found.waiting))"
TAKEN_OVER = f"{REGISTERED}.then((found) => !found.waiting && found.active.state === 'activated')"
# The folder is one of others on its host.
PLACE = "games/chicago/"
SEATS = "#start input[name=player]"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return the folder that `make site` writes; each file is packed once, and fast."""
    folder = tmp_path_factory.mktemp("site") / "site"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gzip, "compress", cache(partial(gzip.compress, compresslevel=6)))
        site.write(folder, OUTPUT)
        yield folder


@pytest.fixture
def host(tmp_path: Path, folder: Path) -> Iterator[Host]:
    """Put the folder on a host, below a path."""
    shutil.copytree(folder, tmp_path / "host" / PLACE)
    host = Host(tmp_path / "host")
    yield host
    host.stop()


def enter(page: Page, address: str) -> None:
    """Open the score keeper, and wait until it is there."""
    page.goto(address)
    expect(page.locator(SEATS).first).to_be_visible()


def test_an_evening_without_any_server(host: Host, new_phone: NewPhone, tmp_path: Path) -> None:
    """From a new table to who pays whom, and on the next day, with a release in mid-game.

    The host is gone since the start but for that.
    """
    home = f"{host.url}/{PLACE}"
    page = new_phone(base_url=host.url, storage_state=None)
    enter(page, home)
    assert host.sent <= MOST_BYTES
    host.stop()
    keeper = Keeper(page)
    keeper.open_table(*PLAYERS, at=home)
    table = page.url
    assert table.startswith(f"{home}t/")
    # Its browser is the server: no page keeps what is tapped.
    eventually(page, "Boolean(document.documentElement.dataset.held)")
    keeper.tap("pair", "Anna")
    a_release_waits(page, host, tmp_path / "next")
    keeper.tap("nobody")
    assert page.evaluate(WAITS)
    keeper.expect_scores(1, 0, 0, 0)
    keeper.break_off()
    page.goto(f"{table}/evening")
    expect(page.locator("main")).to_contain_text("Anna")
    expect(page.locator("body")).to_contain_text("1 kr")
    eventually(page, TAKEN_OVER)
    # The next day the browser begins its worker anew.
    end_workers(page)
    page.close()
    page = page.context.new_page()
    enter(page, home)
    expect(page.get_by_text("Spara det i en fil?")).to_be_visible()
    page.get_by_role("link", name="Allt i en fil").first.click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Spara allt i en fil").click()
    assert download.value.path().read_bytes().startswith(b"SQLite format 3")
    enter(page, home)
    expect(page.get_by_text("Spara det i en fil?")).to_have_count(0)
    status = page.evaluate("fetch('offline/status').then((told) => told.json())")
    assert (status["kit"], status["waiting"]) == (releases.RELEASE, 0)
    page.goto(table)
    expect(page.locator(".result")).to_be_visible()
    no_older_release_comes(page, host)
    page.goto(table)
    expect(page.locator("#table")).to_be_visible()


def a_release_waits(page: Page, host: Host, bundle: Path) -> None:
    """Put the next release on the host for as long as the phone takes it."""
    releases.copy_bundle(bundle)
    releases.release_next(bundle)
    site.write(host.folder / PLACE, bundle)
    host.start()
    assert page.evaluate(UPDATED)
    eventually(page, WAITS)
    host.stop()


def no_older_release_comes(page: Page, host: Host) -> None:
    """Check that an older release is not written over a newer, and not taken where it is."""
    folder = host.folder / PLACE
    with pytest.raises(site.NewerThere):
        site.write(folder, OUTPUT)
    shutil.rmtree(folder / "offline")
    site.write(folder, OUTPUT)
    host.start()
    assert page.evaluate(f"{UPDATED}.catch(() => 1)")
    eventually(page, f"{REGISTERED}.then((found) => !found.installing)")
    assert page.evaluate(WAITS) is False


MISSING = {
    "/static/bundles/worker.js": "Den går inte att starta",
    "/static/bundles/phone.js": "Den går inte att starta",
    ".bin": "Allt gick inte att hämta",
}


def test_what_the_host_has_not_is_said_and_an_address_begins_wherever_it_leads(
    host: Host, new_phone: NewPhone
) -> None:
    """The start page waits for nothing that does not come, nor goes on with a damaged file.

    The host shows it for a deep address, also when that is reloaded past the worker.
    """
    home = f"{host.url}/{PLACE}"
    deep = f"{home}t/gone/games/3"
    page = new_phone(base_url=host.url, storage_state=None)
    told = page.locator(".along:visible")
    for missing, words in MISSING.items():
        host.refused = (missing,)
        page.goto(deep)
        expect(told).to_contain_text(words)
    host.refused = ()
    largest = max(host.folder.glob(f"{PLACE}offline/*.bin"), key=lambda path: path.stat().st_size)
    content = largest.read_bytes()
    largest.write_bytes(content[:-1000] + b"x" * 1000)
    page.goto(deep)
    expect(told).to_contain_text("Allt gick inte att hämta")
    largest.write_bytes(content)
    page.goto(deep)
    expect(page.locator("main.lost")).to_contain_text("Här finns inget")
    # One request looks for another release, though the host says nothing of how long it is kept.
    assert page.evaluate(UPDATED)
    before = len(host.asked)
    assert page.evaluate(UPDATED)
    assert host.asked[before:] == [f"/{PLACE}worker.js"]
    enter(page, f"{home}404.html")
    assert page.url == home
    Keeper(page).open_table(*PLAYERS, at=home)
    address = urlsplit(page.url).path
    assert address not in host.asked
    page.evaluate("window.before = true")
    page.context.new_cdp_session(page).send("Page.reload", {"ignoreCache": True})
    eventually(page, "!window.before && document.querySelector('#table') !== null")
    assert address in host.asked


def test_a_browser_that_cannot_run_it_is_told_so(host: Host, new_phone: NewPhone) -> None:
    """Too old, or with a page that came otherwise than by HTTPS; nothing is fetched for it."""
    home = f"{host.url}/{PLACE}"
    # A name of this machine that is no secure context, unlike localhost.
    plain, file = home.replace("127.0.0.1", "home.test"), f"file://{host.folder}/{PLACE}index.html"
    for address, lacking, words in (
        (home, "DecompressionStream", "liian vanha"),
        (home, "WebAssembly", "liian vanha"),
        (plain, "none", "som inte kom med https://"),
        (file, "none", "som inte kom med https://"),
    ):
        locale = "fi-FI" if words == "liian vanha" else "sv-SE"
        page = new_phone(base_url=host.url, storage_state=None, locale=locale)
        page.add_init_script(f"delete globalThis.{lacking}")
        page.goto(address)
        expect(page.locator(".along:visible")).to_contain_text(words)
    assert not [path for path in host.asked if path.endswith(".bin")]
