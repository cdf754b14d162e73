"""How quick a phone answers without a server: `make offline`, `python -m tests.bench.offline`.

Times are milliseconds, medians where there are several, in a headless Chromium. `processor` is what
the processes that run pages and workers have computed meanwhile, all their threads: on a machine
that others use too it tells more than the clock. A tap is timed by the page, from the finger to the
table as it is then; `by hand` is what a test sees, with its own way to the browser. A quarter of
the speed is the browser stopped for three quarters of the time, all of those processes.
"""

from __future__ import annotations

import os
import signal
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser import chromium
from tests.browser.conftest import FLAGS
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.kit import end_workers, status, take_along
from tests.browser.serving import Server

TAPS = 15
# Seconds of running, and of being stopped, in turn.
RUNNING, STOPPED = 0.002, 0.006
GOALS = {"again": 2000.0, "tap": 100.0}
MEGABYTE = 2**20
# Told by the page itself.
TIMED = """
  addEventListener("click", () => { window.since = performance.now(); }, true);
  document.addEventListener("htmx:after:swap", () => { window.took = performance.now() - since; });
"""


def measure(page: Page, server: Server) -> dict[str, float]:
    """Measure one phone: it takes the kit along, plays without a server, and is ended."""
    page.add_init_script(TIMED)
    take_along(page)
    server.kill()
    figures = _start("first", lambda: page.goto("/"))
    figures |= _phases(page, "first")
    keeper = Keeper(page)
    keeper.open_table(*PLAYERS)
    taps = [_tap(keeper) for _ in range(TAPS)]
    figures |= {name: statistics.median(tap[name] for tap in taps) for name in taps[0]}
    end_workers(page)
    figures |= _start("again", page.reload)
    return figures | _phases(page, "again")


def _start(which: str, act: Callable[[], object]) -> dict[str, float]:
    """Time a start, by the clock and by what was computed."""
    before = _computed()
    took = _time(act)
    computed = sum(spent - before.get(process, 0) for process, spent in _computed().items())
    return {which: took, f"{which}, processor": computed}


def _computed() -> dict[int, float]:
    """How long each process that runs pages has computed, in milliseconds."""
    tick = 1000 / os.sysconf("SC_CLK_TCK")
    found = {}
    for process in _renderers():
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        found[process] = (int(fields[11]) + int(fields[12])) * tick
    return found


def _phases(page: Page, which: str) -> dict[str, float]:
    phases = status(page)["phases"]
    memory = {"memory": phases["memory"] / MEGABYTE}
    names = ("collect", "python", "unpack", "imports", "open", "answer")
    return memory | {f"{which}, {name}": phases[name] for name in names}


def _tap(keeper: Keeper) -> dict[str, float]:
    """Record a fact and take it back; how long the first took, from the tap to the page."""
    page = keeper.page
    by_hand = _time(lambda: keeper.tap("pair", "Anna"))
    took, phases = page.evaluate("took"), status(page)["phases"]
    keeper.undo()
    parts = {"tap, python": phases["answer"], "tap, saving": phases["save"]}
    return {"tap": took, "tap, by hand": by_hand, **parts}


def _time(act: Callable[[], object]) -> float:
    since = time.perf_counter()
    act()
    return (time.perf_counter() - since) * 1000


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
        if time.monotonic() - looked > 0.5:
            looked, renderers = time.monotonic(), list(_renderers())
        _signal(renderers, signal.SIGSTOP)
        time.sleep(STOPPED)
        _signal(renderers, signal.SIGCONT)
        time.sleep(RUNNING)


def _signal(processes: list[int], which: signal.Signals) -> None:
    for process in processes:
        try:
            os.kill(process, which)
        except ProcessLookupError:
            continue


def _renderers() -> Iterator[int]:
    """Name the browser's processes that run pages and workers, of those that this one began."""
    parents: dict[int, int] = {}
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes()
            parents[int(folder.name)] = int(
                (folder / "stat").read_text().rpartition(")")[2].split()[1]
            )
        except OSError:
            continue
        if b"--type=renderer" in command:
            found.append(int(folder.name))
    for process in found:
        above = process
        while above in parents:
            above = parents[above]
            if above == os.getpid():
                yield process


def run(slow: bool) -> Mapping[str, float]:
    """Measure at full speed, or at a quarter of it."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        server.start()
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=FLAGS)
        page = browser.new_context(base_url=server.url, locale="sv-SE").new_page()
        try:
            if not slow:
                return measure(page, server)
            with slowed():
                return measure(page, server)
        finally:
            browser.close()
            server.kill()


def main() -> None:
    """Print both, side by side, with what they may be."""
    full, quarter = run(slow=False), run(slow=True)
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    sys.stdout.write(f"{os.cpu_count()} processors, of which the machine's load is {load}\n")
    sys.stdout.write(f"{'':20}{'full speed':>12}{'a quarter':>12}\n")
    for name, figure in full.items():
        goal = f"  of {GOALS[name]:.0f}" if name in GOALS else ""
        sys.stdout.write(f"{name:20}{figure:12.1f}{quarter[name]:12.1f}{goal}\n")


if __name__ == "__main__":
    main()
