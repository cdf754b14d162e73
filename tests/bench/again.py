"""Starting again without a network, from a folder of files beside the bundle of a server.

The worker was ended, as by a phone that is short of memory; measured is the time until the start
page is there.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from app.offline import site
from app.offline.build import OUTPUT
from tests.bench.row import Row
from tests.browser import chromium
from tests.browser.bundle import end_workers, install_offline
from tests.browser.serving import Server
from tests.browser.static_host import Host

SEATS = "#start input[name=player]"
AWAY = "() => fetch('/offline/status').then((told) => told.json()).then((told) => told.away)"


def measure(rounds: int) -> Iterator[Row]:
    """Start each as often, in turn; both have lost what they came from."""
    with (
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as playwright,
        playwright.chromium.launch(
            executable_path=chromium.find(), args=["--no-sandbox"]
        ) as browser,
    ):
        pages = [from_files(browser, Path(folder)), from_server(browser, Path(folder))]
        took = [[start_again(*page) for page in pages] for _ in range(rounds + 1)][1:]
    files, server = map(statistics.median, zip(*took, strict=True))
    ratio = statistics.median(one / other for one, other in took)
    against = f"the bundle of a server: {server:.2f} s"
    yield Row("start again from a folder of files", f"{files:.2f} s", against, ratio, 2)


def from_files(browser: Browser, folder: Path) -> tuple[Page, str]:
    """A phone with the score keeper of a host that is gone."""
    site.write(folder / "site", OUTPUT)
    host, page = Host(folder / "site"), browser.new_page()
    page.goto(host.url)
    page.wait_for_selector(SEATS)
    host.stop()
    return page, host.url


def from_server(browser: Browser, folder: Path) -> tuple[Page, str]:
    """A phone with the bundle of a server that is gone."""
    server, page = Server(folder), browser.new_context(locale="sv-SE").new_page()
    server.start()
    page.goto(server.url)
    install_offline(page, server.url)
    server.kill()
    page.goto(server.url)
    page.wait_for_function(AWAY)
    return page, server.url


def start_again(page: Page, home: str) -> float:
    """Seconds until the start page is there, once the worker was ended."""
    page.goto("about:blank")
    end_workers(page)
    began = time.perf_counter()
    page.goto(home)
    page.wait_for_selector(SEATS)
    return time.perf_counter() - began
