"""How soon a phone on a slow network shows the page, and a tap: in a headless Chromium.

Slow 4G is 150 ms there and back and 1.6 Mbit/s, as Chromium's own tools have it; the processor
runs at a quarter of its speed. Of a tap, what is waited for the network and the server is left out.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.bench.row import Row
from tests.browser import chromium
from tests.browser.conftest import FLAGS
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.serving import Server

SLOW_4G = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1.6e6 / 8,
    "uploadThroughput": 750e3 / 8,
}
SLOWER = 4
TAPS = 3
PHONE = {"width": 360, "height": 780}
LARGEST_PAINT = """() => new Promise(told => new PerformanceObserver(list =>
    told(list.getEntries().at(-1).startTime)
  ).observe({type: "largest-contentful-paint", buffered: true}))"""
# From the finger to the frame in which the table is as it is then, and how much of it was waited.
TIMED = """() => {
  addEventListener("click", () => { window.since = performance.now(); }, true);
  document.addEventListener("htmx:after:swap", () => requestAnimationFrame(() => setTimeout(() => {
    const sent = performance.getEntriesByType("resource").filter(
      entry => entry.startTime >= since && /events|undo/.test(entry.name));
    const waited = sent.reduce((sum, entry) => sum + entry.duration, 0);
    window.took = [performance.now() - since, waited];
  })));
}"""


def measure(rounds: int) -> Iterator[Row]:
    """Open a table once more on a phone that knows nothing of it, and tap."""
    paints, again, taps = [], [], []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        server.start()
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=FLAGS)
        for _ in range(rounds + 1):
            first, second, tapped = _on_a_phone(browser, server)
            paints.append(first)
            again.append(second)
            taps += tapped
        browser.close()
        server.stop()
    name, paint = "slow 4G, a quarter of the speed: ", statistics.median(paints[1:])
    beside = f"{statistics.median(again[1:]) / 1000:.2f} s on a phone that has been there before"
    yield Row(f"{name}LCP", f"{paint / 1000:.2f} s", "nothing", paint / 1000, 0.5, beside=beside)
    own = statistics.median(took - waited for took, waited in taps)
    beside = f"{statistics.median(waited for _, waited in taps):.0f} ms waited besides"
    name += "tap to paint, our own time"
    yield Row(name, f"{own:.0f} ms", "nothing", own, 100, beside=beside)


def _on_a_phone(browser: Browser, server: Server) -> tuple[float, float, list[tuple[float, float]]]:
    """The largest paint of a table's page, the first and the second time, in ms.

    And of each tap what it took and what it waited.
    """
    context = browser.new_context(base_url=server.url, locale="sv-SE", viewport=PHONE)  # type: ignore[arg-type]  # a mapping of two numbers
    keeper = Keeper(context.new_page())
    keeper.open_table(*PLAYERS)
    cookies, address = context.cookies(), keeper.page.url
    context.close()
    context = browser.new_context(base_url=server.url, locale="sv-SE", viewport=PHONE)  # type: ignore[arg-type]  # as above
    context.add_cookies(cookies)  # type: ignore[arg-type]  # as they were given
    page = context.new_page()
    _slow_down(page)
    first, second = _paint(page, address), _paint(page, address)
    page.evaluate(TIMED)
    keeper = Keeper(page)
    keeper.players = PLAYERS
    taps = [_tap(keeper) for _ in range(TAPS)]
    context.close()
    return first, second, taps


def _paint(page: Page, address: str) -> float:
    page.goto(address)
    paint = float(page.evaluate(LARGEST_PAINT))
    page.wait_for_load_state("networkidle")
    return paint


def _slow_down(page: Page) -> None:
    tools = page.context.new_cdp_session(page)
    tools.send("Network.enable")
    tools.send("Network.emulateNetworkConditions", SLOW_4G)
    tools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})


def _tap(keeper: Keeper) -> tuple[float, float]:
    """Record a fact, time it, and take it back."""
    keeper.page.evaluate("window.took = null")
    keeper.tap("pair", "Anna")
    keeper.page.wait_for_function("window.took")
    took, waited = keeper.page.evaluate("took")
    keeper.undo()
    return took, waited
