"""A server under measurement: its processor time and its memory, and the barest one beside it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from tests.browser.serving import Server
from tests.hard.figures import served

MEGABYTE = 1_000_000
# A log would be a file on the disk under measurement; code is found compiled but for a first start.
APART = {"CHICAGO_LOG": "off", "PYTHONDONTWRITEBYTECODE": ""}


def processor_seconds(server: Server) -> float:
    """Processor time of all its processes and threads so far."""
    ticks = sum(int(stat[11]) + int(stat[12]) for _, stat in _processes(server))
    return ticks / os.sysconf("SC_CLK_TCK")


def memory(server: Server, kind: str) -> float:
    """Memory of all its processes in MB; `Pss` counts shared pages once, `VmHWM` the most."""
    kibibytes, file = 0, "status" if kind.startswith("Vm") else "smaps_rollup"
    for pid, _ in _processes(server):
        lines = Path(f"/proc/{pid}/{file}").read_text().splitlines()
        kibibytes += sum(int(line.split()[1]) for line in lines if line.startswith(f"{kind}:"))
    return kibibytes * 1024 / MEGABYTE


def _processes(server: Server) -> Iterator[tuple[int, list[str]]]:
    """Each process with its fields of /proc/PID/stat, behind its name; all are one session."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == server.pid:
            yield int(path.parent.name), fields


def ours(folder: Path) -> AbstractContextManager[Server]:
    """Serve the score keeper."""
    return served(folder, **APART)


def floor(folder: Path) -> AbstractContextManager[Server]:
    """Serve the barest view, by the same server with the same settings."""
    # The server locks a database of ours before it serves; that is not what the view writes to.
    beside = folder / "floor"
    beside.mkdir(exist_ok=True)
    view = "tests.bench.floor_view:create_app()"
    return served(beside, factory=view, FLOOR_DB=f"{beside}/floor.db", **APART)
