"""Time of a start, and memory at rest."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from tests.bench import served
from tests.bench.load import ask, connect, get
from tests.bench.row import Row
from tests.browser.serving import Server

REST_SECONDS = 1.0


def measure(rounds: int) -> Iterator[Row]:
    """Start on a database that is there, in turn with the barest view by the same server."""
    ours, floor = list[tuple[float, float]](), list[tuple[float, float]]()
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(rounds + 1):
            ours.append(_start(served.ours, Path(folder), "/healthz"))
            floor.append(_start(served.floor, Path(folder), "/"))
    medians = ([*map(statistics.median, zip(*each[1:], strict=True))] for each in (ours, floor))
    (seconds, memory), (bare_seconds, bare_memory) = medians
    name, against = "start to first answer", f"the barest view: {bare_seconds:.2f} s"
    yield Row(name, f"{seconds:.2f} s", against, seconds, 0.5)
    against = f"the barest view: {bare_memory:.0f} MB"
    yield Row("memory at rest (PSS)", f"{memory:.0f} MB", against, memory, 90)


def _start(
    serve: Callable[[Path], AbstractContextManager[Server]], folder: Path, path: str
) -> tuple[float, float]:
    """Start once: seconds to the first answer, and MB at rest, what is shared counted once."""
    began = time.perf_counter()
    with serve(folder) as server:
        ask(connect(server), get(path))
        took = time.perf_counter() - began
        time.sleep(REST_SECONDS)
        return took, served.memory(server, "Pss")
