"""Latency from a tap to every phone that watches, beside the barest server in the same run.

Everything runs on this machine, the phones too.
"""

from __future__ import annotations

import asyncio
import json
import random
import resource
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.bench import served
from tests.bench.row import Row
from tests.bench.served import Served, free_port

DEAL: list[dict[str, object]] = [
    {"event": "no_best_hand"},
    {"event": "best_hand", "player": "Bo", "hand": "pair"},
    {"event": "last_trick", "player": "Anna"},
    {"event": "no_best_hand"},
]
# So long the server is left alone when all phones have come: it is still taking over connections.
SETTLING_SECONDS = 3.0

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


class Refused(Exception):
    """A server that answers has refused a request."""


class Connection:
    """A connection that stays open from one request to the next."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def answer(self) -> dict[str, object]:
        """Read one answer. Raises Refused, once it is read."""
        status = await self.reader.readline()
        length = 0
        while (line := await self.reader.readline()) != b"\r\n":
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        text = await self.reader.readexactly(length)
        if b" 20" not in status:
            raise Refused(status.decode())
        return json.loads(text) if text.startswith(b"{") else {}


class Run:
    """One run against one server: the taps' times and what they took to arrive, in seconds."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.tapped: dict[tuple[str, int], float] = {}
        self.arrived: list[float] = []
        self.answered: list[float] = []
        self.watching = self.refused = self.failed = 0

    async def watch(self, table: str, phone: int) -> None:
        """Be a phone that watches a table."""
        reader, writer, status = await self.begin_to_watch(table, phone)
        if b" 200 " not in status:
            # A browser would ask again from time to time, and be refused again.
            self.refused += 1
            writer.close()
            return
        self.watching += 1
        while line := await reader.readline():
            if line.startswith(b"id: "):
                now = time.perf_counter()
                tapped = self.tapped.get((table, int(line[4:])))
                if tapped is not None:
                    self.arrived.append(now - tapped)
        writer.close()

    async def begin_to_watch(
        self, table: str, phone: int
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter, bytes]:
        """Connect, and again as a browser does: a machine so busy may be too slow to ask."""
        while True:
            reader, writer = await self.server.connect(phone)
            writer.write(f"GET /t/{table}/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
            with suppress(asyncio.IncompleteReadError, ConnectionError):
                head = await reader.readuntil(b"\r\n\r\n")
                return reader, writer, head.partition(b"\r\n")[0]

    async def keep(self, keeper: Keeper, phone: int, first: float, args: Load) -> None:
        """Be a keeper who taps at steady intervals."""
        table, pen, path = keeper
        start = time.perf_counter()
        await asyncio.sleep(first)
        connection = Connection(*await self.server.connect(phone))
        for n in range(int((args.seconds - first) / args.every) + 1):
            await asyncio.sleep(start + first + n * args.every - time.perf_counter())
            before = self.tapped[table, n + args.seq] = time.perf_counter()
            try:
                await self.server.request(connection, "POST", path, DEAL[n % 4], pen)
            except Refused:
                # Where there is no room for a tap, the phone keeps it, and sends it again later.
                self.failed += 1
                break
            self.answered.append(time.perf_counter() - before)
        connection.writer.close()


@dataclass
class Load:
    """Load on a server; `scattered` keepers tap at random moments, others in turn."""

    phones: int
    tables: int
    every: float
    seconds: float
    seq: int = 0
    scattered: bool = False


async def measure(server: Server, tables: list[Keeper], args: Load) -> Run:
    """Let every keeper tap for a while, with so many phones watching."""
    run = Run(server)
    watching = [
        asyncio.create_task(run.watch(tables[n % len(tables)][0], n)) for n in range(args.phones)
    ]
    while run.watching + run.refused < args.phones:
        await asyncio.sleep(0.05)
        for task in watching:
            if task.done():
                task.result()  # It raises what has gone wrong.
    await asyncio.sleep(SETTLING_SECONDS)
    keepers = (
        run.keep(keeper, args.phones + n, args.every * first, args)
        for n, (keeper, first) in enumerate(zip(tables, moments(len(tables), args), strict=True))
    )
    await asyncio.gather(*keepers)
    await asyncio.sleep(2)
    for task in watching:
        task.cancel()
    await asyncio.gather(*watching, return_exceptions=True)
    return run


def moments(count: int, args: Load) -> list[float]:
    """Draw each keeper's moment, as a part of the time between taps; the same in each run."""
    draw = random.Random(count)
    return [draw.random() if args.scattered else n / count for n in range(count)]


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


def _floor(args: Load) -> Run:
    port = free_port()
    args.seq = 1
    tables = [(str(n), "", f"/t/{n}") for n in range(args.tables)]
    command = [sys.executable, "-m", "tests.bench.fanout_floor", str(port)]
    with served.served(command, port) as server:
        return asyncio.run(measure(Server(server.port), tables, args))


def _ours(args: Load) -> Run:
    with tempfile.TemporaryDirectory() as folder, _watched(Path(folder)) as server:
        return _load(server, args)


def _watched(folder: Path) -> AbstractContextManager[Served]:
    """Serve with the limits, which phones have one by one."""
    return served.ours(folder, CHICAGO_LOG="off", CHICAGO_LIMITS="")


def _load(server: Served, args: Load) -> Run:
    """Let so many phones watch tables of their own, while their keepers tap."""
    args.seq = 2
    to = Server(server.port)
    tables = asyncio.run(open_tables(to, args.tables))
    return asyncio.run(measure(to, tables, args))


def thousand(rounds: int) -> Iterator[Row]:
    """A thousand phones, four at a table, while each keeper taps every ten seconds."""
    open_files()
    args = Load(phones=1000, tables=250, every=10.0, seconds=10.0 * rounds)
    floor, ours = _floor(args), _ours(args)
    p99, bare = _p99(ours.arrived), _p99(floor.arrived)
    median = statistics.median(ours.arrived) * 1000
    beside = f"median {median:.1f} ms; keeper's answer p99 {_p99(ours.answered):.0f} ms"
    name, against = "1 000 phones: tap to every phone, p99", f"the barest fan-out: {bare:.1f} ms"
    yield Row(name, f"{p99:.1f} ms", against, p99, 20, beside=beside)


def four_thousand(rounds: int) -> Iterator[Row]:
    """Four times as many phones and tables, tapped at random; those that are refused are told."""
    open_files()
    args = Load(phones=4000, tables=1000, every=10.0, seconds=10.0 * rounds, scattered=True)
    with tempfile.TemporaryDirectory() as folder, _watched(Path(folder)) as server:
        most = [0.0]
        with _looking(server, most):
            run = _load(server, args)
    name, p99, answered = "4 000 phones", _p99(run.arrived), _p99(run.answered)
    watching = args.phones - run.refused
    yield Row(f"{name}: watching", f"{watching}", "nothing", watching, args.phones, at_least=True)
    yield Row(f"{name}: tap to each of those, p99", f"{p99:.0f} ms", "nothing", p99, 1000)
    beside = f"{run.failed} taps refused"
    row = f"{name}: keeper's answer, p99"
    yield Row(row, f"{answered:.0f} ms", "nothing", answered, 500, beside=beside)
    yield Row(f"{name}: memory at most", f"{most[0]:.0f} MB", "nothing", most[0], 400)


@contextmanager
def _looking(server: Served, most: list[float]) -> Iterator[None]:
    """Look at a server's memory twice a second."""
    over = threading.Event()

    def look() -> None:
        while not over.wait(0.5):
            most[0] = max(most[0], server.memory())

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _p99(seconds: list[float]) -> float:
    """The 99th percentile, in milliseconds."""
    return statistics.quantiles(seconds, n=100)[98] * 1000


def open_files() -> None:
    """Let this process open as many files as it may: each phone is one."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
