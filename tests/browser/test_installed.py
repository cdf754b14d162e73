"""Installed: a window of its own, a screen that stays awake, a table that is shared."""

import struct
from typing import Any
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import AWAY, NewPhone
from tests.browser.kept import opened
from tests.browser.tables import cut, eventually, path_of, reader_of

FAKE_LOCK = """
    window.locks = [];
    Object.defineProperty(navigator, "wakeLock", {value: {request: async () => {
        const lock = {released: false, release: async () => { lock.released = true; }};
        window.locks.push(lock);
        return lock;
    }}});
"""
HELD = "locks.filter((lock) => !lock.released).length"
RETURN = """
    () => {
        for (const lock of locks) lock.released = true;
        document.dispatchEvent(new Event("visibilitychange"));
    }
"""
FAKE_SHARING = """
    window.shared = [];
    Object.defineProperty(navigator, "share", {value: async (what) => { shared.push(what); }});
"""


@pytest.fixture
def tolerated() -> list[str]:
    """Return the messages of a browser whose network is gone: that is what is tested."""
    return [*AWAY, "server error 50[24]"]


def test_the_manifest_lets_the_app_be_installed(phone: Page) -> None:
    """Name, window, colours, and icons of the sizes that are promised."""
    phone.goto("/")
    href = phone.locator("link[rel=manifest]").get_attribute("href")
    assert href
    answer = phone.request.get(href)
    assert answer.headers["content-type"].startswith("application/manifest+json")
    manifest: dict[str, Any] = answer.json()
    assert manifest["name"] == manifest["short_name"] == "Chicago"
    assert manifest["display"] == "standalone"
    assert manifest["start_url"] == manifest["scope"] == "/"
    kinds = {(icon["sizes"], icon["purpose"]) for icon in manifest["icons"]}
    assert kinds >= {(size, use) for size in ("192x192", "512x512") for use in ("any", "maskable")}
    for icon in manifest["icons"]:
        body = phone.request.get(urljoin(phone.url, icon["src"])).body()
        assert icon["sizes"] in ("any", size_of(body))


def test_a_home_screen_that_knows_no_manifest_has_an_icon(phone: Page) -> None:
    """The touch icon is there, square and opaque to its corners."""
    phone.goto("/")
    href = phone.locator("link[rel=apple-touch-icon]").get_attribute("href")
    assert href
    assert size_of(phone.request.get(href).body()) == "180x180"


def size_of(image: bytes) -> str:
    """Read width and height out of a PNG's head."""
    if not image.startswith(b"\x89PNG"):
        return "no PNG"
    width, height = struct.unpack(">II", image[16:24])
    return f"{width}x{height}"


def test_the_browser_finds_nothing_that_keeps_it_from_being_installed(phone: Page) -> None:
    """Chromium's own check of manifest and icons has no complaint."""
    phone.goto("/")
    devtools = phone.context.new_cdp_session(phone)
    assert devtools.send("Page.getAppManifest")["errors"] == []
    problems = devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # A window that leaves no traces installs nothing, and every test's window is one.
    assert [found["errorId"] for found in problems] in ([], ["in-incognito"])


def test_the_screen_stays_awake_while_a_game_is_written_down(new_phone: NewPhone) -> None:
    """Asked for at the keeper's table, again after coming back, and let go when it is over."""
    page = new_phone()
    page.context.add_init_script(FAKE_LOCK)
    keeper = opened(page)
    eventually(page, f"{HELD} === 1")
    keeper.tap("pair", "Anna")
    assert page.evaluate(HELD) == 1
    page.evaluate(RETURN)
    eventually(page, f"{HELD} === 1")
    page.get_by_role("link", name="Mer", exact=True).click()
    keeper.answer("Bryt partiet – ställningen gäller")
    eventually(page, f"{HELD} === 0")


def test_a_readers_phone_may_sleep_and_a_television_may_not(
    phone: Page, new_phone: NewPhone
) -> None:
    """Whoever only looks now and then keeps the battery."""
    keeper = opened(phone)
    for held, size in ((0, (360, 780)), (1, (1280, 720))):
        page = new_phone(viewport=dict(zip(("width", "height"), size, strict=True)))
        page.context.add_init_script(FAKE_LOCK)
        reader_of(keeper, page)
        eventually(page, f"{HELD} === {held}")


def test_the_view_is_shared_with_the_phones_own_sheet(new_phone: NewPhone) -> None:
    """Where the phone can share, the button hands it the table's address."""
    page = new_phone()
    page.context.add_init_script(FAKE_SHARING)
    keeper = opened(page)
    page.goto(f"{keeper.page.url}/join")
    page.get_by_role("button", name="Dela").click()
    (shared,) = page.evaluate("shared.map((what) => what.url)")
    assert shared.endswith(path_of(page))


def test_where_nothing_can_be_shared_the_link_is_copied(new_phone: NewPhone) -> None:
    """The button says so, and says when it is done."""
    page = new_phone(permissions=["clipboard-read", "clipboard-write"])
    opened(page)
    page.get_by_role("link", name="Mer", exact=True).click()
    page.get_by_role("link", name="Följ med").click()
    page.get_by_role("button", name="Kopiera").click()
    expect(page.get_by_role("button", name="Kopierat")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").endswith(path_of(page))


def test_a_home_screen_without_a_network_opens_the_start_that_was_kept(
    phone: Page, new_phone: NewPhone
) -> None:
    """What an iPhone opens each time is no page of its own: no copy of it is kept."""
    opened(phone)
    phone.goto("/install")
    phone.get_by_role("button", name="Ta med mina bord till hemskärmen").click()
    expect(phone.locator(".steps")).to_be_visible()
    app = new_phone()
    app.context.add_init_script("Object.defineProperty(navigator, 'standalone', {value: true})")
    app.goto(phone.url)
    expect(app.locator(".told")).to_be_visible()
    app.wait_for_function("navigator.serviceWorker.controller !== null")
    app.reload()
    eventually(app, "caches.open('pages-1').then((pages) => pages.match('/')).then(Boolean)")
    cut(app)
    app.goto(phone.url)
    expect(app.locator(".known-at")).to_be_visible()
    assert path_of(app) == "/"
    kept = app.evaluate(
        "caches.open('pages-1').then((pages) => pages.keys())"
        ".then((found) => found.map(({url}) => url))"
    )
    assert not [url for url in kept if "/start/" in url]
