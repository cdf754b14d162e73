"""A server under measurement: started one way for all, with its processor time and its memory."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 20.0
GUNICORN = [sys.executable, "-m", "gunicorn"]
MEGABYTE = 1_000_000


class Served:
    """A program that serves on a port of this machine; all its processes are one session."""

    def __init__(self, port: int, pid: int) -> None:
        self.port, self.pid = port, pid

    def processor_seconds(self) -> float:
        """Processor time of all its processes and threads so far."""
        ticks = sum(int(stat[11]) + int(stat[12]) for _, stat in self._processes())
        return ticks / os.sysconf("SC_CLK_TCK")

    def memory(self, kind: str) -> float:
        """Memory of all its processes in MB; `Pss` counts shared pages once, `VmHWM` the most."""
        kibibytes, file = 0, "status" if kind.startswith("Vm") else "smaps_rollup"
        for pid, _ in self._processes():
            lines = Path(f"/proc/{pid}/{file}").read_text().splitlines()
            kibibytes += sum(int(line.split()[1]) for line in lines if line.startswith(f"{kind}:"))
        return kibibytes * 1024 / MEGABYTE

    def _processes(self) -> Iterator[tuple[int, list[str]]]:
        """Each process with its fields of /proc/PID/stat, behind its name."""
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = path.read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == self.pid:
                yield int(path.parent.name), fields


@contextmanager
def served(command: Sequence[str], port: int, **environ: str) -> Iterator[Served]:
    """Run a server for as long as it is needed."""
    env = {**os.environ, "PORT": str(port), "HOST": "127.0.0.1", **environ}
    # A server finds its code compiled, but for its very first start.
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(
        command, cwd=ROOT, env=env, stdout=quiet, stderr=quiet, start_new_session=True
    )
    try:
        wait_for(port, process)
        yield Served(port, process.pid)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


def ours(folder: Path, **environ: str) -> AbstractContextManager[Served]:
    """Serve the score keeper on the database `chicago.db` of a folder, its log going nowhere."""
    env = {"CHICAGO_DB": str(folder / "chicago.db"), "CHICAGO_LIMITS": "off", **environ}
    return served([*GUNICORN, "app:create_app()"], free_port(), **env)


def floor(folder: Path) -> AbstractContextManager[Served]:
    """Serve the barest view, by the same server with the same settings."""
    # The server locks a database of ours before it serves; that is not what the view writes to.
    env = {"CHICAGO_DB": str(folder / "locked.db"), "FLOOR_DB": str(folder / "floor.db")}
    return served([*GUNICORN, "tests.bench.floor_view:create_app()"], free_port(), **env)


def wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    """Wait until a port is listened at. Raises TimeoutError, also when the process has ended."""
    until = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < until:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.005)
    raise TimeoutError("the server does not answer")


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
