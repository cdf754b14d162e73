"""A name forgotten in a large database while others tap, and that no file holds it afterwards.

    python -m tests.hard.erasing [--megabytes 1200]

Prints how long the page that forgets takes and the slowest tap at another table meanwhile, how long
the next start takes, and what the files hold after it. Exit status 1 where a byte of the name is
left, a tap took a quarter of a second, or the server did not start.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import urlencode

from tests.api.calling import correction
from tests.api.network import send
from tests.bench.filling import cookie, filling
from tests.browser.serving import Server
from tests.hard.figures import Figures
from tests.hard.serving import served

NAME = "Zebulonia Quist"
EVENTS, GAMES, ENTRIES = 100, 40, 12
SLOWEST, EVERY = 0.25, 0.02
MEGABYTE = 1_000_000


def fill(folder: Path, megabytes: int) -> None:
    """Fill a database with the games of others."""
    file = folder / "chicago.db"
    while not file.exists() or file.stat().st_size < megabytes * MEGABYTE:
        with filling(folder) as into:
            into.add_tables(100, EVENTS, GAMES)


class Taps:
    """Somebody who taps at a table of their own; `took` is how long each tap took, in seconds."""

    def __init__(self, port: int) -> None:
        self.took: list[float] = []
        self._port, self._over = port, threading.Event()
        self._table, self._pen = _open(port, ["Anna", "Bo"])
        self._thread = threading.Thread(target=self._tap)
        self._thread.start()

    def _tap(self) -> None:
        while not self._over.wait(EVERY):
            began = time.monotonic()
            points = 1 - 2 * (len(self.took) % 2)
            path = f"/api/tables/{self._table}/events"
            status = send(self._port, "POST", path, correction(points), self._pen).status
            assert status == 201, status
            self.took.append(time.monotonic() - began)

    def stop(self) -> None:
        """Tap no more."""
        self._over.set()
        self._thread.join()


def _open(port: int, players: list[str]) -> tuple[str, str]:
    reply = send(port, "POST", "/api/tables", {"players": players}).json
    return reply["table"], reply["pen"]


def forget(server: Server) -> float:
    """Play at a table with the name, and have it forgotten there; how long that took."""
    link, pen = _open(server.port, [NAME, "Cilla"])
    for number in range(ENTRIES):
        event = {**correction(1), "player": NAME, "note": f"{NAME} {number}"}
        send(server.port, "POST", f"/api/tables/{link}/events", event, pen)
    form = urlencode({"what": "name", "name": NAME, "sure": "yes"}).encode()
    kind = "application/x-www-form-urlencoded"
    headers = {"Cookie": cookie(pen), "Content-Type": kind}
    began = time.monotonic()
    status = send(server.port, "POST", f"/t/{link}/forget", form, **headers).status
    assert status == 303, status
    return time.monotonic() - began


def traces(database: Path) -> list[str]:
    """The files that hold the name, with the bytes around it."""
    found = []
    for file in database.parent.glob(f"{database.name}*"):
        content = file.read_bytes()
        at = content.find(NAME.encode())
        if at >= 0:
            found.append(f"{file.name}: {content[at - 20 : at + 40]!r}")
    return found


def run(megabytes: int) -> Figures:
    """Forget the name in a database of this size while somebody taps, and start again."""
    figures = Figures(f"a name forgotten in a database of {megabytes} MB")
    with tempfile.TemporaryDirectory() as name:
        fill(Path(name), megabytes)
        with served(Path(name)) as server:
            taps = Taps(server.port)
            took = forget(server)
            taps.stop()
        slowest = max(taps.took)
        figures.add("seconds until it was said to be gone", f"{took:.2f}")
        figures.add("slowest tap meanwhile, seconds", f"{slowest:.2f}", kept=slowest < SLOWEST)
        began = time.monotonic()
        with served(Path(name)) as server:
            figures.add("seconds that the next start took", f"{time.monotonic() - began:.1f}")
            figures.none_of("files that hold it then", traces(server.database))
    return figures


def main(argv: list[str] | None = None) -> int:
    """Forget, look and print; exit status 1 when a promise was broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, nargs="+", default=[1200])
    args = parser.parse_args(argv)
    return max(run(size).print() for size in args.megabytes)


if __name__ == "__main__":
    sys.exit(main())
