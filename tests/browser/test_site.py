"""The score keeper as a folder of files: the browser is its own server from the first page on."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from app import create_app
from app.offline import site
from app.offline.build import OUTPUT
from tests.browser import releases
from tests.browser.bundle import end_workers
from tests.browser.conftest import AWAY, NewPhone
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.static_host import Host
from tests.browser.tables import eventually
from tests.empty_database import copy_empty_database

MOST_BYTES = 7_400_000
SCRIPT_TYPES = {".bin": "text/html", ".png": "text/plain", ".webmanifest": "text/plain"}
REGISTERED = "navigator.serviceWorker.getRegistration()"
UPDATED = f"{REGISTERED}.then((found) => found.update()).then(() => 1)"
WAITS = f"{REGISTERED}.then((found) => Boolean(found.waiting))"
TAKEN_OVER = f"{REGISTERED}.then((found) => !found.waiting && found.active.state === 'activated')"
SEATS = "#start input[name=player]"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder that `make site` writes."""
    folder = tmp_path_factory.mktemp("site") / "site"
    site.write(folder, OUTPUT)
    return folder


@pytest.fixture
def new_host(tmp_path: Path, folder: Path) -> Iterator[Callable[..., Host]]:
    """Return a function that puts the folder on a host, at its root or below paths."""
    made: list[Host] = []

    def serve(*places: str) -> Host:
        for place in places:
            shutil.copytree(folder, tmp_path / "host" / place, dirs_exist_ok=True)
        made.append(Host(tmp_path / "host"))
        return made[-1]

    yield serve
    for host in made:
        host.stop()


@pytest.fixture
def tolerated() -> list[str]:
    """Return the messages of a browser whose host is gone, or has a file not at all."""
    return [*AWAY, "server responded with a status of 404", "status of 503", "unsupported MIME"]


def enter(page: Page, address: str) -> None:
    """Open the score keeper, and wait until it is there."""
    page.goto(address)
    expect(page.locator(SEATS).first).to_be_visible()


def phone_at(new_phone: NewPhone, host: Host, place: str = "") -> Page:
    """Return a phone that has opened the score keeper on a host."""
    page = new_phone(base_url=host.url, storage_state=None)
    enter(page, f"{host.url}/{place}")
    return page


def read_here(page: Page, address: str) -> str:
    """Return the text of a page of the phone's own."""
    text: str = page.evaluate("(url) => fetch(url).then((found) => found.text())", address)
    return text


def save_all(page: Page, home: str, path: Path) -> Path:
    """Save everything to a file, by two taps from the start page."""
    page.goto(home)
    page.get_by_role("link", name="Allt i en fil").first.click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Spara allt i en fil").click()
    download.value.save_as(path)
    return path


def test_an_evening_without_any_server(
    new_host: Callable[..., Host], new_phone: NewPhone, tmp_path: Path
) -> None:
    """From a new table to who pays whom, and on the next day, with a release in mid-game.

    The host is gone since the start but for that. Its folder is one of others there; other tests
    have it at the root.
    """
    place = "games/chicago/"
    host = new_host(place)
    home = f"{host.url}/{place}"
    page = phone_at(new_phone, host, place)
    assert host.sent <= MOST_BYTES
    host.stop()
    keeper = Keeper(page)
    keeper.open_table(*PLAYERS, at=home)
    table = page.url
    assert table.startswith(f"{home}t/")
    # Its browser is the server: no page keeps what is tapped.
    eventually(page, "Boolean(document.documentElement.dataset.held)")
    keeper.tap("pair", "Anna")
    a_release_waits(page, host, place, tmp_path / "next")
    keeper.tap("nobody")
    assert page.evaluate(WAITS)
    keeper.expect_scores(1, 0, 0, 0)
    keeper.break_off()
    page.goto(f"{table}/evening")
    expect(page.locator("main")).to_contain_text("Anna")
    expect(page.locator("body")).to_contain_text("1 kr")
    # The next day the browser begins its worker anew.
    end_workers(page)
    page.close()
    page = page.context.new_page()
    enter(page, home)
    eventually(page, TAKEN_OVER)
    expect(page.get_by_text("Spara det i en fil?")).to_be_visible()
    saved = save_all(page, home, tmp_path / "chicago.db")
    enter(page, home)
    expect(page.get_by_text("Spara det i en fil?")).to_have_count(0)
    status = page.evaluate("fetch('offline/status').then((told) => told.json())")
    assert (status["kit"], status["waiting"]) == (releases.RELEASE, 0)
    page.goto(table)
    expect(page.locator(".result")).to_be_visible()
    assert saved.read_bytes().startswith(b"SQLite format 3")
    expect_readable_elsewhere(page, table, tmp_path)
    no_older_release_comes(page, host, place)
    page.goto(table)
    expect(page.locator("#table")).to_be_visible()


def a_release_waits(page: Page, host: Host, place: str, bundle: Path) -> None:
    """Put the next release on the host for as long as the phone takes it."""
    releases.copy_bundle(bundle)
    releases.release_next(bundle)
    site.write(host.folder / place, bundle)
    host.start()
    assert page.evaluate(UPDATED)
    eventually(page, WAITS)
    host.stop()


def no_older_release_comes(page: Page, host: Host, place: str) -> None:
    """Check that an older release is not written over a newer, and not taken where it is."""
    folder = host.folder / place
    with pytest.raises(site.NewerThere):
        site.write(folder, OUTPUT)
    shutil.rmtree(folder / "offline")
    site.write(folder, OUTPUT)
    host.start()
    assert page.evaluate(f"{UPDATED}.catch(() => 1)")
    eventually(page, f"{REGISTERED}.then((found) => !found.installing)")
    assert page.evaluate(WAITS) is False


def expect_readable_elsewhere(page: Page, table: str, tmp_path: Path) -> None:
    """Check that a server reads the table's file."""
    with page.expect_download() as download:
        page.goto(f"{table}/files")
        page.get_by_role("link", name="Alla partier i en fil").click()
    games = download.value.path().read_bytes()
    path = copy_empty_database(tmp_path / "server.db")
    with closing(create_app({"DATABASE": str(path), "LIMITS": False})) as app:
        there = app.test_client()
        opened = there.post("/files", data={"file": (io.BytesIO(games), "games.zip")})
        game = there.get(f"{opened.headers['Location']}/games/1.json").data
    events = [event["event"] for event in json.loads(game)["events"]]
    assert events == ["best_hand", "no_best_hand", "break_off"]


def test_everything_goes_to_another_browser(
    new_host: Callable[..., Host], new_phone: NewPhone, tmp_path: Path
) -> None:
    """A file of everything is read in by two taps from the start page, beside what is there."""
    host = new_host("")
    page, other = (phone_at(new_phone, host) for _ in range(2))
    for each in (page, other):
        Keeper(each).open_table(*PLAYERS)
    table = urlsplit(page.url).path
    path = save_all(page, host.url, tmp_path / "chicago.db")
    other.goto(host.url)
    other.get_by_role("link", name="Allt i en fil").first.click()
    other.locator("[type=file]").set_input_files(path)
    other.get_by_role("button", name="Läs in filen").click()
    expect(other.get_by_text("1 bord har kommit in")).to_be_visible()
    other.goto(f"{host.url}{table}")
    keeper = Keeper(other)
    keeper.players = PLAYERS
    keeper.tap("pair", "Bo")
    keeper.expect_scores(0, 1, 0, 0)
    other.goto(f"{host.url}/tables")
    expect(other.locator(".card")).to_have_count(2)
    other.goto(f"{host.url}{table}/forget")
    other.get_by_role("button", name="Ta bort bordet …").click()
    other.get_by_role("button", name="Låt det försvinna").click()
    expect(other.get_by_text("Bordet är borttaget.")).to_be_visible()


def test_folders_on_one_host_share_nothing(
    new_host: Callable[..., Host], new_phone: NewPhone
) -> None:
    """Also where one of them is all of the host: each has its tables and its files."""
    places = ("", "a/")
    host = new_host(*places)
    page = new_phone(base_url=host.url, storage_state=None)
    for place in places:
        enter(page, f"{host.url}/{place}")
        Keeper(page).open_table(*PLAYERS, at=f"{host.url}/{place}")
        assert page.url.startswith(f"{host.url}/{place}t/")
    host.stop()
    for place in places:
        end_workers(page)
        page.goto(f"{host.url}/{place}tables")
        expect(page.locator(".card")).to_have_count(1)
    names = page.evaluate("caches.keys()")
    assert sorted(name for name in names if name.startswith("kit")) == ["kit", "kita/"]


def test_a_host_may_call_files_what_it_likes(
    new_host: Callable[..., Host], new_phone: NewPhone
) -> None:
    """Nothing hangs by a type; the page says so where the host gives no script as a script."""
    host = new_host("")
    host.types = dict(SCRIPT_TYPES)
    phone_at(new_phone, host)
    host.types = {"worker.js": "text/plain"}
    page = new_phone(base_url=host.url, storage_state=None)
    page.goto(host.url)
    expect(page.locator(".along:visible")).to_contain_text("Den går inte att starta")


MISSING = {
    "/static/bundles/worker.js": "Den går inte att starta",
    "/static/bundles/phone.js": "Den går inte att starta",
    ".bin": "Allt gick inte att hämta",
}


def test_what_the_host_has_not_is_said(new_host: Callable[..., Host], new_phone: NewPhone) -> None:
    """The start page waits for nothing that does not come; once all is there it goes on."""
    host = new_host("")
    page = new_phone(base_url=host.url, storage_state=None)
    for missing, words in MISSING.items():
        host.refused = (missing,)
        page.goto(host.url)
        expect(page.locator(".along:visible")).to_contain_text(words)
    host.refused = ()
    enter(page, host.url)


def test_a_damaged_file_is_none(new_host: Callable[..., Host], new_phone: NewPhone) -> None:
    """Each is checked by its hash."""
    host = new_host("")
    largest = max(host.folder.glob("offline/*.bin"), key=lambda path: path.stat().st_size)
    content = largest.read_bytes()
    largest.write_bytes(content[:-1000] + b"x" * 1000)
    page = new_phone(base_url=host.url, storage_state=None)
    page.goto(host.url)
    expect(page.locator(".along:visible")).to_contain_text("Allt gick inte att hämta")
    largest.write_bytes(content)
    enter(page, host.url)


def test_a_deep_address_begins_as_well(new_host: Callable[..., Host], new_phone: NewPhone) -> None:
    """The host shows the start page for it, and then the browser says what is there."""
    host = new_host("x/")
    page = new_phone(base_url=host.url, storage_state=None)
    page.goto(f"{host.url}/x/t/gone/games/3")
    expect(page.locator("main.lost")).to_contain_text("Här finns inget")
    enter(page, f"{host.url}/x/404.html")
    assert page.url == f"{host.url}/x/"


def test_a_reload_past_the_worker_comes_back(
    new_host: Callable[..., Host], new_phone: NewPhone
) -> None:
    """What the host shows then finds that everything is here, and the table comes by itself."""
    host = new_host("x/")
    page = phone_at(new_phone, host, "x/")
    Keeper(page).open_table(*PLAYERS, at=f"{host.url}/x/")
    address = urlsplit(page.url).path
    assert address not in host.asked
    page.evaluate("window.before = true")
    page.context.new_cdp_session(page).send("Page.reload", {"ignoreCache": True})
    eventually(page, "!window.before && document.querySelector('#table') !== null")
    assert address in host.asked


@pytest.mark.parametrize("lacking", ["DecompressionStream", "WebAssembly"])
def test_a_browser_that_is_too_old_is_told_so(
    new_host: Callable[..., Host], new_phone: NewPhone, lacking: str
) -> None:
    """Nothing is fetched for it."""
    host = new_host("")
    page = new_phone(base_url=host.url, storage_state=None, locale="fi-FI")
    page.add_init_script(f"delete globalThis.{lacking}")
    page.goto(host.url)
    expect(page.locator(".along:visible")).to_contain_text("liian vanha")
    assert not [path for path in host.asked if path.endswith(".bin")]


@pytest.mark.parametrize("how", ["http", "file"])
def test_a_page_that_came_otherwise_than_by_https_is_told_so(
    new_host: Callable[..., Host], new_phone: NewPhone, how: str
) -> None:
    """The browser keeps nothing of it, and lets it start no worker."""
    host = new_host("")
    # A name of this machine that is no secure context, unlike localhost.
    addresses = {"http": host.url.replace("127.0.0.1", "home.test")}
    page = new_phone(base_url=host.url, storage_state=None)
    page.goto(addresses.get(how, f"file://{host.folder}/index.html"))
    expect(page.locator(".along:visible")).to_contain_text("som inte kom med https://")


def test_one_request_looks_for_another_release(
    new_host: Callable[..., Host], new_phone: NewPhone
) -> None:
    """Also where the host says nothing of how long a file may be kept."""
    host = new_host("")
    page = phone_at(new_phone, host)
    assert page.evaluate(UPDATED)
    before = len(host.asked)
    assert page.evaluate(UPDATED)
    assert host.asked[before:] == ["/worker.js"]
