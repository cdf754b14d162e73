"""How fast a tap reaches every phone, beside the barest server doing the same in the same run.

    python -m tests.bench.fanout [--phones 1000] [--tables 250] [--every 10] [--seconds 40]

Everything runs on this machine, the phones too. Prints milliseconds at the 50th, 95th and 99th
percentile: from a tap to each phone that watches its table, and to the keeper's own answer,
without and with phones watching; and the ratio to the floor.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DEAL: list[dict[str, object]] = [
    {"event": "no_best_hand"},
    {"event": "best_hand", "player": "Bo", "hand": "pair"},
    {"event": "last_trick", "player": "Anna"},
    {"event": "no_best_hand"},
]
FANNED_OUT_MS = 1000

# A table's link, its pen, and where its events are sent.
Keeper = tuple[str, str, str]
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Server:
    """A server under load, and how its tables are opened, watched and changed."""

    def __init__(self, port: int) -> None:
        self.port = port

    async def connect(self, phone: int) -> Streams:
        """Connect as one of many phones, each with an address of its own."""
        local = (f"127.{1 + phone // 65536}.{phone // 256 % 256}.{phone % 256}", 0)
        return await asyncio.open_connection("127.0.0.1", self.port, local_addr=local)

    async def request(
        self, connection: Connection, method: str, path: str, body: object, pen: str = ""
    ) -> dict[str, object]:
        """Send one request on a kept connection and return the answer's JSON, if it is some."""
        text = json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
        head += f"Authorization: Bearer {pen}\r\nContent-Length: {len(text)}\r\n\r\n"
        connection.writer.write(head.encode() + text)
        return await connection.answer()


class Connection:
    """A connection that stays open from one request to the next."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def answer(self) -> dict[str, object]:
        """Read one answer."""
        status = await self.reader.readline()
        assert b" 20" in status, status
        length = 0
        while (line := await self.reader.readline()) != b"\r\n":
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        text = await self.reader.readexactly(length)
        return json.loads(text) if text.startswith(b"{") else {}


class Run:
    """One run against one server: the taps' times and what they took to arrive, in seconds."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.tapped: dict[tuple[str, int], float] = {}
        self.arrived: list[float] = []
        self.answered: list[float] = []
        self.watching = 0
        self.gathered = 0.0

    async def watch(self, table: str, phone: int) -> None:
        """Be a phone that watches a table."""
        reader, writer = await self.begin_to_watch(table, phone)
        self.watching += 1
        while line := await reader.readline():
            if line.startswith(b"id: "):
                now = time.perf_counter()
                tapped = self.tapped.get((table, int(line[4:])))
                if tapped is not None:
                    self.arrived.append(now - tapped)
        writer.close()

    async def begin_to_watch(self, table: str, phone: int) -> Streams:
        """Connect, and again as a browser does: a machine so busy may be too slow to ask."""
        while True:
            reader, writer = await self.server.connect(phone)
            writer.write(f"GET /t/{table}/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
            with suppress(asyncio.IncompleteReadError, ConnectionError):
                await reader.readuntil(b"\r\n\r\n")
                return reader, writer

    async def keep(self, keeper: Keeper, phone: int, first: float, args: Load) -> None:
        """Be a keeper who taps at steady intervals."""
        table, pen, path = keeper
        start = time.perf_counter()
        await asyncio.sleep(first)
        reader, writer = await self.server.connect(phone)
        connection = Connection(reader, writer)
        for n in range(int((args.seconds - first) / args.every) + 1):
            await asyncio.sleep(start + first + n * args.every - time.perf_counter())
            before = self.tapped[table, n + args.seq] = time.perf_counter()
            await self.server.request(connection, "POST", path, DEAL[n % 4], pen)
            self.answered.append(time.perf_counter() - before)
        writer.close()


class Load(argparse.Namespace):
    """What is asked of the servers."""

    phones: int
    tables: int
    every: float
    seconds: float
    seq: int


async def measure(server: Server, tables: list[Keeper], args: Load, phones: int) -> Run:
    """Let every keeper tap for a while, with so many phones watching."""
    run = Run(server)
    before = time.perf_counter()
    watching = [
        asyncio.create_task(run.watch(tables[n % len(tables)][0], n)) for n in range(phones)
    ]
    while run.watching < phones:
        await asyncio.sleep(0.05)
        for task in watching:
            if task.done():
                task.result()
    run.gathered = time.perf_counter() - before
    keepers = (
        run.keep(keeper, phones + n, args.every * n / len(tables), args)
        for n, keeper in enumerate(tables)
    )
    await asyncio.gather(*keepers)
    await asyncio.sleep(2)
    for task in watching:
        task.cancel()
    await asyncio.gather(*watching, return_exceptions=True)
    return run


async def open_tables(server: Server, count: int) -> list[Keeper]:
    """Open tables over the interface for programs."""
    setup = {"players": ["Anna", "Bo", "Cilla", "Dan"], "rules": {"preset": "pagat"}}
    tables = []
    for n in range(count):
        connection = Connection(*await server.connect(n))
        told = await server.request(connection, "POST", "/api/tables", setup)
        connection.writer.close()
        link = str(told["table"])
        tables.append((link, str(told["pen"]), f"/api/tables/{link}/events"))
    return tables


def percentiles(seconds: list[float]) -> str:
    """Milliseconds at the 50th, 95th and 99th percentile."""
    cuts = statistics.quantiles(seconds, n=100)
    return "  ".join(f"p{p} {cuts[p - 1] * 1000:7.1f}" for p in (50, 95, 99))


@contextmanager
def served(command: list[str], port: int, **environ: str) -> Iterator[Server]:
    """Run a server for as long as it is needed."""
    env = {**os.environ, "PORT": str(port), "HOST": "127.0.0.1", **environ}
    process = subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.DEVNULL)
    try:
        _wait_for(port)
        yield Server(port)
    finally:
        process.terminate()
        process.wait()


def _wait_for(port: int) -> None:
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise TimeoutError("the server does not answer")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _report(name: str, run: Run, args: Load) -> None:
    expected = len(run.answered) * args.phones // args.tables
    print(f"{name}: tap to phone    {percentiles(run.arrived)}  ({len(run.arrived)}/{expected})")
    print(f"{name}: keeper's answer {percentiles(run.answered)}")
    print(f"{name}: all phones at once begin to watch within {run.gathered:.1f} s")


def main(argv: list[str] | None = None) -> int:
    """Measure and print; exit status 1 when the 99th percentile misses a second."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--phones", type=int, default=1000)
    parser.add_argument("--tables", type=int, default=250)
    parser.add_argument("--every", type=float, default=10.0)
    parser.add_argument("--seconds", type=float, default=40.0)
    args = parser.parse_args(argv, Load(seq=2))
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    floor, ours, alone = _floor(args), *_ours(args)
    _report("floor", floor, args)
    _report("ours ", ours, args)
    print(f"ours, nobody watching: keeper's answer {percentiles(alone.answered)}")
    p99 = statistics.quantiles(ours.arrived, n=100)[98]
    ratio = p99 / statistics.quantiles(floor.arrived, n=100)[98]
    print(f"p99 tap to phone: {p99 * 1000:.0f} ms, {ratio:.1f} times the floor's")
    return int(p99 * 1000 > FANNED_OUT_MS)


def _floor(args: Load) -> Run:
    port = _free_port()
    args.seq = 1
    tables = [(str(n), "", f"/t/{n}") for n in range(args.tables)]
    with served([sys.executable, "-m", "tests.bench.floor", str(port)], port) as server:
        return asyncio.run(measure(server, tables, args, args.phones))


def _ours(args: Load) -> tuple[Run, Run]:
    port = _free_port()
    command = [sys.executable, "-m", "gunicorn", "app:create_app()"]
    with (
        tempfile.TemporaryDirectory() as folder,
        served(command, port, CHICAGO_DB=f"{folder}/c.db", CHICAGO_LOG="off") as server,
    ):
        args.seq = 2
        tables = asyncio.run(open_tables(server, args.tables))
        alone = asyncio.run(measure(server, tables, args, 0))
        tables = asyncio.run(open_tables(server, args.tables))
        return asyncio.run(measure(server, tables, args, args.phones)), alone


if __name__ == "__main__":
    sys.exit(main())
