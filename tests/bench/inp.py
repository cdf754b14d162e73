"""How soon a slow phone shows that it was tapped, beside the barest page that swaps as much.

A processor at a quarter of its speed, a network of 400 ms, a real browser: Interaction to Next
Paint by the Event Timing API, tasks longer than 50 ms, and the mark of the tapped cell.
"""

from __future__ import annotations

import statistics
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import msgspec
from playwright.sync_api import Browser, Page, sync_playwright

from tests.bench import served
from tests.bench.filling import filling
from tests.bench.row import Row
from tests.browser import chromium

SLOWER, LATENCY = 4, 400
TAPS_A_ROUND = 20
# Until a tap has been answered, and all that follows it is done: sheets fetched, copies kept.
REST_MS = 1_600
SLOW_NETWORK = {
    "offline": False,
    "latency": LATENCY,
    "downloadThroughput": -1,
    "uploadThroughput": -1,
}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 664},
    "has_touch": True,
    "is_mobile": True,
    "locale": "sv-SE",
}
WHOLE = "(table) => table.outerHTML"
HTMX = Path("static/vendor/htmx.min.js")

# Of every interaction its longest event, of every tap whether its cell looks tapped in that frame.
WATCH = """
window.bench = { interactions: {}, tasks: [], marks: [], last: "" };
new PerformanceObserver((list) => {
  for (const { interactionId: id, duration } of list.getEntries()) {
    if (id) bench.interactions[id] = Math.max(bench.interactions[id] ?? 0, duration);
  }
}).observe({ type: "event", durationThreshold: 16, buffered: true });
new PerformanceObserver((list) => {
  bench.tasks.push(...list.getEntries().map(({ duration }) => duration));
}).observe({ type: "longtask", buffered: true });
document.addEventListener("click", ({ target }) => {
  requestAnimationFrame(() => bench.marks.push(Boolean(target.closest(".pending, .htmx-request"))));
}, true);
"""
# The middle of the next cell to be tapped: one that records at once, and not the fact before.
FIND = """(turn) => {
  const cells = [...document.querySelectorAll("#table button[name=event]:not([aria-disabled])")];
  const others = cells.filter(({ value }) => value !== bench.last);
  const cell = others[turn * 7 % others.length];
  bench.last = cell.value;
  cell.scrollIntoView({ block: "nearest" });
  const { x, y, width, height } = cell.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}"""


class Seen(msgspec.Struct, frozen=True):
    """What the page saw of so many taps, in milliseconds."""

    interactions: dict[str, float]
    tasks: list[float]
    marks: list[bool]

    @property
    def durations(self) -> list[float]:
        """How long each tap took to be shown; the API tells of none shorter than 16 ms."""
        quick = len(self.marks) - len(self.interactions)
        return [*self.interactions.values(), *[16.0] * quick]

    @property
    def median(self) -> float:
        """The median of that."""
        return statistics.median(self.durations)

    @property
    def p98(self) -> float:
        """The 98th percentile of that."""
        return statistics.quantiles(self.durations, n=50)[48]


class _Peer(BaseHTTPRequestHandler):
    """The barest page with htmx: a table of buttons, and an answer to a tap that is as long."""

    part = ""

    def do_GET(self) -> None:
        """Answer with the page, the part that a tap swaps, or the script."""
        page = f'<!DOCTYPE html><script src="/htmx.js"></script>{self.part}'
        found = {"/htmx.js": HTMX.read_text(), "/part": self.part}.get(self.path, page)
        body = found.encode()
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def peer(size: int) -> Iterator[str]:
    """Serve the peer's page, whose answers have so many letters; its address."""
    button = '<button name="event" value="{n}" hx-get="/part" hx-target="#table">·</button>'
    rows = "".join(f"<p>{button.format(n=n) * 4}</p>" for n in range(size // (4 * len(button))))
    handler = type("Peer", (_Peer,), {"part": f'<main id="table">{rows}</main>'})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}/"
        server.shutdown()


def measure(rounds: int) -> Iterator[Row]:
    """Tap on the board, and on the peer's page."""
    taps = rounds * TAPS_A_ROUND
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        with filling(folder) as into:
            table = into.add_table(0)
        server = stack.enter_context(served.ours(folder))
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=chromium.find())
        phone = open_phone(browser, f"http://localhost:{server.port}/t/{table.link}", table.pen)
        address = stack.enter_context(peer(len(phone.locator("#table").evaluate(WHOLE))))
        mine, its = tap(phone, taps), tap(open_phone(browser, address), taps)
        browser.close()
    beside = f"median {mine.median:.0f} of {its.median:.0f} ms"
    name = f"INP of a tap, 1/{SLOWER} of the speed, {LATENCY} ms of network, p98"
    against = f"a plain page with htmx: {its.p98:.0f} ms"
    yield Row(name, f"{mine.p98:.0f} ms", against, mine.p98, 100, beside=beside)
    against, figure = f"a plain page with htmx: {len(its.tasks) / taps:.1f}", len(mine.tasks) / taps
    longest = f"longest {max(mine.tasks, default=0):.0f} of {max(its.tasks, default=0):.0f} ms"
    yield Row("long tasks a tap", f"{figure:.1f}", against, figure, 1, beside=longest)
    marked = statistics.mean(mine.marks) * 100
    yield Row("taps marked in their frame", f"{marked:.0f} %", "all", marked, 100, at_least=True)


def open_phone(browser: Browser, address: str, pen: str = "") -> Page:
    """Open a page on a phone that takes no offline bundle, and slow the phone down."""
    phone = browser.new_context(
        viewport={"width": 390, "height": 664}, has_touch=True, is_mobile=True, locale="sv-SE"
    )
    if pen:
        phone.add_cookies([{"name": "chicago-pen", "value": pen, "url": address}])
    phone.add_init_script("localStorage.setItem('kit', 'off')")
    page = phone.new_page()
    page.goto(address)
    page.wait_for_timeout(REST_MS)
    return page


def tap(page: Page, taps: int) -> Seen:
    """Tap so many times, each when all that followed the tap before is done."""
    tools = page.context.new_cdp_session(page)
    tools.send("Network.enable")
    tools.send("Network.emulateNetworkConditions", SLOW_NETWORK)
    tools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.evaluate(WATCH)
    for turn in range(taps):
        page.touchscreen.tap(*page.evaluate(FIND, turn))
        page.wait_for_timeout(REST_MS)
    return msgspec.convert(page.evaluate("bench"), Seen)
