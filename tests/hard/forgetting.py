"""A name is forgotten while others play, and looked for in every byte that is kept.

    python -m tests.hard.forgetting [--games 200] [--seconds 60]

Prints how often the name is in the database, in its log and in a backup made afterwards, once the
time is over in which it must be gone, and how long a neighbour waited at most while it was being
forgotten. Exit status 1 where a promise was broken.
"""

from __future__ import annotations

import argparse
import http.client
import io
import json
import sqlite3
import sys
import tempfile
import time
import urllib.parse
import zipfile
from collections.abc import Iterator
from pathlib import Path

from tests.api.calling import correction
from tests.browser.serving import HOST, Server
from tests.hard.attacks import upload
from tests.hard.figures import Figures, milliseconds
from tests.hard.hostile import Street
from tests.hard.serving import served

NAME = "Zacharina Q"
PLAYERS = [NAME, "Bo", "Cilla", "Dan"]
EVENTS = 60
# What is promised: how long a neighbour waits in milliseconds, how soon the name is gone.
WAIT = 100
QUIET = 5.0
PATIENCE = 120.0
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def games(count: int) -> Iterator[bytes]:
    """Return games at which somebody of that name sat, in archives as large as one may be."""
    events = [correction(1 - 2 * (n // 4 % 2), PLAYERS[n % 4]) for n in range(EVENTS)]
    off = {"event": "break_off", "settle": True}
    file = {"format": "chicago-game/1", "players": PLAYERS, "events": [*events, off]}
    for first in range(0, count, 100):
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            for number in range(first, min(count, first + 100)):
                archive.writestr(f"{number}.json", json.dumps({**file, "id": str(number)}))
        yield buffer.getvalue()


def send(
    port: int, path: str, body: bytes, headers: dict[str, str]
) -> tuple[int, http.client.HTTPMessage]:
    """Send a form. Raises OSError or HTTPException when there is no answer."""
    connection = http.client.HTTPConnection(HOST, port, timeout=PATIENCE)
    connection.request("POST", path, body, headers)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status, answer.headers


def evenings(port: int, count: int) -> tuple[str, str]:
    """Open a table with so many games; returns its address and the cookie that writes."""
    table, cookie, seq = "", "", 0
    for archive in games(count):
        head, _, body = upload(archive).partition(b"\r\n\r\n")
        kind = {"Content-Type": "multipart/form-data; boundary=b", "Cookie": cookie}
        seq = _seq(port, table) if table else 0
        field = f'--b\r\nContent-Disposition: form-data; name="seq"\r\n\r\n{seq}\r\n'.encode()
        status, headers = send(port, f"{table}/files", field + body, kind)
        assert status == 303, (status, head)
        table = table or headers["Location"]
        cookie = headers.get("Set-Cookie", cookie).partition(";")[0]
    return table, cookie


def _seq(port: int, table: str) -> int:
    connection = http.client.HTTPConnection(HOST, port, timeout=PATIENCE)
    connection.request("GET", f"/api/tables/{table.rpartition('/')[2]}")
    seq = json.loads(connection.getresponse().read())["seq"]
    connection.close()
    return int(seq)


def forget(port: int, table: str, cookie: str) -> int:
    """Ask that the name be forgotten; returns the status of the answer."""
    fields = {"what": "name", "name": NAME, "sure": "1", "seq": str(_seq(port, table))}
    body = urllib.parse.urlencode(fields).encode()
    return send(port, f"{table}/forget", body, {**FORM, "Cookie": cookie})[0]


def found(path: Path) -> int:
    """Return how often the name stands in a file."""
    return path.read_bytes().count(NAME.encode()) if path.exists() else 0


def traces(database: Path, folder: Path) -> dict[str, int]:
    """Return how often the name stands in each file that is kept, and in a backup made now."""
    backup = folder / "backup.db"
    with sqlite3.connect(database) as source, sqlite3.connect(backup) as target:
        source.backup(target)
    source.close()
    target.close()
    files = {"database": database, "log": Path(f"{database}-wal"), "backup": backup}
    return {name: found(path) for name, path in files.items()}


def run(folder: Path, count: int, seconds: float, quiet: float = QUIET) -> Figures:
    """Forget a name while neighbours play, and look for it afterwards."""
    figures = Figures(f"a name forgotten at a table of {count} games")
    with served(folder) as server:
        _measure(figures, server, folder, count, seconds, quiet)
    return figures


def _measure(
    figures: Figures, server: Server, folder: Path, count: int, seconds: float, quiet: float
) -> None:
    table, cookie = evenings(server.port, count)
    street = Street(server.port)
    before = found(server.database) + found(Path(f"{server.database}-wal"))
    peace = street.during(quiet)
    began = time.monotonic()
    status = forget(server.port, table, cookie)
    answered = time.monotonic()
    left = traces(server.database, folder)
    while sum(left.values()) and time.monotonic() < began + seconds:
        time.sleep(0.5)
        left = traces(server.database, folder)
    gone = time.monotonic() - began
    street.during(1)
    taps = [took for each in street.neighbours for took in each.between(began, time.monotonic())]
    figures.add("the name stood there so often before", before, kept=before > 0)
    figures.add("answered after seconds", f"{answered - began:.2f}", kept=status in (200, 303))
    for name, times in left.items():
        figures.add(f"the name still stands in the {name}", times, kept=times == 0)
    figures.add("looked for until second", f"{gone:.1f}")
    longest, usual = 1000 * max(taps), milliseconds(peace, 99)
    text = f"{longest:.0f} ms, {longest / usual:.1f} times the p99 in peace"
    figures.add("longest wait of a neighbour", text, kept=longest < WAIT)
    figures.none_of("taps of neighbours that were refused", street.leave())


def main(argv: list[str] | None = None) -> int:
    """Forget, look and print; exit status 1 when a promise was broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        return run(Path(folder), args.games, args.seconds).print()


if __name__ == "__main__":
    sys.exit(main())
