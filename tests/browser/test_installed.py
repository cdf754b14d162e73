"""Installed: a window of its own, pages to read without a network, a screen that stays awake."""

import json
import re
import socketserver
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from playwright.sync_api import FilePayload, Locator, Page, expect

from tests.browser.conftest import Judge, NewPhone
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.serving import Server
from tests.browser.tables import (
    ANNA_PAIR,
    cut,
    eventually,
    path_of,
    pen_link,
    reader_of,
    recorded,
    take_pen,
)

KEPT = """
    async () => {
        const found = [];
        for (const name of await caches.keys())
            for (const {url} of await (await caches.open(name)).keys()) found.push(url);
        return found;
    }
"""
HOLDS_NO_COPY_WITH = """
    async (name) => {
        const pages = await caches.open("pages-1");
        const copies = await Promise.all((await pages.keys()).map((key) => pages.match(key)));
        // One may have gone since it was listed.
        const there = copies.filter(Boolean);
        const texts = await Promise.all(there.map((copy) => copy.text()));
        return !texts.some((text) => text.includes(name));
    }
"""
FAKE_LOCK = """
    window.locks = [];
    Object.defineProperty(navigator, "wakeLock", {value: {request: async () => {
        const lock = {released: false, release: async () => { lock.released = true; }};
        window.locks.push(lock);
        return lock;
    }}});
"""
NEWER_STYLES = """
    async (table) => {
        const pages = await caches.open("pages-1");
        const html = (await (await pages.match(table)).text()).replace(".css?v=", ".css?v=newer");
        await pages.put(table, new Response(html, {headers: {"Content-Type": "text/html"}}));
    }
"""
ELSEWHERE = """
    <form method="post" action="%s/undo"><input name="seq" value="2"><button>Win!</button></form>
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
    return ["net::ERR_", "Failed to load resource", "server error 50[24]"]


def opened(page: Page, at: str = "/") -> Keeper:
    """Return the phone after it has opened a table and kept it to be read without a network."""
    keeper = Keeper(page)
    keeper.open_table(*PLAYERS, at=at)
    expect_kept(page, page.url)
    return keeper


def expect_kept(page: Page, address: str) -> None:
    """Wait until the phone has a copy."""
    condition = "async (url) => Boolean(await (await caches.open('pages-1')).match(url))"
    eventually(page, condition, address)


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


def test_table_protocol_and_rules_are_readable_without_a_network(
    new_phone: NewPhone, own_server: Server
) -> None:
    """Each opens as it was last seen, and says so; back on the network they are fresh again."""
    keeper = opened(new_phone(), own_server.url)
    page, table = keeper.page, keeper.page.url
    for address in (f"{table}/protocol", f"{table}/rules", table):
        page.goto(address)
        expect_kept(page, address)
    keeper.tap("pair", "Anna")
    eventually(
        page,
        "async (url) => (await (await (await caches.open('pages-1')).match(url)).text())"
        ".includes('data-seq=\"2\"')",
        table,
    )
    own_server.kill()
    note = page.locator(".known-at")
    for address, what in ((f"{table}/protocol", ".sheet"), (f"{table}/rules", "main")):
        page.goto(address)
        expect(page.locator(what)).to_be_visible()
        expect(note).to_contain_text("Så här stod det senast")
    page.goto(table)
    keeper.expect_scores(1, 0, 0, 0)
    expect(note).to_contain_text("Så här stod det senast")
    expect(page.locator("#live")).to_have_class("off")
    own_server.start()
    expect(note).to_have_count(0, timeout=15_000)


def test_a_tap_on_a_reopened_page_without_a_network_is_kept_too(phone: Page) -> None:
    """Reopened, all without a network: what waited waits, and holds the next back."""
    keeper, context = opened(phone), phone.context
    cut(phone)
    keeper.cell("pair", "Anna").click()
    expect(phone.locator("#unsent")).to_be_visible()
    phone.close()
    again = Keeper(context.new_page())
    again.page.goto(phone.url)
    again.players = PLAYERS
    expect(again.page.locator("#unsent .words")).to_have_text("Anna: Par")
    again.cell("flush", "Bo").click()
    expect(again.said).to_contain_text("väntar på svar")
    cut(again.page, off=False)
    again.expect_scores(1, 0, 0, 0)
    expect(again.page.locator("#unsent")).to_be_hidden()
    assert recorded(again.page) == [ANNA_PAIR]


def test_nothing_secret_and_nothing_written_is_kept(phone: Page, new_phone: NewPhone) -> None:
    """Among the copies are no pen links, no streams, no answers to taps and no sheets."""
    keeper = opened(phone)
    other = new_phone()
    take_pen(other, pen_link(keeper))
    expect_kept(other, other.url)
    keeper.tap("pair", "Anna")
    keeper.look_up("Bo")
    phone.wait_for_timeout(700)
    allowed = {"/", path_of(phone), "/away", "/away?sent"}
    for page in (phone, other):
        kept = ["/" + url.split("/", 3)[3] for url in page.evaluate(KEPT)]
        assert len(kept) >= 5
        assert {url for url in kept if not url.startswith("/static/")} <= allowed


def test_a_copy_holds_nothing_half_done(phone: Page) -> None:
    """An open sheet and an old answer are not part of what is kept."""
    keeper = opened(phone)
    keeper.tap("pair", "Anna")
    keeper.look_up("Bo")
    keeper.sheet.locator("input[name=points]").fill("7")
    phone.wait_for_timeout(700)
    copy = phone.evaluate(
        "async (url) => (await (await caches.open('pages-1')).match(url)).text()", phone.url
    )
    assert 'data-seq="2"' in copy
    assert re.search(r'<dialog id="ask"[^>]*></dialog>', copy)


def test_old_copies_are_thrown_away(phone: Page) -> None:
    """What an earlier version of the app kept is gone, and of each file there is one copy."""
    keeper = opened(phone)
    phone.evaluate(
        """async () => {
            const old = "/static/bundles/table.css?v=old";
            await (await caches.open("old-1")).put(old, new Response("old"));
            await (await caches.open("files-1")).put(old, new Response("old"));
            await (await caches.open("files-1")).delete(
                document.querySelector("link[rel=stylesheet]").href);
            await (await navigator.serviceWorker.ready).unregister();
        }"""
    )
    phone.reload()
    phone.reload()
    eventually(phone, "async () => !(await caches.keys()).includes('old-1')")
    eventually(
        phone,
        """async () => {
            const keys = await (await caches.open("files-1")).keys();
            const styles = keys.filter(({url}) => url.includes("/table.css"));
            return styles.length === 1 && !styles[0].url.endsWith("old");
        }""",
    )
    keeper.tap("pair", "Anna")


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
    held = []
    for size in ({"width": 360, "height": 780}, {"width": 1280, "height": 720}):
        page = new_phone(viewport=size)
        page.context.add_init_script(FAKE_LOCK)
        reader_of(keeper, page)
        held.append(page.evaluate(HELD))
    assert held == [0, 1]


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


def test_the_worker_is_asked_for_anew_each_time(phone: Page) -> None:
    """A new version of the app is not held up by an old worker."""
    answer = phone.request.get("/sw.js")
    assert answer.headers["cache-control"] == "no-cache"
    assert "javascript" in answer.headers["content-type"]


def forget(page: Page, what: str) -> None:
    """Let something of the table go: the form that is sent by this button, then what it asks."""
    page.get_by_role("button", name=what).click()
    page.get_by_role("button", name="Låt det försvinna").click()


def test_of_a_deleted_table_no_phone_keeps_a_page(
    phone: Page, new_phone: NewPhone, tolerated: list[str]
) -> None:
    """Who looks at it is told so at once; the phones then hold no page of it nor a list with it."""
    opened(phone)
    reader, table, address = new_phone(), path_of(phone), phone.url
    for page in (phone, reader):
        for part in ("/protocol", ""):
            page.goto(address + part)
            expect_kept(page, address + part)
        page.goto(address)
        eventually(page, "Boolean(navigator.serviceWorker.controller)")
    phone.goto(f"{address}/forget")
    forget(phone, "Ta bort bordet …")
    expect(phone.get_by_text("Bordet är borttaget.")).to_be_visible()
    expect(reader.get_by_text("är bordet borttaget")).to_be_visible()
    for page in (phone, reader):
        page.goto(address)
        eventually(page, f"async () => !(await ({KEPT})()).some((url) => url.includes('{table}'))")


def test_a_forgotten_name_stays_on_no_phone(phone: Page, new_phone: NewPhone) -> None:
    """What was kept of the table before goes from every phone that shows it."""
    opened(phone)
    reader, address = new_phone(), phone.url
    for page in (phone, reader):
        page.goto(f"{address}/protocol")
        expect_kept(page, f"{address}/protocol")
        page.goto(address)
        expect_kept(page, address)
    phone.goto(f"{address}/forget")
    phone.get_by_label(PLAYERS[0], exact=True).check()
    forget(phone, "Glöm namnet …")
    expect(phone.get_by_text("Namnet är glömt")).to_be_visible()
    for page in (phone, reader):
        eventually(page, HOLDS_NO_COPY_WITH, PLAYERS[0])


def test_what_is_kept_is_what_was_recorded(phone: Page) -> None:
    """The service worker stands in nobody's way: a tap through it is booked once."""
    keeper = opened(phone)
    phone.reload()
    eventually(phone, "Boolean(navigator.serviceWorker.controller)")
    keeper.tap("pair", "Anna")
    assert json.dumps(recorded(phone)) == json.dumps([ANNA_PAIR])


def ours(page: Page) -> Locator:
    """What stands in for a page that cannot be had; it is styled as all of ours are."""
    found = page.locator("main.lost")
    expect(found).to_have_css("max-width", "544px")
    return found


def in_control(page: Page) -> str:
    """Wait until the phone's worker has all that it needs; return where the table is."""
    eventually(page, "Boolean(navigator.serviceWorker.controller)")
    eventually(page, "async () => Boolean(await caches.match('/away?sent'))")
    return page.url


def test_a_page_never_seen_says_so_in_our_words(
    phone: Page, screenshot: Callable[[Page, str], Path], judge: Judge
) -> None:
    """It leads to what is kept, and comes by itself once there is a network."""
    keeper = opened(phone)
    table = in_control(phone)
    cut(phone)
    for end in ("/pen/nowhere", "/recovery/nowhere", "/evening"):
        phone.goto(f"{table}{end}")
        expect(ours(phone)).to_contain_text("ligger inte kvar i telefonen")
    expect(phone.locator("html")).to_have_attribute("lang", "sv")
    judge(phone)
    screenshot(phone, "offline-never-seen")
    phone.get_by_role("link", name="Anna, Bo, Cilla, Dan").click()
    keeper.expect_scores(0, 0, 0, 0)
    phone.goto(f"{table}/evening")
    cut(phone, off=False)
    expect(phone).to_have_title(re.compile("Kvällen"), timeout=15_000)


def test_a_form_without_an_answer_says_so_in_our_words(
    phone: Page, screenshot: Callable[[Page, str], Path]
) -> None:
    """It claims nothing that nobody knows, and leads back to where the form was."""
    opened(phone)
    table = in_control(phone)
    phone.goto(f"{table}/join")
    cut(phone)
    phone.get_by_role("button", name="Bara den här telefonen skriver").click()
    expect(ours(phone)).to_contain_text("kan ha skrivits eller inte")
    screenshot(phone, "offline-form")
    cut(phone, off=False)
    phone.get_by_role("link", name="Tillbaka").click()
    expect(phone).to_have_url(f"{table}/join")


def test_forms_go_through_the_worker_as_they_are(phone: Page) -> None:
    """The file arrives whole, is read, and refused for what is in it."""
    opened(phone)
    table = in_control(phone)
    game = phone.request.get(f"{table}/games/1.json").body()
    phone.goto(f"{table}/files")
    file = FilePayload(name="game.json", mimeType="application/json", buffer=game)
    phone.locator("input[type=file]").first.set_input_files(file)
    phone.locator("form:has(input[type=file]) button").first.click()
    expect(phone.get_by_role("alert")).to_have_text("Partiet spelas fortfarande.")


def test_our_words_are_in_the_language_of_the_phone(phone: Page) -> None:
    """Whoever changes the language gets them anew."""
    opened(phone)
    table = in_control(phone)
    phone.goto(f"{table}/more")
    phone.get_by_role("button", name="English").click()
    kept = "async () => (await (await caches.match('/away')).text()).includes('Try again')"
    eventually(phone, kept)
    cut(phone)
    phone.goto(f"{table}/years")
    expect(phone.get_by_role("link", name="Try again")).to_be_visible()


def test_the_worker_sends_nothing_in_the_name_of_another_site(
    phone: Page, tolerated: list[str]
) -> None:
    """A form on a page from elsewhere is refused as it is without the worker."""
    tolerated.append("403")
    keeper = opened(phone)
    table = in_control(phone)
    keeper.tap("pair", "Anna")
    phone.route(
        "http://elsewhere.test/",
        lambda route: route.fulfill(content_type="text/html", body=ELSEWHERE % table),
    )
    phone.goto("http://elsewhere.test/")
    with phone.expect_response(f"{table}/undo") as answer:
        phone.get_by_role("button").click()
    assert answer.value.status == HTTPStatus.FORBIDDEN
    phone.goto(table)
    keeper.expect_scores(1, 0, 0, 0)


def test_a_network_that_gives_no_answer_or_another_s_leaves_nobody_waiting(
    new_phone: NewPhone, own_server: Server
) -> None:
    """A copy stands in soon, also for styles; our own words do for what is not kept."""
    keeper = opened(new_phone(), own_server.url)
    page, other = keeper.page, keeper.page.context.new_page()
    table = in_control(page)
    page.evaluate(NEWER_STYLES, table)
    own_server.kill()
    with answering(own_server.port, b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 3\r\n\r\n502"):
        other.goto(f"{table}/evening")
        expect(ours(other)).to_be_visible()
    with answering(own_server.port, b""):
        other.evaluate("(address) => setTimeout(() => location.assign(address))", f"{table}/years")
        page.goto(table, wait_until="commit")
        keeper.expect_scores(0, 0, 0, 0)
        expect(page.locator(".bar")).to_have_css("display", "flex")
        expect(ours(other)).to_be_visible()


@contextmanager
def answering(port: int, answer: bytes) -> Iterator[None]:
    """Listen where the server did, and give this answer to everything, or none at all."""

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            self.request.recv(65536)
            if not answer:
                ended.wait()
            self.request.sendall(answer)

    class Listener(socketserver.ThreadingTCPServer):
        allow_reuse_address = daemon_threads = True

        def handle_error(self, *_: object) -> None:
            """Care for nobody who has gone."""

    ended = threading.Event()
    with _listen(lambda: Listener(("127.0.0.1", port), Handler)) as listener:
        threading.Thread(target=listener.serve_forever, daemon=True).start()
        yield
        ended.set()
        listener.shutdown()


def _listen(make: Callable[[], socketserver.TCPServer]) -> socketserver.TCPServer:
    """Take a port as soon as who had it is gone."""
    for _ in range(100):
        try:
            return make()
        except OSError:
            time.sleep(0.05)
    return make()
