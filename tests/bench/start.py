"""Time of a start, and memory at rest."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import msgspec

from tests.bench import served
from tests.bench.load import ask, get
from tests.bench.row import Row
from tests.bench.served import Served

REST_SECONDS = 1.0


class Start(msgspec.Struct, frozen=True):
    """One start: seconds to the first answer, those computed by then, and MB at rest."""

    seconds: float
    computed: float
    memory: float
    shared_once: float


def measure(rounds: int) -> Iterator[Row]:
    """Start on a database that is there, in turn with the barest view by the same server."""
    ours, floor = list[Start](), list[Start]()
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(rounds + 1):
            ours.append(_start(served.ours, Path(folder), "/healthz"))
            floor.append(_start(served.floor, Path(folder), "/"))
    mine, its = _middle(ours[1:]), _middle(floor[1:])
    name, against = "start to first answer", f"the barest view: {its.seconds:.2f} s"
    beside = f"computed {mine.computed:.2f} s"
    yield Row(name, f"{mine.seconds:.2f} s", against, mine.seconds, 0.5, beside=beside)
    memory, against = mine.shared_once, f"the barest view: {its.shared_once:.0f} MB"
    beside = f"what both processes share counted twice: {mine.memory:.0f} MB"
    yield Row("memory at rest (PSS)", f"{memory:.0f} MB", against, memory, 90, beside=beside)


def _start(
    serve: Callable[[Path], AbstractContextManager[Served]], folder: Path, path: str
) -> Start:
    began = time.perf_counter()
    with serve(folder) as server:
        ask(server, get(path))
        took, computed = time.perf_counter() - began, server.processor_seconds()
        time.sleep(REST_SECONDS)
        return Start(took, computed, server.memory(), server.memory("Pss"))


def _middle(starts: list[Start]) -> Start:
    """The median of each figure."""
    columns = zip(*map(msgspec.structs.astuple, starts), strict=True)
    return Start(*(statistics.median(column) for column in columns))
