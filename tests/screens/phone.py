"""A phone that holds the pen at a table, dressed in different screens."""

import json
import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from http import HTTPStatus
from pathlib import Path
from typing import Any, Literal, NamedTuple

from playwright.sync_api import APIRequestContext, Browser, BrowserContext, Locator, Page, expect

from tests.browser.conftest import usual
from tests.screens.layout import AT_REST, find_faults
from tests.screens.scenes import RULES, SITE, Event, Scene, game_file

# The same address again is a reload, which opens the sheet that was open and has what was typed.
FORGET = """() => {
    history.replaceState(null, "");
    if (location.protocol === "about:") return;
    const drafts = Object.keys(localStorage).filter((key) => key.startsWith("draft:"));
    for (const key of drafts) delete localStorage[key];
}"""

UNTIL_SIZED = """async ([width, height]) => {
    while (innerWidth !== width || innerHeight !== height) await new Promise(requestAnimationFrame);
}"""

# A form of the page's own.
OURS = {"Sec-Fetch-Site": "same-origin"}


class Look(NamedTuple):
    """A screen in CSS pixels, its colours, and how large its owner wants text, in per cent."""

    width: int
    height: int
    scheme: Literal["dark", "light"]
    text: int

    def __str__(self) -> str:
        return f"{self.width}x{self.height} {self.scheme} {self.text}%"


class Table:
    """A table on a phone that writes there; events reach it as the page's own form sends them."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = "/".join(address.split("/")[:5])

    def record(self, events: Iterable[Event]) -> None:
        """Record events, one after the other. Fails where one is refused."""
        for number, event in enumerate(events, self._read_seq()):
            form: dict[str, Any] = {"seq": number, "event": json.dumps(event)}
            path = f"{self.address}/events"
            answer = self.page.request.post(path, form=form, headers=OURS, max_redirects=0)
            said = re.findall(r'id="said".*?</p>', answer.text())
            assert answer.status == HTTPStatus.SEE_OTHER, (event, said)

    def ask_for(self, what: str) -> str:
        """The address of a link for another phone."""
        answer = self.page.request.post(self.address + what, headers=OURS)
        given = re.search(r'readonly\s+value="([^"]+)"', answer.text())
        assert given, answer.text()
        # Made for other phones in the house: here it is opened by the address this one knows.
        path = what.removeprefix(SITE)
        base = self.address + what.removesuffix(path)
        return base + given[1][given[1].index(path) :]

    def read_in(self, files: Iterable[Event]) -> None:
        """Read files of games in, one after the other. Fails where one is refused."""
        for game in files:
            seq = f"{self._read_seq()}"
            upload(self.page.request, f"{self.address}/files", game, seq=seq)

    def _read_seq(self) -> int:
        page = self.page.request.get(self.address).text()
        seq = re.search(r'data-seq="(\d+)"', page)
        assert seq, page
        return int(seq[1])

    @cached_property
    def stranger(self) -> Page:
        """A phone that has never been at the table."""
        browser = self.page.context.browser
        assert browser
        return _new_context(browser, locale=self.page.evaluate("navigator.language")).new_page()

    def speak(self, language: str) -> None:
        """Let the phones ask for pages in a language."""
        for page in (self.page, self.stranger):
            page.context.set_extra_http_headers({"Accept-Language": language})

    def page_of(self, scene: Scene) -> Page:
        """The phone that shows a scene."""
        return self.stranger if scene.gives or scene.reads else self.page

    def close(self) -> None:
        """Put the phones away."""
        if "stranger" in vars(self):
            self.stranger.context.close()
        self.page.context.close()


def open_table(
    browser: Browser, url: str, language: str, players: Sequence[str], rules: Event = RULES
) -> Table:
    """Open a table by reading a game's file in, as anybody can."""
    # It takes nothing along by itself.
    kept = usual(url)["storage_state"]
    context = _new_context(browser, base_url=url, locale=language, storage_state=kept)
    address = upload(context.request, "/files", game_file(players, rules))
    return Table(context.new_page(), address)


def _new_context(browser: Browser, **options: Any) -> BrowserContext:  # noqa: ANN401 - playwright's own options
    return browser.new_context(reduced_motion="reduce", service_workers="block", **options)


def upload(phone: APIRequestContext, address: str, game: Event, **fields: str) -> str:
    """Send a game's file with a form; return where that led. Fails where it is refused."""
    file = {
        "name": "game.json",
        "mimeType": "application/json",
        "buffer": json.dumps(game).encode(),
    }
    form: dict[str, Any] = {**fields, "file": file}
    answer = phone.post(address, multipart=form, headers=OURS)
    assert answer.ok, answer.text()
    assert "/t/" in answer.url, answer.text()
    return answer.url


def resize(page: Page, width: int, height: int) -> None:
    """Put a page on a screen of another size, and wait until it has it."""
    if page.viewport_size == {"width": width, "height": height}:
        return
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(UNTIL_SIZED, [width, height])


def show(table: Table, scene: Scene, look: Look, path: Path | None = None) -> list[str]:
    """Show a scene, take a picture of it if it is to go to `path`, and return its faults."""
    page = table.page_of(scene)
    resize(page, look.width, look.height)
    page.emulate_media(color_scheme=look.scheme)
    page.evaluate(FORGET)
    page.goto(table.ask_for(scene.gives) if scene.gives else table.address + scene.path)
    found = page.locator(scene.tap or "main").first
    # A row may be folded away on this screen.
    if scene.tap and found.is_visible():
        tap(found, force=True)
    if path:
        page.evaluate(AT_REST)
        page.screenshot(path=f"{path} {look.width}x{look.height} {look.scheme}.png")
    return find_faults(page)


def tap(found: Locator, *, force: bool = False) -> None:
    """Tap something once, and wait for what comes of it; by `force` also what is not allowed."""
    page = found.page
    opens, sends = found.evaluate("each => ['sheet' in each.dataset, each.type === 'submit']")
    if sends:
        with page.expect_response(lambda answer: answer.request.method == "POST") as answer:
            found.click(force=force)
        answer.value.finished()
    else:
        found.click(force=force)
    page.wait_for_load_state()
    if opens:
        expect(page.locator(".ask")).to_be_visible()
    expect(page.locator(".pending, .htmx-request")).to_have_count(0)
