"""Latency from a tap to every phone that watches. All run on this machine, the phones too."""

from __future__ import annotations

import asyncio
import random
import resource
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from tests.bench.filling import Table, fill
from tests.bench.load import get
from tests.bench.requests import calls
from tests.bench.row import Row
from tests.bench.served import memory
from tests.hard.figures import served

# Phones at a table, the keeper's not among them; seconds between two taps of a keeper.
AT_A_TABLE, EVERY = 4, 10.0
# So long the server is left alone when all phones have come: it is still taking over connections.
SETTLING_SECONDS = 3.0
MOST_MEMORY = 400

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Run:
    """Keepers who tap while phones watch, and what the taps took to arrive, in seconds."""

    def __init__(self, port: int, tables: Sequence[Table], taps: int) -> None:
        self._port, self._tables, self._taps = port, tables, taps
        self._tapped: dict[tuple[str, int], float] = {}
        self.arrived, self.answered = list[float](), list[float]()
        self.watching = self.refused = 0

    async def play(self) -> None:
        """Let all phones come, then every keeper tap for a while, each from a moment by chance."""
        phones = [await self._watch(table) for table in self._tables for _ in range(AT_A_TABLE)]
        await asyncio.sleep(SETTLING_SECONDS)
        draw = random.Random(len(phones))
        keepers = (self._keep(table, EVERY * draw.random()) for table in self._tables)
        await asyncio.gather(*keepers)
        await asyncio.sleep(2)
        for phone in phones:
            phone.cancel()
        await asyncio.gather(*phones, return_exceptions=True)

    async def _connect(self, number: int) -> Streams:
        """Connect as one of many phones, each with an address of its own."""
        local = (f"127.{1 + number // 65536}.{number // 256 % 256}.{number % 256}", 0)
        return await asyncio.open_connection("127.0.0.1", self._port, local_addr=local)

    async def _watch(self, table: Table) -> asyncio.Task[None]:
        """Be one more phone that watches a table."""
        self.watching += 1
        reader, writer = await self._connect(self.watching)
        writer.write(get(f"/t/{table.link}/live"))
        head = await reader.readuntil(b"\r\n\r\n")
        assert b" 200 " in head, head
        return asyncio.create_task(self._read(table, reader, writer))

    async def _read(
        self, table: Table, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        while line := await reader.readline():
            if line.startswith(b"id: "):
                now = time.perf_counter()
                if tapped := self._tapped.get((table.link, int(line[4:]))):
                    self.arrived.append(now - tapped)
        writer.close()

    async def _keep(self, table: Table, first: float) -> None:
        """Be a keeper who taps at steady intervals."""
        begun = time.perf_counter() + first
        await asyncio.sleep(first)
        reader, writer = await self._connect(self.watching + self._tables.index(table) + 1)
        for number, request in enumerate(calls([table], self._taps)):
            await asyncio.sleep(begun + number * EVERY - time.perf_counter())
            before = self._tapped[table.link, table.seq + number + 1] = time.perf_counter()
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            length = head.lower().partition(b"content-length:")[2].split()[0]
            await reader.readexactly(int(length))
            self.answered.append(time.perf_counter() - before)
            self.refused += b" 201 " not in head
        writer.close()


def _fan_out(phones: int, goal: float, rounds: int) -> Iterator[Row]:
    """So many phones, four at a table, while each keeper taps every ten seconds."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    # Each phone is an open file.
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with tempfile.TemporaryDirectory() as folder:
        tables = fill(Path(folder), phones // AT_A_TABLE, 0)
        with served(Path(folder), CHICAGO_LOG="off", CHICAGO_LIMITS="") as server:
            run = Run(server.port, tables, rounds)
            asyncio.run(run.play())
            most = memory(server, "VmHWM")
    name, arrived, answered = f"{phones} phones", _p99(run.arrived), _p99(run.answered)
    median = f"median {statistics.median(run.arrived) * 1000:.1f} ms"
    row = f"{name}: tap to every phone, p99"
    yield Row(row, f"{arrived:.1f} ms", "nothing", arrived, goal, beside=median)
    row, refused = f"{name}: keeper's answer, p99", f"{run.refused} taps refused"
    yield Row(row, f"{answered:.1f} ms", "nothing", answered, goal, beside=refused)
    yield Row(f"{name}: memory at most", f"{most:.0f} MB", "nothing", most, MOST_MEMORY)


thousand, four_thousand = partial(_fan_out, 1000, 20), partial(_fan_out, 4000, 100)


def _p99(seconds: list[float]) -> float:
    """The 99th percentile, in milliseconds."""
    return statistics.quantiles(seconds, n=100)[98] * 1000
