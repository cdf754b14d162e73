"""Whether readers slow the keeper down: `python -m tests.bench.readers [--readers 40]`.

A keeper taps at a table with readers and, in turn, at one without, on one server in one run; the
readers look in both orders, and each says to be somebody. Prints the milliseconds until the keeper
is answered, median and 95th percentile, their ratio, and until a tap is on every reader's phone.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.bench import served
from tests.bench.fanout import DEAL, Connection, Server
from tests.bench.row import say

PLAYERS = ["Anna", "Bo", "Cilla", "Dan"]
RULES = {"preset": "pagat", "target": 1000, "exchange_stop": None}
CODE = re.compile(rb"[?]me=(\d+)")


class Load(argparse.Namespace):
    """How many readers, and how many taps at each of the two tables."""

    readers: int
    taps: int


class Table:
    """A table whose keeper taps and whose readers watch; times are in seconds."""

    def __init__(self, server: Server, link: str, pen: str) -> None:
        self.server, self.link, self.pen = server, link, pen
        self.answered: list[float] = []
        self.tapped = 0.0
        self.arrived: list[float] = []
        self.bytes = 0

    async def looks(self) -> list[str]:
        """The ways in which readers look: as each of the players, by seat and by standing."""
        reader, writer = await self.server.connect(1)
        writer.write(f"GET /t/{self.link} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())
        codes = CODE.findall(await reader.read()) or [b""]
        writer.close()
        return [
            f"?me={code.decode()}{order}" for code in codes for order in ("", "&order=standing")
        ]

    async def watch(self, look: str, phone: int) -> None:
        """Be a reader, for as long as it takes."""
        reader, writer = await self.server.connect(phone)
        path = f"/t/{self.link}/live{look}"
        writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        while line := await reader.readline():
            self.bytes += len(line)
            if line.startswith(b"id: "):
                self.arrived.append(time.perf_counter() - self.tapped)

    async def tap(self, connection: Connection, number: int) -> None:
        """Record a fact, and time its answer."""
        self.tapped = time.perf_counter()
        path = f"/api/tables/{self.link}/events"
        await self.server.request(connection, "POST", path, DEAL[number % 4], self.pen)
        self.answered.append(time.perf_counter() - self.tapped)


async def open_table(server: Server) -> Table:
    """Open a table over the interface for programs."""
    connection = Connection(*await server.connect(0))
    setup = {"players": PLAYERS, "rules": RULES}
    told = await server.request(connection, "POST", "/api/tables", setup)
    connection.writer.close()
    return Table(server, str(told["table"]), str(told["pen"]))


async def measure(server: Server, args: Load) -> tuple[Table, Table]:
    """Tap at a table without readers and at one with them, in turn."""
    alone, watched = await open_table(server), await open_table(server)
    looks = await watched.looks()
    readers = [
        asyncio.create_task(watched.watch(looks[n % len(looks)], n + 2))
        for n in range(args.readers)
    ]
    while len(watched.arrived) < args.readers:
        await asyncio.sleep(0.05)
    watched.arrived, watched.bytes = [], 0
    connection = Connection(*await server.connect(0))
    for number in range(args.taps):
        for table in (alone, watched):
            await table.tap(connection, number)
            await asyncio.sleep(0.25)
    for task in readers:
        task.cancel()
    await asyncio.gather(*readers, return_exceptions=True)
    return alone, watched


def percentiles(seconds: Sequence[float]) -> tuple[float, float]:
    """The median and the 95th percentile, in milliseconds."""
    cuts = statistics.quantiles(seconds, n=100)
    return cuts[49] * 1000, cuts[94] * 1000


def main(argv: list[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--readers", type=int, default=40)
    parser.add_argument("--taps", type=int, default=100)
    args = parser.parse_args(argv, Load())
    with tempfile.TemporaryDirectory() as folder, served.ours(Path(folder)) as server:
        alone, watched = asyncio.run(measure(Server(server.port), args))
    quiet, busy = percentiles(alone.answered), percentiles(watched.answered)
    for who, (median, p95) in (("nobody", quiet), (f"{args.readers} phones", busy)):
        say(f"keeper's answer, {who:10} reading: median {median:6.1f} ms, p95 {p95:6.1f} ms")
    say(f"ratio: median {busy[0] / quiet[0]:.2f}, p95 {busy[1] / quiet[1]:.2f}")
    seen = percentiles(watched.arrived)
    say(f"tap to phone:                        median {seen[0]:6.1f} ms, p95 {seen[1]:6.1f} ms")
    say(f"bytes for each message to each reader: {watched.bytes // max(1, len(watched.arrived))}")


if __name__ == "__main__":
    main()
