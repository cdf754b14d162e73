"""One hostile address doing its worst while its neighbours play.

    python -m tests.hard.hostile [--seconds 15]

Prints what the neighbours' taps take, in milliseconds, in peace, under each attack alone and under
all at once; how much memory the server has; and how long after the end everything is as before.
Exit status 1 where a promise was broken. tests/hard/front.py is the same behind Caddy.
"""

from __future__ import annotations

import argparse
import http.client
import json
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path

from tests.api.calling import PLAYERS, correction
from tests.browser.serving import Server
from tests.hard.attacks import ATTACKS, HOSTILE, attacked
from tests.hard.figures import Figures, milliseconds
from tests.hard.serving import Memory, served

NEIGHBOURS = [f"127.0.0.{number}" for number in range(2, 9)]
EVERY = 0.25
PATIENCE = 30.0
# What is promised: of each tap in milliseconds, while the attack keeps a core busy; of more memory
# in MiB, and of the time after in seconds.
TAP, MORE, AFTER = 1000, 150, 10
# A tap that found no server within this many seconds was not answered.
LOST = 10.0


@dataclass
class Neighbour:
    """Somebody who keeps a table from an address of their own; `taps` are (when, how long)."""

    port: int
    address: str
    every: float = EVERY
    taps: list[tuple[float, float]] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    def open(self) -> None:
        """Open the table."""
        self._connection = self._connect()
        reply = json.loads(self._send("/api/tables", {"players": PLAYERS}, {})[1])
        self.link, self.pen = reply["table"], reply["pen"]
        self.thread = threading.Thread(target=self.play, daemon=True)
        self.thread.start()

    def play(self) -> None:
        """Tap at steady intervals until it is over."""
        while not self.over.wait(self.every):
            began = time.monotonic()
            try:
                self._tap()
            except (OSError, http.client.HTTPException) as error:
                self.refused.append(repr(error))
                self._connection.close()
                self._connection = self._connect()
                self.taps.append((began, LOST))
            else:
                self.taps.append((began, time.monotonic() - began))
        self._connection.close()

    def _tap(self) -> None:
        event = correction(1 - 2 * (len(self.taps) % 2))
        path, headers = f"/api/tables/{self.link}/events", {"Authorization": f"Bearer {self.pen}"}
        if len(self.taps) % 200 == 199:
            self._send(path, {"event": "break_off", "settle": False}, headers)
            path, event = f"/api/tables/{self.link}/games", {}
        status, body = self._send(path, event, headers)
        if status != 201:
            self.refused.append(f"{status} {body[:100]!r}")

    def _connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=LOST, source_address=(self.address, 0)
        )

    def _send(self, path: str, body: object, headers: dict[str, str]) -> tuple[int, bytes]:
        self._connection.request("POST", path, json.dumps(body), headers)
        answer = self._connection.getresponse()
        return answer.status, answer.read()

    def between(self, start: float, end: float) -> list[float]:
        """Return how long the taps took that began in this time."""
        return [took for began, took in list(self.taps) if start <= began < end]

    def slowest_since(self, start: float) -> float:
        """Return how long the slowest tap took of those from a moment until now, now included."""
        now = time.monotonic()
        while not self.taps or self.taps[-1][0] < now:
            time.sleep(self.every)
        recent = takewhile(lambda tap: sum(tap) >= start, reversed(list(self.taps)))
        return max(took for _, took in recent)


class Street:
    """The neighbours together."""

    def __init__(self, port: int) -> None:
        self.neighbours = [Neighbour(port, address) for address in NEIGHBOURS]
        for neighbour in self.neighbours:
            neighbour.open()

    def during(self, seconds: float) -> list[float]:
        """Let them play for a while, and return how long their taps took."""
        start = time.monotonic()
        time.sleep(seconds)
        end = time.monotonic()
        # Those that began in time are waited for.
        time.sleep(LOST if self._waiting(end) else 0)
        return [took for each in self.neighbours for took in each.between(start, end)]

    def _waiting(self, end: float) -> bool:
        time.sleep(2 * EVERY)
        return any(each.taps[-1][0] < end - EVERY for each in self.neighbours if each.taps)

    def back_to_normal(self, since: float, slow_ms: float) -> float:
        """Return how many seconds after a moment the last tap was slow."""
        slow = [
            began + took - since
            for each in self.neighbours
            for began, took in each.taps
            if began >= since and took * 1000 > slow_ms
        ]
        return max(slow, default=0.0)

    def leave(self) -> list[str]:
        """Let everybody go home; returns what they were refused."""
        for neighbour in self.neighbours:
            neighbour.over.set()
        for neighbour in self.neighbours:
            neighbour.thread.join(PATIENCE)
        return [told for neighbour in self.neighbours for told in neighbour.refused]


@dataclass
class Siege:
    """A server, asked at a port, that neighbours play on while one address attacks it.

    Promised is that of taps in milliseconds at this percentile.
    """

    figures: Figures
    server: Server
    port: int
    promised_ms: float
    percentile: float

    def run(self, seconds: float, names: list[str]) -> None:
        """Let them play in peace, under each attack and under all, and for a while after."""
        street = Street(self.port)
        self._tell("in peace", street.during(seconds))
        with Memory(self.server) as memory:
            for name in names:
                with attacked([name], self.port):
                    self._tell(name, street.during(seconds))
            with attacked(names, self.port):
                self._tell("all at once", street.during(2 * seconds))
            over = time.monotonic()
            street.during(AFTER + LOST)
        after = street.back_to_normal(over, self.promised_ms)
        self.figures.add(
            "seconds until the last slow tap after it", f"{after:.1f}", kept=after < AFTER
        )
        most = f"{memory.start} at first, {memory.most} at most, {memory.end} at the end"
        kept = memory.most - memory.start <= MORE
        self.figures.add("MiB of memory, all processes of the server", most, kept=kept)
        self.figures.none_of("taps of neighbours that were refused", street.leave())

    def _tell(self, name: str, taps: list[float]) -> None:
        half, most, slowest = (milliseconds(taps, percent) for percent in (50, 99, 100))
        text = f"p50 {half:7.1f}  p99 {most:7.1f}  max {slowest:7.1f} ms, {len(taps)} taps"
        promised = milliseconds(taps, self.percentile) < self.promised_ms
        self.figures.add(name, text, kept=promised)


def run(folder: Path, seconds: float, names: list[str]) -> Figures:
    """Besiege a bare server, and hold it against what is promised."""
    figures = Figures(f"one hostile address ({HOSTILE}) and {len(NEIGHBOURS)} neighbours")
    with served(folder, CHICAGO_LIMITS="on") as server:
        Siege(figures, server, server.port, TAP, 100).run(seconds, names)
    return figures


def main(argv: list[str] | None = None) -> int:
    """Attack, measure and print; exit status 1 when a promise was broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=15.0)
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        return run(Path(folder), args.seconds, list(ATTACKS)).print()


if __name__ == "__main__":
    sys.exit(main())
