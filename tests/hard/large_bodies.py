"""Bodies as large as they may be, from one address, to every address that takes any.

    python -m tests.hard.large_bodies

Prints, for each body sent alone and five at once, the slowest tap at another table, how many of
those taps were refused, and how much memory the server took. Exit status 1 where a promise was
broken.
"""

from __future__ import annotations

import argparse
import http.client
import json
import sys
import tempfile
import threading
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice, repeat
from pathlib import Path
from secrets import token_urlsafe

from tests.hard.attacks import HOSTILE
from tests.hard.figures import Figures
from tests.hard.hostile import Neighbour
from tests.hard.serving import Memory, served

# What is promised: of the slowest tap in seconds, of more memory in MiB.
SLOWEST, MORE = 1.0, 150
AT_ONCE, PATIENCE = 5, 120.0
# A body that is refused quickly is sent again, until somebody has tapped meanwhile.
LEAST_TAPS = 5
SIZE = 16_000_000
# The most that a phone may push at once, in bytes, and in rows, and of one game.
PUSHED, ROWS, EVENTS = 1_480_000, 500, 2000
AT = "2026-01-01T19:00:00.000Z"
NOBODY, OFF = {"event": "no_best_hand"}, {"event": "break_off", "settle": True}
SETUP = {"players": [1, 2], "rules": {"preset": "pagat"}, "stake_ore": 0}
UP_AND_DOWN = [{"event": "correction", "player": 1, "points": points} for points in (1, -1)]
Row = dict[str, object]
# In its place each body has a new link.
LINK, THEIRS = "x" * 30, "y" * 30


def to_json(value: object) -> bytes:
    """Write something as JSON in as few bytes as that takes."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def row(seq: int, kind: str, game: int, body: object) -> Row:
    """Return a change as a phone pushes it."""
    key = b64encode(seq.to_bytes(8, "big")).decode()
    about = {"seq": seq, "kind": kind, "game": game, "body": to_json(body).decode()}
    return {**about, "at": AT, "entries": seq, "key": key, "request": key}


def begun(seq: int, number: int, *events: object, uid: str = "") -> Row:
    """Return a game that was played elsewhere, or with the first version, the opening."""
    told = {"id": uid or f"u{number}", "setup": SETUP, "events": [[each, AT] for each in events]}
    return row(seq, "open" if seq == 1 else "import", number, told)


def opening(rows: list[Row]) -> bytes:
    """Return the body that opens a table with these changes, under a link yet to be made."""
    people = [[1, "Anna", None], [2, "Bo", None]]
    batch = {"link": LINK, "base": 0, "people": people, "rows": rows}
    return to_json(batch)


def fill(rows: Iterable[Row]) -> list[Row]:
    """Return as many changes as are pushed at once."""
    taken, size = list[Row](), 0
    for each in islice(rows, ROWS):
        size += len(to_json(each)) + 1
        if size > PUSHED:
            break
        taken.append(each)
    return taken


def many(item: object, size: int = SIZE) -> list[object]:
    """Return an item so often that as JSON it takes as many bytes as are sent."""
    return [item] * (size // (len(to_json(item)) + 1))


def openings() -> Iterator[tuple[str, list[Row]]]:
    """Make tables that are large in one way each: refused, and just about allowed."""
    whole = UP_AND_DOWN * (EVENTS // 2)
    first, numbers = begun(1, 1, *whole), range(2, 10**6)
    mended = {"deal": 1, "entries": [[place, place + 1] for place in range(EVENTS)]}
    shorter = ({"deal": 1, "entries": [[0, EVENTS - seq]]} for seq in numbers)
    yield "entries", [first, row(2, "mend", 1, {"deal": 1, "entries": many([0, 1], PUSHED // 2)})]
    yield "mends", fill([first, *(row(n, "mend", 1, mended) for n in range(2, 99))])
    yield "shorter", fill(chain([first], map(row, numbers, repeat("mend"), repeat(1), shorter)))
    yield "long text", [begun(1, 1, OFF, uid="🂡" + "x" * PUSHED)]
    yield (
        "taps",
        fill([begun(1, 1), *(row(n, "record", 1, UP_AND_DOWN[n % 2]) for n in range(2, 501))]),
    )
    yield "events", fill(begun(n, n, *UP_AND_DOWN * (EVENTS // 2 - 1), OFF) for n in range(1, 99))
    yield "one long game", [begun(1, 1, *many(NOBODY, PUSHED // 4))]
    for year in ("0001", "9999"):
        late = [{**row(n, "record", 1, NOBODY), "at": f"{year}{AT[4:]}"} for n in range(2, 99)]
        yield f"times of the year {year}", [begun(1, 1), *late]
    deep = row(2, "mend", 1, NOBODY) | {"body": "[" * PUSHED}
    yield "a nested change", [begun(1, 1), deep]
    yield "small games", fill(begun(n, n, OFF) for n in range(1, ROWS + 1))


def bodies() -> Iterator[tuple[str, str, bytes]]:
    """Make what is sent: its name, where it goes, and the body."""
    for name, rows in openings():
        yield name, f"/offline/tables/{LINK}", opening(rows)
    # The rows of a table that is somebody's, who goes on playing there.
    yield (
        "another's table",
        f"/offline/tables/{THEIRS}",
        opening(fill(repeat(begun(1, 1)))).replace(LINK.encode(), THEIRS.encode()),
    )
    yield "nested", f"/offline/tables/{LINK}", b"[" * PUSHED
    links = {f"away {number:040}": "" for number in range(SIZE // 50)}
    yield "put away", "/offline/replicas", to_json({"state": links})
    few = dict.fromkeys(list(links)[:200], "")
    yield "less put away", "/offline/replicas", to_json({"state": few})
    for path in ("/", "/api/tables", "/files", "/rules", f"/offline/tables/{LINK}"):
        yield f"strings to {path.removesuffix(LINK)}", path, to_json(many(""))


def send(port: int, theirs: str, path: str, body: bytes) -> int:
    """Send a body from the hostile address, and return the answer's status, 0 where none came.

    Each opens a table of its own.
    """
    for name, link in ((LINK, token_urlsafe(22)), (THEIRS, theirs)):
        path, body = path.replace(name, link), body.replace(name.encode(), link.encode())
    connection = http.client.HTTPConnection(
        "127.0.0.1", port, timeout=PATIENCE, source_address=(HOSTILE, 0)
    )
    try:
        headers = {"Content-Type": "application/json", "Cookie": f"chicago-pen={'q' * 43}"}
        connection.request("POST", path, body, headers)
        answer = connection.getresponse()
        answer.read()
    except (OSError, http.client.HTTPException):
        return 0
    else:
        return answer.status
    finally:
        connection.close()


def send_at_once(port: int, theirs: str, path: str, body: bytes, times: int) -> list[int]:
    """Send a body several times at once, and return what was answered."""
    statuses: list[int] = []
    act: Callable[[], None] = lambda: statuses.append(send(port, theirs, path, body))  # noqa: E731
    threads = [threading.Thread(target=act) for _ in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return statuses


def measure(figures: Figures, name: str, path: str, body: bytes, times: int) -> None:
    """Send a body to a server of its own, beside somebody who plays."""
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as server:
        neighbour = Neighbour(server.port, "127.0.0.2")
        neighbour.open()
        with Memory(server, 0.05) as memory:
            statuses = send_at_once(server.port, neighbour.link, path, body, times)
            while len(neighbour.taps) < LEAST_TAPS:
                statuses += send_at_once(server.port, neighbour.link, path, body, times)
        neighbour.over.set()
        neighbour.thread.join()
        grown = (server.database.stat().st_size) // 1_000_000
    slowest = max((took for _, took in neighbour.taps), default=0.0)
    more = memory.most - memory.start
    refused = len(neighbour.refused)
    told = ", ".join(map(str, sorted(set(statuses))))
    text = (
        f"slowest tap {slowest:5.2f} s of {len(neighbour.taps):3}, {refused} refused,"
        f" {more:4} MiB more, file {grown} MB, answered {told}"
    )
    kept = slowest < SLOWEST and not refused and more <= MORE
    figures.add(f"{times} x {len(body) / 1e6:.1f} MB: {name}", text, kept=kept)


def main(argv: list[str] | None = None) -> int:
    """Send, measure and print; exit status 1 when a promise was broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="a part of the names of what is sent")
    args = parser.parse_args(argv)
    figures = Figures(f"large bodies from one address ({HOSTILE}), and one neighbour")
    for name, path, body in bodies():
        if args.only in name:
            for times in (1, AT_ONCE):
                measure(figures, name, path, body, times)
    return figures.print()


if __name__ == "__main__":
    sys.exit(main())
