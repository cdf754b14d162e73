"""The program as it is really served, with its limits, for runs that measure it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from tests.browser.serving import Server

MEBIBYTE = 1024


@contextmanager
def served(folder: Path, **environment: str) -> Iterator[Server]:
    """Serve for the length of a block, and end in peace, unless the block did not."""
    server = Server(folder, **environment)
    server.start()
    try:
        yield server
        server.stop()
    finally:
        server.kill()


class Memory:
    """Memory of a served program, master and worker, sampled while a block runs."""

    def __init__(self, server: Server, every: float = 0.2) -> None:
        self._server, self._every = server, every
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self.start = self.most = self.end = resident(server)

    def _look(self) -> None:
        while not self._stopping.wait(self._every):
            self.most = max(self.most, resident(self._server))

    def __enter__(self) -> Self:
        """Begin to look."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Look a last time."""
        self._stopping.set()
        self._thread.join()
        self.end = resident(self._server)
        self.most = max(self.most, self.end)


def resident(server: Server) -> int:
    """Return how many MiB all processes of a served program have in memory."""
    kibibytes = 0
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            fields = dict(
                line.split(":", 1) for line in status.read_text().splitlines() if ":" in line
            )
            session = int((status.parent / "stat").read_text().rpartition(")")[2].split()[3])
        except (OSError, ValueError):
            # It ended meanwhile.
            continue
        if session == server.pid and "VmRSS" in fields:
            kibibytes += int(fields["VmRSS"].split()[0])
    return kibibytes // MEBIBYTE
