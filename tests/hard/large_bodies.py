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
from collections.abc import Callable, Iterator
from pathlib import Path

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
AT = "2026-01-01T19:00:00.000+00:00"
EVENT = [1, '{"event":"no_best_hand"}', AT, "undone", 1, None]
OVER = [1, '{"event":"break_off","settle":true}', AT, "effective", None, None]
SETUP = {"players": ["Anna", "Bo"], "rules": {"preset": "pagat"}, "stake_ore": 0}


def to_json(value: object) -> bytes:
    """Write something as JSON in as few bytes as that takes."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def game(number: int, *events: object, **more: object) -> dict[str, object]:
    """Return a game of a copied table."""
    started = {"started_seq": None, "undone_seq": None, "begun_at": AT}
    about = {"number": number, "uid": f"u{number}", "setup": json.dumps(SETUP)}
    return {**about, **started, "events": events, **more}


def opening(games: list[dict[str, object]], name: str) -> bytes:
    """Return the body that opens a table with these games, under a link after a name."""
    copy = {"name": "", "seq": 10, "created_at": AT, "entries": 1, "erased_seq": 0}
    table = {**copy, "people": [], "payments": [], "games": games}
    link = name.replace(" ", "-").ljust(30, "x")
    batch = {"link": link, "phone": "p" * 22, "pen": "q" * 43, "changes": [], "opening": table}
    return to_json(batch)


def many(item: object) -> list[object]:
    """Return an item so often that as JSON it takes as many bytes as are sent."""
    return [item] * (SIZE // (len(to_json(item)) + 1))


def openings() -> Iterator[tuple[str, list[dict[str, object]]]]:
    """Make tables that are large in one way each: refused, and just about allowed."""
    places = list(range(1, 9999))
    log = [EVENT] * 9999
    yield "spans", [game(1, EVENT, spans=many([1, None, 1, 2]))]
    amendment = [1, 1, None, "final", None, places]
    yield "replaced", [game(1, *log, amendments=many(amendment))]
    yield "fewer replaced", [game(1, *log, amendments=[amendment] * 48)]
    yield "statistics", [game(1, OVER, seats=[["åå"] * 999_000])]
    yield "long text", [game(1, OVER, uid="🂡" + "x" * SIZE)]
    yield "events", [game(number, *[EVENT] * 6999) for number in range(1, 24)]
    yield "games", [game(number, OVER, *[EVENT] * 30) for number in range(1, 5001)]
    yield "small games", [game(number, OVER) for number in range(1, 5001)]


def bodies() -> Iterator[tuple[str, str, bytes]]:
    """Make what is sent: its name, where it goes, and the body."""
    for name, games in openings():
        yield name, "/offline/tables", opening(games, name)
    links = {f"{number:040}": True for number in range(SIZE // 48)}
    yield "put away", "/offline/replicas", to_json({"phone": {"put_away": links}})
    few = dict.fromkeys(list(links)[:1000], True)
    yield "less put away", "/offline/replicas", to_json({"phone": {"put_away": few}})
    for path in ("/", "/api/tables", "/files", "/rules", "/offline/tables"):
        yield f"strings to {path}", path, to_json(many(""))


def send(port: int, path: str, body: bytes) -> int:
    """Send a body from the hostile address, and return the answer's status, 0 where none came."""
    connection = http.client.HTTPConnection(
        "127.0.0.1", port, timeout=PATIENCE, source_address=(HOSTILE, 0)
    )
    try:
        connection.request("POST", path, body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        answer.read()
    except (OSError, http.client.HTTPException):
        return 0
    else:
        return answer.status
    finally:
        connection.close()


def send_at_once(port: int, path: str, body: bytes, times: int) -> list[int]:
    """Send a body several times at once, and return what was answered."""
    statuses: list[int] = []
    act: Callable[[], None] = lambda: statuses.append(send(port, path, body))  # noqa: E731
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
            statuses = send_at_once(server.port, path, body, times)
            while len(neighbour.taps) < LEAST_TAPS:
                statuses += send_at_once(server.port, path, body, times)
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
