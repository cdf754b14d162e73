"""Latency of a phone without a server: `make offline`, `python -m tests.bench.phone`.

Milliseconds, in a headless Chromium: a tap from the finger to the table as it is then, timed by
the page, the median of some; and a page from a worker that was ended, Python's start included. A
quarter of the speed is all processes that run pages and workers stopped for three quarters of the
time.
"""

from __future__ import annotations

import os
import signal
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser import chromium
from tests.browser.bundle import end_workers, take_along
from tests.browser.conftest import FLAGS, usual
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.serving import Server

TAPS = 15
# Seconds of running, and of being stopped, in turn.
RUNNING, STOPPED = 0.002, 0.006
LOOKED_EVERY = 0.5
# At full speed, and at a quarter of it.
GOALS = {"tap": (None, 170), "start again": (2000, None)}
TIMED = """
  addEventListener("click", () => { window.since = performance.now(); }, true);
  document.addEventListener("htmx:after:swap", () => { window.took = performance.now() - since; });
"""


def measure(page: Page, server: Server) -> dict[str, float]:
    """Measure one phone: it takes the bundle along, plays without a server, and is ended."""
    page.add_init_script(TIMED)
    take_along(page)
    server.kill()
    keeper = Keeper(page)
    keeper.open_table(*PLAYERS)
    taps = [_tap(keeper) for _ in range(TAPS)]
    end_workers(page)
    since = time.perf_counter()
    page.reload()
    return {"tap": statistics.median(taps), "start again": (time.perf_counter() - since) * 1000}


def _tap(keeper: Keeper) -> float:
    """Record a fact and take it back; how long the first took, from the tap to the page."""
    keeper.tap("pair", "Anna")
    took = float(keeper.page.evaluate("took"))
    keeper.undo()
    return took


@contextmanager
def slowed() -> Iterator[None]:
    """Stop all that runs pages, three quarters of the time."""
    over = threading.Event()
    slowing = threading.Thread(target=_slow_down, args=(over,))
    slowing.start()
    try:
        yield
    finally:
        over.set()
        slowing.join()


def _slow_down(over: threading.Event) -> None:
    looked, renderers = 0.0, list[int]()
    while not over.is_set():
        if time.monotonic() - looked > LOOKED_EVERY:
            looked, renderers = time.monotonic(), _find_renderers()
        for which, pause in ((signal.SIGSTOP, STOPPED), (signal.SIGCONT, RUNNING)):
            for process in renderers:
                _send(process, which)
            time.sleep(pause)


def _send(process: int, which: signal.Signals) -> None:
    """Send a signal to a process that may have ended."""
    try:
        os.kill(process, which)
    except ProcessLookupError:
        return


def _find_renderers() -> list[int]:
    """The processes that run pages and workers."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if b"--type=renderer" in command:
            found.append(int(folder.name))
    return found


def run(*, slow: bool) -> dict[str, float]:
    """Measure at full speed, or at a quarter of it."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        server.start()
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=FLAGS)
        page = browser.new_context(**usual(server.url)).new_page()
        try:
            if not slow:
                return measure(page, server)
            with slowed():
                return measure(page, server)
        finally:
            browser.close()
            server.kill()


def main() -> None:
    """Print both, side by side, with the goals."""
    full, quarter = run(slow=False), run(slow=True)
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    sys.stdout.write(f"{os.cpu_count()} processors, of which the machine's load is {load}\n")
    sys.stdout.write(f"{'':14}{'full speed':>12}{'goal':>8}{'a quarter':>12}{'goal':>8}\n")
    for name, goals in GOALS.items():
        first, second = (goal or "" for goal in goals)
        sys.stdout.write(f"{name:14}{full[name]:12.0f}{first:>8}{quarter[name]:12.0f}{second:>8}\n")


if __name__ == "__main__":
    main()
