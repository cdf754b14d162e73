"""Debian's WebKitGTK at the table, the nearest that Linux has to an iPhone's browser.

    python -m tests.hard.webkit

It plays a deal with the server there; loses the server, and shows what was kept, lets a tap wait,
and says in our words what is not there; and writes the tap once the server is back. Then it takes
the kit along, and plays a deal that only the phone has, to be handed over. At last another browser,
with no cookies and told that a home screen opened it, begins at the address that was made for it.
It installs nothing, and says what is missing. Exit status 1 where something was otherwise than
promised, 2 where it could not be tried.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.browser.serving import Server
from tests.hard.figures import Figures
from tests.hard.serving import served

PORT, SCREEN = 4455, ":77"
PATIENCE = 30.0
PLAYERS = ("Anna", "Bo", "Cilla", "Dan")
# What is needed, and the package of Debian's that has it.
NEEDED = {"WebKitWebDriver": "webkit2gtk-driver", "Xvfb": "xvfb"}
BROWSERS = Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser")
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
DEAL = ("#row-pair", 0), ("#row-flush", 1), ("#row-trick", 2), ("#row-straight", 3)
SCORES = "return [...document.querySelectorAll('.head .score')].map((s) => s.textContent).join(' ')"
# The worker that a phone which takes the score keeper along has is a module.
MODULE = """
    const [done] = arguments;
    navigator.serviceWorker.register("/sw.js", {scope: "/module/", type: "module"})
        .then((found) => found.unregister())
        .then(() => done("yes"), (error) => done(String(error)));
"""
# How an iPhone tells a page that a home screen opened it; WebKitGTK has no such thing.
FIRST_START = """
    Object.defineProperty(navigator, "standalone", {value: true});
    const {src} = document.querySelector("script[src*=first_start]");
    document.head.append(Object.assign(document.createElement("script"), {src: `${src}&again`}));
"""
MANIFEST = "document.querySelector('.steps') && document.querySelector('link[rel=manifest]').href"
TABLES = "return [...document.querySelectorAll('.list a')].map((a) => a.pathname).sort().join(' ')"
SEQ = "return document.querySelector('#table')?.dataset.seq"
MOVED = "return document.querySelector('#table').dataset.seq !== '%s'"
READY = """
    const found = ["#sheets", "#table"].map((part) => document.querySelector(part).dataset);
    return navigator.serviceWorker.controller !== null && found[0].of === found[1].seq;
"""


class Browser:
    """A browser that is told what to do by WebDriver."""

    def __init__(self, binary: Path) -> None:
        options = {"binary": str(binary), "args": ["--automation"]}
        wanted = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        self._session = ""
        opened = self._call("POST", "/session", {"capabilities": wanted})
        self._session = f"/session/{opened['sessionId']}"
        self.version = opened["capabilities"]["browserVersion"]

    def close(self) -> None:
        """End the browser."""
        self._call("DELETE", "")

    def open(self, address: str) -> None:
        """Go to a page."""
        self._call("POST", "/url", {"url": address})

    @property
    def address(self) -> str:
        """Where it is."""
        return str(self._call("GET", "/url"))

    def run(self, script: str, *, later: bool = False) -> Any:  # noqa: ANN401 - what the page gives
        """Run a script in the page; `later`: its answer comes by the callback it is given."""
        body = {"script": script, "args": []}
        return self._call("POST", f"/execute/{'async' if later else 'sync'}", body)

    def click(self, selector: str, place: int = 0) -> None:
        """Tap the one at this place of what a selector finds."""
        self._call("POST", f"/element/{self._find(selector, place)}/click", {})

    def type(self, selector: str, text: str, place: int = 0) -> None:
        """Type into a field."""
        self._call("POST", f"/element/{self._find(selector, place)}/value", {"text": text})

    def text(self, selector: str) -> str:
        """Return what stands in all that a selector finds."""
        words = f"[...document.querySelectorAll({selector!r})].map((part) => part.textContent)"
        return str(self.run(f"return {words}.join(' ')"))

    def _find(self, selector: str, place: int) -> str:
        using = {"using": "css selector", "value": selector}
        found = wait_for(lambda: self._call("POST", "/elements", using)[place:])
        return str(found[0][ELEMENT])

    def _call(self, method: str, path: str, body: object = None) -> Any:  # noqa: ANN401 - JSON
        request = urllib.request.Request(
            f"http://127.0.0.1:{PORT}{self._session}{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=2 * PATIENCE) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            message = error.read().decode()
            raise AssertionError(message) from None


def wait_for(look: Callable[[], Any]) -> Any:  # noqa: ANN401 - what is looked for
    """Return what comes to be there. Raises AssertionError when it never does."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if found := look():
            return found
        time.sleep(0.1)
    message = "This never came."
    raise AssertionError(message)


@contextmanager
def browsing(binary: Path) -> Iterator[Browser]:
    """Run a browser on a screen that nobody sees."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    # Without a graphics card, and as root, where its own sandbox cannot be set up.
    alone = {
        "WEBKIT_DISABLE_COMPOSITING_MODE": "1",
        "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",
    }
    environ = {**os.environ, "DISPLAY": SCREEN, **alone}
    commands = ["Xvfb", SCREEN, "-screen", "0", "500x900x24"], ["WebKitWebDriver", f"--port={PORT}"]
    running = [subprocess.Popen(command, env=environ, **quiet) for command in commands]  # type: ignore[call-overload]  # the two of `quiet`
    try:
        time.sleep(1.5)
        browser = Browser(binary)
        yield browser
        browser.close()
    finally:
        for process in reversed(running):
            process.terminate()
            process.wait(PATIENCE)


def play(browser: Browser, server: Server, figures: Figures) -> None:
    """A deal, with and without the server."""
    open_table(browser, server)
    wait_for(lambda: browser.run("return Boolean(document.querySelector('#live.on'))"))
    play_deal(browser)
    figures.add(
        "a deal with the server", browser.run(SCORES), kept=browser.run(SCORES) == "1 5 5 4"
    )
    figures.add("a worker that is a module", browser.run(MODULE, later=True))
    table = browser.address
    browser.open(f"{table}/more")
    browser.click(".languages button")
    time.sleep(1)
    figures.add("a form through the worker", "answered", kept=browser.address == f"{table}/more")
    browser.open(table)
    wait_for(lambda: browser.run(READY))
    time.sleep(1)
    server.kill()
    go_without(browser, table, figures)
    server.start()
    wait_for(lambda: browser.run(SCORES) == "1 5 6 4")
    figures.add("the tap, written when it is back", browser.run(SCORES))


def open_table(browser: Browser, server: Server) -> None:
    """Open a table for four."""
    browser.open(server.url)
    for place, name in enumerate(PLAYERS):
        wait_for(partial(browser.run, "return Boolean(document.querySelector('.under button'))"))
        if browser.run("return document.querySelectorAll('input[name=player]').length") == place:
            browser.click(".under button[value=add]")
        browser.type("input[name=player]", name, place)
    browser.click("button.go")


def play_deal(browser: Browser) -> None:
    """Tap what happens in a deal."""
    for row, place in DEAL:
        seq = wait_for(lambda: browser.run(SEQ))
        browser.click(f"{row} .cell", place)
        wait_for(partial(browser.run, MOVED % seq))
        time.sleep(1)


def take_along(browser: Browser, server: Server, figures: Figures) -> None:
    """A deal that only the phone has, at a table that it opened by itself."""
    browser.open(server.url)
    browser.click("#take-along")
    wait_for(lambda: browser.run("return document.documentElement.dataset.kit === 'taken'"))
    server.kill()
    began = time.monotonic()
    open_table(browser, server)
    wait_for(lambda: browser.run(SEQ))
    figures.add("a table opened without the server, seconds", f"{time.monotonic() - began:.1f}")
    play_deal(browser)
    scores, line = browser.run(SCORES), browser.text("#only-here")
    figures.add("a deal without the server", scores, kept=scores == "1 5 5 4")
    figures.add("what is only here", " ".join(line.split()), kept=bool(line))
    table = browser.address
    server.start()
    wait_for(lambda: not browser.run("return Boolean(document.querySelector('#only-here'))"))
    with urllib.request.urlopen(table) as page:
        figures.add("handed over", page.status, kept=page.status == HTTPStatus.OK)


def prepare(browser: Browser, server: Server, figures: Figures) -> tuple[str, str]:
    """Let the browser get ready for a home screen; what that is to open, and its tables."""
    browser.open(f"{server.url}/tables")
    listed = browser.run(TABLES)
    browser.open(f"{server.url}/install")
    browser.click("form[action='/install'] button")
    href = wait_for(lambda: browser.run(f"return {MANIFEST}"))
    # As WebKit asks for it: without cookies.
    with urllib.request.urlopen(href) as answer:
        start = server.url + json.load(answer)["start_url"]
    figures.add(
        "the page that is added, and its manifest", "one start", kept=start == browser.address
    )
    return start, listed


def open_from_home_screen(
    browser: Browser, server: Server, start: str, listed: str, figures: Figures
) -> None:
    """The first start of an app that has no cookies, and the next."""
    browser.open(start)
    browser.run(FIRST_START)
    told = wait_for(lambda: browser.text(".told"))
    figures.add("the first start", told, kept=urlsplit(browser.address).path == "/")
    browser.open(f"{server.url}/tables")
    figures.add("the same tables", len(listed.split()), kept=browser.run(TABLES) == listed != "")
    browser.open(start)
    figures.add("the next start", "the start page", kept=urlsplit(browser.address).path == "/")


def go_without(browser: Browser, table: str, figures: Figures) -> None:
    """What there is of a table without its server."""
    browser.open(f"{table}/evening")
    said = browser.text("main.lost")
    figures.add(
        "a page never seen",
        " ".join(said.split())[:60],
        kept="telefonen" in said or "phone" in said,
    )
    browser.open(table)
    wait_for(lambda: browser.run(SCORES) == "1 5 5 4")
    browser.click("#row-pair .cell", 2)
    wait_for(lambda: browser.text("#unsent .count") == "1")
    browser.click("#row-flush .cell", 3)
    held = wait_for(lambda: browser.text("#said"))
    figures.add("a tap that waits", browser.text("#unsent .words"))
    figures.add("the next is held back", held, kept=browser.text("#unsent .count") == "1")
    browser.click(".bar a[href$=more]")
    browser.click("#ask .languages button")
    wait_for(lambda: browser.text("main.lost #back"))
    figures.add("a form without an answer", " ".join(browser.text("main.lost .about").split()))
    browser.click("#back")


def missing(browsers: Sequence[Path]) -> list[str]:
    """The packages that would have to be installed."""
    packages = [package for program, package in NEEDED.items() if not shutil.which(program)]
    return packages if browsers else [*packages, "libwebkit2gtk-4.1-0"]


def main() -> int:
    """Try it, and print what could be shown."""
    browsers = sorted(BROWSERS)
    if packages := missing(browsers):
        sys.stderr.write(f"Not tried: these packages are missing: {' '.join(packages)}\n")
        return 2
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder)) as server,
    ):
        with browsing(browsers[-1]) as browser:
            figures = Figures(f"WebKitGTK {browser.version}")
            play(browser, server, figures)
            take_along(browser, server, figures)
            installed = prepare(browser, server, figures)
        # What WebDriver opens has cookies of its own each time.
        with browsing(browsers[-1]) as browser:
            open_from_home_screen(browser, server, *installed, figures)
    return figures.print()


if __name__ == "__main__":
    sys.exit(main())
