"""A page that is not here, a form without an answer: the worker says so in our own words."""

import re
import socketserver
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path

import pytest
from playwright.sync_api import FilePayload, Locator, Page, expect

from tests.browser.conftest import AWAY, Judge, NewPhone
from tests.browser.kept import opened
from tests.browser.serving import PATIENCE, Server
from tests.browser.tables import cut, eventually

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


@pytest.fixture
def tolerated() -> list[str]:
    """Return the messages of a browser whose network is gone: that is what is tested."""
    return [*AWAY, "server error 50[24]"]


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
    expect(phone).to_have_title(re.compile("Kvällen"))


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
    own_server: Server, new_phone: NewPhone
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
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return make()
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
