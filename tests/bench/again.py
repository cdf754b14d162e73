"""Starting again without a network, from a folder of files beside the bundle of a server.

The worker was ended, as by a phone that is short of memory; measured is the time until the start
page is there.
"""

import statistics
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from app.offline import site
from app.offline.build import OUTPUT
from tests.bench.load import Row, in_turns
from tests.browser import chromium
from tests.browser.bundle import end_workers, install_offline
from tests.browser.conftest import FLAGS
from tests.browser.serving import Server
from tests.browser.static_host import Host

SEATS = "#start input[name=player]"
AWAY = "() => fetch('/offline/status').then((told) => told.json()).then((told) => told.away)"


def measure(rounds: int) -> Iterator[Row]:
    """Start each as often, in turn; both have lost what they came from."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = chromium.find()
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        starts = [
            partial(start_again, *take(browser, Path(folder))) for take in (from_files, from_server)
        ]
        files, server = in_turns(rounds, *starts)
        browser.close()
    ratio = statistics.median(one / other for one, other in zip(files, server, strict=True))
    took, its = map(statistics.median, (files, server))
    against = f"the bundle of a server: {its:.2f} s"
    yield Row("start again from a folder of files", f"{took:.2f} s", against, ratio, 2)


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
