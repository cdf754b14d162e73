"""Where the time of a request goes: `python -m tests.bench.profiles [recording tap …]`.

A statistical profile by processor time: what is done at a tick belongs to the first of the
layers below that is found on the stack, from the inside out. So what a layer calls is its own,
unless that is a layer too. The server around the application, sockets included, is not in here.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TypeVar
from wsgiref.types import WSGIEnvironment

from flask import Flask
from werkzeug.test import EnvironBuilder, run_wsgi_app

from app import create_app
from app.rules.events import write_event
from app.web.table.event_form import event_value
from tests.bench.filling import SECRET_KEY, Table, cookie, filling
from tests.bench.load import PHONE
from tests.bench.long_game import long_game
from tests.bench.row import say

T = TypeVar("T")

EVERY_SECONDS = 0.0005
# Without a disk nothing waits, so that a tick finds what is computed.
MEMORY = Path("/dev/shm")
REQUESTS, WARM_UP = 1500, 50
LENGTHS = (20, 400)

# What a place in the code belongs to: the end of its file's path, and its function, as patterns.
LAYERS: Sequence[tuple[str, str, str]] = (
    ("sqlite: commit", "sqlite_utils/db", "commit"),
    ("sqlite: rows of events", "app/store/games", "find_events|in_order|<listcomp>"),
    ("sqlite: head of the undo stack, newest game", "app/store/undo_stack", "find_head|_decode"),
    ("sqlite: access of link and pen", "app/store/tables", "find_access"),
    ("sqlite: the table's next version", "app/store/tables", "advance"),
    ("sqlite: insert of the event", "app/store/games", "add_events"),
    ("sqlite: drop of what was undone", "app/store/undo_stack", "drop_.*"),
    ("sqlite: idempotency key", "app/store/idempotency", ".*"),
    ("store: the rest", r"app/store/\w+", ".*"),
    ("events deserialized", "app/(services/serialization|rules/events)", ".*"),
    ("setup deserialized", "app/rules/(gamefile|presets|house)", "read_.*"),
    ("replay", "app/rules/game", "replay|fold"),
    ("rules: result for programs", "app/rules/gamefile", "write_result|_.*"),
    ("view: grid's outcomes", r"app/web/table/grid\w*", ".*"),
    ("view: rights and notices", "app/rules/(notices|rights|needs)", ".*"),
    ("view: curve, score sheet", "app/web/(table/)?(follow|curve|stretches|protocol)", ".*"),
    ("view: the rest", r"app/web/table/\w+", "_view|scoreboard|prompts|happened|latest"),
    ("translation, language", r"app/i18n/\w+|jinja2/ext", ".*"),
    ("addresses built", "flask/app|flask/helpers", "url_for"),
    ("templates: the readers' score sheet", r"templates/protocol/\w+\.html", ".*"),
    ("templates: grid", r"templates/table/_(rows|board|macros)\.html", ".*"),
    ("templates: the rest", r"templates/.*\.html", ".*"),
    ("jinja around templates", "jinja2/environment|flask/templating", ".*"),
    ("compression", "flask_compress/.*|app/http/compression", ".*"),
    ("etag", "werkzeug/.*", "add_etag|generate_etag"),
    ("cookies and their signatures", "app/http/(cookies|phone_cookie)|itsdangerous/.*", ".*"),
    ("form or body read", "werkzeug/formparser|app/rules/json_input", ".*"),
    ("JSON written", "app/api/answers|json/.*", "to_json|dumps|encode|iterencode"),
    ("idempotency", "app/services/idempotency|app/api/keys", ".*"),
    ("outbox", "app/(http|services)/outbox", ".*"),
    ("request log", "app/http/(request_log|log_lines)|logging/.*", ".*"),
    ("guards and headers", "app/http/(security|rate_limits|concurrency|prefix)", ".*"),
    ("services around it", r"app/services/\w+", ".*"),
    ("routing", "werkzeug/routing/.*|<werkzeug routing>", ".*"),
    ("flask and werkzeug", "flask/.*|werkzeug/(?!local).*", ".*"),
)
_PATTERNS = [
    (name, re.compile(rf".*(?:^|/)(?:{path})(?:\.py)?"), re.compile(function))
    for name, path, function in LAYERS
]
_FOUND: dict[tuple[str, str], str | None] = {}


def layer_of(frame: FrameType | None) -> str:
    """The layer that a stack belongs to."""
    while frame is not None:
        code = frame.f_code
        key = (code.co_filename, code.co_name)
        if key not in _FOUND:
            _FOUND[key] = next((n for n, p, f in _PATTERNS if _fits(key, p, f)), None)
        if (found := _FOUND[key]) is not None:
            return found
        frame = frame.f_back
    return "elsewhere"


def _fits(key: tuple[str, str], path: re.Pattern[str], function: re.Pattern[str]) -> bool:
    return bool(path.fullmatch(key[0]) and function.fullmatch(key[1]))


class Sampler:
    """Shares the processor time of this thread out among the layers, as long as it runs."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self._running, self._last = False, 0.0

    @contextmanager
    def looking(self) -> Iterator[None]:
        """Look at this thread at each tick, also between two runs: so no place is preferred."""
        before = signal.signal(signal.SIGALRM, self._look)
        signal.setitimer(signal.ITIMER_REAL, EVERY_SECONDS, EVERY_SECONDS)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    def _look(self, _: int, frame: FrameType | None) -> None:
        now = time.thread_time()
        if self._running:
            self.seconds[layer_of(frame)] += now - self._last
        self._last = now

    def run(self, act: Callable[[], T]) -> T:
        """Do something whose time is shared out."""
        self._running, self._last = True, time.thread_time()
        try:
            return act()
        finally:
            self._running = False


Make = Callable[[Table], WSGIEnvironment]


def makers(length: int) -> Mapping[str, Make]:
    """How each kind of request is made, at a table whose game has so many events."""
    event = long_game(length + 1)[1][-1]
    phones: dict[str, str] = {}

    def phone(table: Table) -> dict[str, str]:
        if table.pen not in phones:
            phones[table.pen] = cookie(table.pen)
        return {**PHONE, "Cookie": phones[table.pen]}

    def recording(table: Table) -> WSGIEnvironment:
        headers = {"Authorization": f"Bearer {table.pen}"}
        path = f"/api/tables/{table.link}/events"
        return _environ(path, headers, method="POST", json=write_event(event))

    def tap(table: Table) -> WSGIEnvironment:
        data = {"seq": str(table.seq), "event": event_value(event)}
        headers = {**phone(table), "HX-Request": "true"}
        return _environ(f"/t/{table.link}/events", headers, method="POST", data=data)

    def reading(table: Table) -> WSGIEnvironment:
        return _environ(f"/t/{table.link}", PHONE)

    def keeping(table: Table) -> WSGIEnvironment:
        return _environ(f"/t/{table.link}", phone(table))

    return {"recording": recording, "tap": tap, "reading": reading, "keeping": keeping}


def _environ(path: str, headers: Mapping[str, str], **options: object) -> WSGIEnvironment:
    builder = EnvironBuilder(path, **options)  # type: ignore[arg-type]  # werkzeug's own
    builder.headers.update(headers)
    environ = builder.get_environ()
    environ["REMOTE_ADDR"] = "127.0.0.1"
    return environ


def profile(app: Flask, make: Make, tables: Sequence[Table]) -> None:
    """Send one request at each table, and print where the time went."""
    sampler, taken = Sampler(), list[float]()

    def answer(environ: WSGIEnvironment) -> str:
        body, status, _ = run_wsgi_app(app, environ, buffered=True)
        b"".join(body)
        return status

    with sampler.looking():
        for number, table in enumerate(tables):
            # Its game is being played: only after a start is it read whole.
            answer(_environ(f"/api/tables/{table.link}", PHONE))
            request = partial(answer, make(table))
            began = time.thread_time()
            status = request() if number < WARM_UP else sampler.run(request)
            taken.append((time.thread_time() - began) * 1e6)
            if not status.startswith("20"):
                raise SystemExit(status)
    whole, total = statistics.median(taken[WARM_UP:]), sum(sampler.seconds.values())
    say(f"| all of it | {whole:.0f} | 100.0 |")
    for name, seconds in sorted(sampler.seconds.items(), key=lambda each: -each[1]):
        say(f"| {name} | {whole * seconds / total:.0f} | {100 * seconds / total:.1f} |")


def main() -> None:
    """Print a table for each kind of request and each length of game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kinds", nargs="*")
    parser.add_argument("--requests", type=int, default=REQUESTS)
    parser.add_argument("--events", type=int, nargs="+", default=LENGTHS)
    args = parser.parse_args()
    os.environ["CHICAGO_LOG"] = "off"
    for length in args.events:
        for kind, make in makers(length).items():
            if args.kinds and kind not in args.kinds:
                continue
            with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.exists() else None) as folder:
                with filling(Path(folder)) as into:
                    tables = into.add_tables(args.requests + WARM_UP, length)
                config = {"DATABASE": f"{folder}/chicago.db", "SECRET_KEY": SECRET_KEY}
                app = create_app({**config, "LIMITS": False})
                say(f"\n| {kind}, with {length} events before | µs | % |\n| --- | --- | --- |")
                profile(app, make, tables)


if __name__ == "__main__":
    main()
