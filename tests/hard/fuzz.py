"""Random requests over every route, handed to the application within a process.

    python -m tests.hard.fuzz [--requests 1000000] [--minutes 25] [--seed 1]

No answer is a server error but an honest 503, nothing that is refused or only read changes
anything, and no line of the log holds a traceback, a link, a pen or a name. A seed repeats a run.
Exit status 1 where a promise was broken.
"""

from __future__ import annotations

import argparse
import io
import logging
import multiprocessing
import random
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

from flask import Flask
from werkzeug.test import run_wsgi_app

from app import create_app
from tests.api.calling import shut_down
from tests.hard.figures import Figures
from tests.hard.making import Maker, Request, shape

# Requests to one database, which is then begun anew, so that it stays small.
A_DATABASE = 5_000
SAFE = ("GET", "HEAD", "OPTIONS")
ENDLESS = "text/event-stream"
PROCESSES = 2


@dataclass
class Outcome:
    """Statuses of requests, and the promises they broke."""

    statuses: Counter[int] = field(default_factory=Counter)
    broken: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)

    def blame(self, promise: str, example: str) -> None:
        """Note a broken promise; the first of its kind is kept."""
        self.broken[promise] += 1
        self.examples.setdefault(promise, example)

    def __iadd__(self, other: Outcome) -> Outcome:
        """Add what came of others."""
        self.statuses += other.statuses
        self.broken += other.broken
        self.examples = {**other.examples, **self.examples}
        return self


class Watched:
    """A database of which one is told whether anything in it has changed."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._version = self._content = 0

    def changed(self) -> bool:
        """Return whether something was written since this was last asked, answers kept aside."""
        [(version,)] = self._connection.execute("PRAGMA data_version")
        if version == self._version:
            return False
        before, self._version, self._content = self._content, version, self._digest()
        return before != self._content

    def _digest(self) -> int:
        names = self._connection.execute("SELECT name FROM sqlite_schema WHERE type='table'")
        tables = [name for (name,) in names if "idempotency" not in name]
        rows = (tuple(self._connection.execute(f'SELECT * FROM "{name}"')) for name in tables)
        return hash(tuple(rows))

    def close(self) -> None:
        """Read it no longer."""
        self._connection.close()


def environ(request: Request) -> dict[str, Any]:
    """Return a request as a WSGI server hands it to the application."""
    headers = {f"HTTP_{k.upper().replace('-', '_')}": v for k, v in request.headers.items()}
    kind = headers.pop("HTTP_CONTENT_TYPE", "")
    length = {} if request.chunked else {"CONTENT_LENGTH": str(len(request.body))}
    return {
        "REQUEST_METHOD": request.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(request.path.encode("latin-1")).decode("latin-1"),
        "QUERY_STRING": request.query,
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "HTTP_HOST": "localhost",
        "CONTENT_TYPE": kind,
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(request.body),
        "wsgi.input_terminated": True,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": False,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        **length,
        **headers,
    }


def hand(app: Flask, request: Request) -> tuple[int, dict[str, str], bytes]:
    """Let the application answer; of a stream without end, its beginning."""
    answer, status, pairs = run_wsgi_app(app.wsgi_app, environ(request))
    headers = dict(pairs)
    try:
        endless = headers.get("Content-Type", "").startswith(ENDLESS)
        return int(status[:3]), headers, b"" if endless else b"".join(answer)
    finally:
        if close := getattr(answer, "close", None):
            close()


class Log(logging.Handler):
    """Every line that is logged in this process."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a line."""
        self.lines.append(self.format(record))


@dataclass
class Trial:
    """One application on a database of its own, and what is asked of it."""

    folder: Path
    seed: int
    log: Log
    outcome: Outcome = field(default_factory=Outcome)

    def run(self, count: int, deadline: float) -> int:
        """Ask so often, or until it is late; returns how often it was."""
        database = self.folder / "chicago.db"
        app = create_app({"DATABASE": str(database), "LIMITS": False})
        hand(app, Request("GET", "/rules"))
        hand(app, Request("GET", f"/t/{'x' * 22}"))
        static = [path.name for path in Path(app.static_folder or "").glob("*.*")]
        maker = Maker(random.Random(self.seed), app.url_map, static)
        watched = Watched(database)
        watched.changed()
        asked = 0
        while asked < count and time.monotonic() < deadline:
            self._ask(app, maker, watched)
            asked += 1
        watched.close()
        shut_down(app)
        return asked

    def _ask(self, app: Flask, maker: Maker, watched: Watched) -> None:
        request = maker.make()
        self.log.lines.clear()
        try:
            status, headers, body = hand(app, request)
        except Exception as error:  # noqa: BLE001 - whatever comes out is what is looked for
            self.outcome.blame(f"came out of the application: {type(error).__name__}", f"{request}")
            return
        self.outcome.statuses[status] += 1
        self._check(request, status, headers, changed=watched.changed())
        self._check_log(maker, request)
        maker.learn(request, status, headers, body)

    def _check(
        self, request: Request, status: int, headers: dict[str, str], *, changed: bool
    ) -> None:
        where = f"{request.method} {shape(request.path)}"
        if status >= 500 and not (status == 503 and "Retry-After" in headers):
            self.outcome.blame(f"{status} at {where}", told(request))
        if status >= 400 and changed:
            self.outcome.blame(
                f"refused with {status} and changed something at {where}", told(request)
            )
        if request.method in SAFE and changed:
            self.outcome.blame(f"read and changed something at {where}", told(request))

    def _check_log(self, maker: Maker, request: Request) -> None:
        text = "\n".join(self.log.lines)
        if not text:
            return
        if "Traceback" in text:
            last = text.splitlines()[-1]
            self.outcome.blame(f"traceback: {last[:100]}", f"{told(request)}\n{text[-1500:]}")
        if found := leaked(text, maker.secrets):
            self.outcome.blame("a secret in the log", f"{found[0]}: {text[:600]}")


def leaked(text: str, secrets: set[str]) -> list[str]:
    """Return the links, pens and names that stand in a log."""
    return [secret for secret in secrets if secret in text]


def told(request: Request) -> str:
    """Return a request in full, for whoever looks into it."""
    return (
        f"{request.method} {request.path}?{request.query} {request.headers} {request.body[:500]!r}"
    )


def trials(job: tuple[int, int, float]) -> Outcome:
    """Ask one database after the other, in a process of its own."""
    seed, count, deadline = job
    log, outcome, asked = Log(), Outcome(), 0
    logging.getLogger().addHandler(log)
    while asked < count and time.monotonic() < deadline:
        with tempfile.TemporaryDirectory() as folder:
            trial = Trial(Path(folder), seed + asked, log)
            asked += trial.run(min(A_DATABASE, count - asked), deadline)
            outcome += trial.outcome
    logging.getLogger().removeHandler(log)
    return outcome


def run(requests: int, minutes: float, seed: int, processes: int) -> Figures:
    """Send requests until a count or a time is reached, and check every answer."""
    began = time.monotonic()
    each, deadline = requests // processes, began + 60 * minutes
    jobs = [(seed + 10**9 * number, each, deadline) for number in range(processes)]
    outcome = Outcome()
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        for part in pool.imap_unordered(trials, jobs):
            outcome += part
    sent = sum(outcome.statuses.values())
    figures = Figures(f"fuzz (seed {seed})")
    figures.add("requests", sent, kept=sent > 0)
    figures.add("answers", dict(sorted(outcome.statuses.items())))
    figures.add("seconds in all", f"{time.monotonic() - began:.0f}")
    for promise, count in outcome.broken.most_common():
        figures.add(promise, f"{count} x, as {outcome.examples[promise]}", kept=False)
    return figures


def main(argv: list[str] | None = None) -> int:
    """Ask, check and print; exit status 1 when a promise was broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=1_000_000)
    parser.add_argument("--minutes", type=float, default=25.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=PROCESSES)
    args = parser.parse_args(argv)
    return run(args.requests, args.minutes, args.seed, args.processes).print()


if __name__ == "__main__":
    sys.exit(main())
