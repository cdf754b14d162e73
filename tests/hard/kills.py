"""The served program killed again and again under load: nothing acknowledged may be lost.

    python -m tests.hard.kills [--times 300] [--seed 1]

Several write at once by the API and by the pages: they record, take back, replace and begin new
games, each until it is acknowledged. Exit status 1 where a promise was broken.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from tests.browser.serving import Server
from tests.hard.figures import Figures
from tests.hard.keepers import Guest, Keeper, PageKeeper, over_network
from tests.hard.serving import served

PATIENCE = 60.0
ENOUGH = 8


@dataclass
class Load:
    """Keepers who all write at once, each in a thread of their own."""

    keepers: list[Keeper]
    failures: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Let them begin."""
        self._stopping = threading.Event()
        self._threads = [
            threading.Thread(target=self._write, args=(keeper,), daemon=True)
            for keeper in self.keepers
        ]
        for thread in self._threads:
            thread.start()

    def _write(self, keeper: Keeper) -> None:
        try:
            while not self._stopping.is_set():
                keeper.step()
        except Exception as error:
            self.failures.append(f"{keeper.name}: {error}")
            raise

    @property
    def acknowledged(self) -> int:
        """Number of acknowledged writes."""
        return sum(keeper.acknowledged for keeper in self.keepers)

    def wait_for_more(self, count: int) -> None:
        """Wait until that many more are acknowledged, so that others are under way."""
        enough, deadline = self.acknowledged + count, time.monotonic() + PATIENCE
        while self.acknowledged < enough and not self.failures:
            if time.monotonic() > deadline:
                self.failures.append(f"nothing was acknowledged for {PATIENCE} s")
            time.sleep(0.001)

    def stop(self) -> None:
        """Let everybody bring to its end what is under way."""
        self._stopping.set()
        for thread in self._threads:
            thread.join(PATIENCE)
            if thread.is_alive():
                self.failures.append("a writer did not come to an end")


def begin(server: Server, seed: int) -> Load:
    """Open tables, two by the API, one of them with guests, and two by the pages."""
    ask, chance = over_network(lambda: server.port), random.Random(seed)
    kinds = [Keeper, Keeper, PageKeeper, PageKeeper]
    keepers = [
        kind(ask, f"{kind.__name__} {number}", random.Random(chance.random()))
        for number, kind in enumerate(kinds)
    ]
    for keeper in keepers:
        keeper.open()
    host = Guest(ask, "host")
    host.open()
    guests = [host, Guest(ask, "guest")]
    guests[1].join(host)
    return Load([*keepers, *guests])


def integrity_faults(database: Path) -> list[str]:
    """Return what SQLite finds wrong with a file."""
    connection = sqlite3.connect(database)
    integrity = [row for row in connection.execute("PRAGMA integrity_check") if row != ("ok",)]
    foreign = list(connection.execute("PRAGMA foreign_key_check"))
    connection.close()
    return [str(row) for row in integrity + foreign]


def run(folder: Path, times: int, seed: int) -> Figures:
    """Kill a served program so many times, and hold what is there against what was told."""
    figures = Figures(f"{times} x kill -9 under load over the API and the pages (seed {seed})")
    with served(folder) as server:
        _kill(figures, server, times, seed)
    figures.none_of("integrity_check and foreign_key_check", integrity_faults(server.database))
    return figures


def _kill(figures: Figures, server: Server, times: int, seed: int) -> None:
    began = time.monotonic()
    load, recoveries = begin(server, seed), [0.0]
    for kill in range(times):
        # Not always after the same number, so that it strikes at every moment of a write.
        load.wait_for_more(ENOUGH + kill % 7)
        if load.failures:
            break
        server.kill()
        killed = time.monotonic()
        server.start()
        recoveries.append(time.monotonic() - killed)
    load.wait_for_more(ENOUGH)
    load.stop()
    wrong = [fault for keeper in load.keepers for fault in keeper.faults()]
    figures.add("facts acknowledged", load.acknowledged, kept=load.acknowledged > 0)
    figures.add("requests without an answer, sent again", sum(k.delayed for k in load.keepers))
    figures.add("slowest start after a kill, seconds", f"{max(recoveries):.1f}")
    figures.add("seconds in all", f"{time.monotonic() - began:.0f}")
    figures.none_of("acknowledged facts lost, doubled or changed", wrong)
    figures.none_of("writers refused or left waiting", load.failures)


def main(argv: list[str] | None = None) -> int:
    """Kill, check and print; exit status 1 when a promise was broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        return run(Path(folder), args.times, args.seed).print()


if __name__ == "__main__":
    sys.exit(main())
