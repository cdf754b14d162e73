"""Latency from a tap to every phone that watches. All run on this machine, the phones too."""

import random
import resource
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import IO

import gevent

from app.rules.events import Event
from tests.bench.filling import Table, fill, long_game
from tests.bench.load import Row, ask, connect, get, memory, serve
from tests.browser.serving import Server

# Phones at a table, the keeper's not among them; seconds between two taps of a keeper.
AT_A_TABLE, EVERY = 4, 10.0
# So long the server is left alone when all phones have come: it is still taking over connections.
SETTLING_SECONDS = 3.0
MOST_MEMORY = 400


class Run:
    """Keepers who tap while phones watch, and what the taps took to arrive, in seconds."""

    def __init__(self, server: Server) -> None:
        self._server, self._tapped = server, dict[tuple[str, int], float]()
        self.arrived, self.answered = list[float](), list[float]()

    def play(self, tables: Sequence[Table], taps: int) -> None:
        """Let all phones come, then every keeper tap for a while, each from a moment by chance."""
        phones = [self._watch(table) for table in tables for _ in range(AT_A_TABLE)]
        gevent.sleep(SETTLING_SECONDS)
        draw, (_, events) = random.Random(len(phones)), long_game(taps)
        keepers = [gevent.spawn(self._keep, t, EVERY * draw.random(), events) for t in tables]
        gevent.joinall(keepers, raise_error=True)
        gevent.sleep(2)
        gevent.killall(phones)

    def _watch(self, table: Table) -> gevent.Greenlet:
        """Let one more phone watch a table."""
        phone = connect(self._server)
        phone.sendall(get(f"/t/{table.link}/live"))
        lines = phone.makefile("rb", 65536)
        assert b" 200 " in lines.readline()
        return gevent.spawn(self._read, table, lines)

    def _read(self, table: Table, lines: IO[bytes]) -> None:
        for line in lines:
            if line.startswith(b"id: "):
                now = time.perf_counter()
                if tapped := self._tapped.get((table.link, int(line[4:]))):
                    self.arrived.append(now - tapped)

    def _keep(self, table: Table, first: float, events: Sequence[Event]) -> None:
        """Be a keeper who taps at steady intervals."""
        begun = time.perf_counter() + first
        gevent.sleep(first)
        connection = connect(self._server)
        for number, event in enumerate(events):
            gevent.sleep(max(0, begun + number * EVERY - time.perf_counter()))
            request = table.call(event)
            before = self._tapped[table.link, table.seq] = time.perf_counter()
            ask(connection, request)
            self.answered.append(time.perf_counter() - before)


def _fan_out(phones: int, goal: float, rounds: int) -> Iterator[Row]:
    """So many phones, four at a table, while each keeper taps every ten seconds."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    # Each phone is an open file.
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory() as folder:
        tables = fill(Path(folder), phones // AT_A_TABLE, 0)
        with serve(Path(folder)) as server:
            run = Run(server)
            run.play(tables, rounds)
            taken = memory(server, "VmHWM")
    name = f"{phones} phones"
    for row, seconds in (("tap to every phone", run.arrived), ("keeper's answer", run.answered)):
        late = statistics.quantiles(seconds, n=100)[98] * 1000
        median = f"median {statistics.median(seconds) * 1000:.1f} ms"
        yield Row(f"{name}: {row}, p99", f"{late:.1f} ms", "nothing", late, goal, median)
    yield Row(f"{name}: memory at most", f"{taken:.0f} MB", "nothing", taken, MOST_MEMORY)


thousand, four_thousand = partial(_fan_out, 1000, 20), partial(_fan_out, 4000, 100)
