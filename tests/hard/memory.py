"""How much memory the served program has over a long run.

    python -m tests.hard.memory [--requests 100000] [--tables 1000]

Many tables are opened, kept and read on a few connections; prints the memory at the beginning, at
most and at the end, of all processes. Exit status 1 where a promise was broken.
"""

from __future__ import annotations

import argparse
import http.client
import json
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from tests.api.calling import PLAYERS, correction
from tests.browser.serving import HOST
from tests.hard.figures import Figures
from tests.hard.serving import Memory, served

CALLERS = 8
PATIENCE = 60.0
MEMORY = 300
PARTS = ["", "/protocol", "/evening", "/years", "/rules"]


@dataclass
class Caller:
    """Keeps and reads some tables, on one connection."""

    port: int
    number: int
    statuses: Counter[int] = field(default_factory=Counter)

    def run(self, tables: int, requests: int) -> None:
        """Open tables, and go round them."""
        self._connection = http.client.HTTPConnection(HOST, self.port, timeout=PATIENCE)
        opened = [self._open(number) for number in range(tables)]
        for number in range(requests - tables):
            link, headers = opened[number % tables]
            if number % 3:
                event = correction(1 - 2 * (number // tables % 2))
                self._send("POST", f"/api/tables/{link}/events", event, headers)
            else:
                part = PARTS[number // tables % len(PARTS)]
                self._send("GET", f"/t/{link}{part}", None, {"Accept-Encoding": "gzip"})
        self._connection.close()

    def _open(self, number: int) -> tuple[str, dict[str, str]]:
        body = {"players": PLAYERS, "name": f"table {self.number} {number}"}
        reply = json.loads(self._send("POST", "/api/tables", body, {}))
        return reply["table"], {"Authorization": f"Bearer {reply['pen']}"}

    def _send(self, method: str, path: str, body: object, headers: dict[str, str]) -> bytes:
        data = None if body is None else json.dumps(body)
        self._connection.request(method, path, data, headers)
        answer = self._connection.getresponse()
        self.statuses[answer.status] += 1
        return answer.read()


def run(folder: Path, requests: int, tables: int) -> Figures:
    """Ask so often at so many tables, and look at the memory."""
    began = time.monotonic()
    with served(folder) as server, Memory(server) as memory, ThreadPoolExecutor(CALLERS) as pool:
        callers = [Caller(server.port, number) for number in range(CALLERS)]
        running = [
            pool.submit(caller.run, tables // CALLERS, requests // CALLERS) for caller in callers
        ]
        for each in running:
            each.result()
    statuses = sum((caller.statuses for caller in callers), Counter[int]())
    failed = [f"{count} x {status}" for status, count in statuses.items() if status >= 400]
    figures = Figures(f"memory over {statuses.total()} requests at {tables} tables")
    figures.add("MiB at first", memory.start)
    figures.add("MiB at most", memory.most, kept=memory.most < MEMORY)
    figures.add("MiB at the end", memory.end)
    figures.none_of("answers other than 2xx", failed)
    figures.add("seconds in all", f"{time.monotonic() - began:.0f}")
    return figures


def main(argv: list[str] | None = None) -> int:
    """Ask, look and print; exit status 1 when a promise was broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--tables", type=int, default=1_000)
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        return run(Path(folder), args.requests, args.tables).print()


if __name__ == "__main__":
    sys.exit(main())
