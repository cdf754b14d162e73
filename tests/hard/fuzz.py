"""Random requests over every route, handed to the application within a process.

    python -m tests.hard.fuzz [--requests 1000000] [--minutes 25] [--seed 1]

The half of them are forms of the program's own pages, the others what tests/hard/cases.py sends to
each route; then they are spoilt. No answer is a server error but an honest 503. A seed repeats a
run. Exit status 1 where a promise was broken.
"""

from __future__ import annotations

import io
import random
import re
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Mapping
from functools import cache
from html import unescape
from typing import Any
from urllib.parse import parse_qsl, urlencode

from flask import Flask
from werkzeug.routing import Rule
from werkzeug.test import create_environ, run_wsgi_app

from app import create_app
from app.services.access import new_pen
from tests.api.calling import shut_down
from tests.bench.filling import cookie
from tests.hard.cases import URLENCODED, Body, fill_in, make_inputs, write_address
from tests.hard.figures import Figures, options

# Requests to one database, which is then begun anew, so that it stays small.
A_DATABASE = 5_000
# Larger bodies are for tests/hard/routes.py: they would take all the time.
MOST = 70_000
NAME = "Zebulonia Quist"
OPENING = f"player=Anna&player=Bo&player={NAME}&stake=1".encode()
FORM = re.compile(rb'<form[^>]*action="([^"]+)"(.*?)</form>', re.DOTALL)
FIELD = re.compile(rb'<(?:input|button)[^>]*\bname="([^"]+)"[^>]*?\bvalue="([^"]*)"')
SECRET = re.compile(rb"/t/([\w-]{20,})(?:/(?:pen|recovery)/([\w-]{20,}))?")
ODD = [
    *("", " ", "0", "-1", "2", "99", "1e3", "9" * 400, "²", "\u0663", "null", "true", "[]", "{}"),
    *('"', "<b>", "../..", "..%2f", "%00", "\0", "\ud800", "å" * 300, "x" * 5000, "[" * 3000),
    *("2026-02-30", "0001-01-01", "99999-01-01", "pair", "Anna", NAME, "\u202e", "\U0001f0a1"),
    *("0701234567", "NaN", "1,5", "same-origin", "gzip;q=2", "bytes=9-1", 'W/"x"', "*", "BREW"),
    *("a" * 64 + ".example", "[::1]", "[::", "xn--", "1.2.3.4:99999"),
]
# What of a request may be odd.
SPOILT = ["REQUEST_METHOD", "PATH_INFO", "QUERY_STRING", "CONTENT_TYPE", "CONTENT_LENGTH"]
HEADERS = "COOKIE AUTHORIZATION HOST ORIGIN IDEMPOTENCY_KEY IF_NONE_MATCH LAST_EVENT_ID RANGE"
HEADERS += " HX_REQUEST ACCEPT_LANGUAGE ACCEPT_ENCODING SEC_FETCH_SITE"
SPOILT += [f"HTTP_{name}" for name in HEADERS.split()]
Environ = dict[str, Any]


@cache
def small_inputs(endpoint: str, method: str) -> list[tuple[str, Body | None]]:
    """What is asked of a route, and sent to it."""
    inputs = make_inputs(endpoint, method)
    return [(query, body) for query, body in inputs if not body or len(body[0]) <= MOST]


class Maker:
    """Makes up requests by chance, and learns links and forms from the answers."""

    def __init__(self, app: Flask, seed: int) -> None:
        self.chance, self.rules = random.Random(seed), [*app.url_map.iter_rules()]
        self.pens = [new_pen(), new_pen()]
        self.links, self.handed = deque(["x" * 22], maxlen=6), deque(["x" * 43], maxlen=6)
        # By their kind, so that the pages with many forms do not crowd out the others.
        self.forms: dict[str, deque[tuple[str, dict[str, str]]]] = {}

    def make(self) -> Environ:
        """Make up the next request."""
        kind = self.chance.random()
        if len(self.links) == 1 or kind < 0.02:
            environ = self._environ("POST", "/", (OPENING, URLENCODED))
        elif kind < 0.5 and self.forms:
            path, fields = self.chance.choice(self.forms[self.chance.choice([*self.forms])])
            environ = self._environ("POST", path, self._form(fields))
        else:
            environ = self._at_route(self.chance.choice(self.rules))
        for name in self.chance.sample(SPOILT, self.chance.choice([0, 0, 1, 2])):
            odd = self._spoil(environ.get(name, "").encode("latin-1"))
            environ[name] = odd.decode("latin-1")
        if self._seldom():
            environ["wsgi.input"] = io.BytesIO(self._spoil(environ["wsgi.input"].read()))
        return environ

    def _at_route(self, rule: Rule) -> Environ:
        method = self.chance.choice(sorted(rule.methods or ()))
        known = {"secret": self.handed, "number": (0, 1, 1, 2, 10**30)}
        given = {
            name: self.chance.choice(known.get(name, [""])) for name in rule.arguments & {*known}
        }
        # The half of them is the first, which is as it should be.
        inputs = small_inputs(rule.endpoint, method)[: self.chance.choice([1, None])]
        query, body = self.chance.choice(inputs)
        return self._environ(method, f"{write_address(rule, **given)}?{query}", body)

    def _form(self, fields: Mapping[str, str]) -> Body:
        sent = {k: self._spoil(v.encode()) if self._seldom() else v for k, v in fields.items()}
        return urlencode(sent).encode(), URLENCODED

    def _environ(self, method: str, path: str, body: Body | None) -> Environ:
        content, kind = body or (b"", "")
        link, seq = self.chance.choice(self.links), self.chance.randrange(1, 9)
        path, content = fill_in(path, content, link, NAME, seq)
        pen = self.chance.choice(self.pens)
        headers = {"Cookie": cookie(pen), "Authorization": f"Bearer {pen}"}
        return create_environ(path, method=method, headers=headers, content_type=kind, data=content)

    def _spoil(self, content: bytes) -> bytes:
        """Put something odd in the place of a piece."""
        start, end = sorted(self.chance.choices(range(len(content) + 1), k=2))
        odd = self.chance.choice(ODD).encode("utf-8", "replace")
        return self.chance.choice(
            [odd, content[:start] + odd, content[:start] + odd + content[end:]]
        )

    def _seldom(self) -> bool:
        return self.chance.random() < 0.15

    def learn(self, headers: dict[str, str], body: bytes) -> None:
        """Remember what an answer gives away, as whoever got it could use it."""
        for link, secret in SECRET.findall(body + headers.get("Location", "").encode("latin-1")):
            for known, found in ((self.links, link.decode()), (self.handed, secret.decode())):
                if found and found not in known:
                    known.append(found)
        for action, inside in FORM.findall(body)[:8]:
            path = unescape(action.decode())
            fields = dict(parse_qsl(urlencode(FIELD.findall(inside)), keep_blank_values=True))
            fields = {name: unescape(value) for name, value in fields.items()}
            self.forms.setdefault(shape(path), deque(maxlen=10)).append((path, fields))


def shape(path: str) -> str:
    """Return an address without what only one table has."""
    return re.sub(r"[\w-]{20,}|\d+", "*", path)[:60]


def ask(app: Flask, environ: Environ) -> tuple[int, dict[str, str], bytes]:
    """Let the application answer; of a stream, which has no end, nothing is read."""
    answer, status, pairs = run_wsgi_app(app.wsgi_app, environ)
    headers = dict(pairs)
    is_endless = headers.get("Content-Type", "").startswith("text/event-stream")
    body = b"" if is_endless else b"".join(answer)
    if close := getattr(answer, "close", None):
        close()
    return int(status[:3]), headers, body


def main() -> int:
    """Ask one database after the other, and print; exit status 1 where a promise was broken."""
    args, began = options(__doc__, requests=1_000_000, minutes=25.0, seed=1), time.monotonic()
    figures, statuses, wrong = Figures(f"fuzz: {args}"), Counter[int](), dict[str, Environ]()
    for asked in range(args.requests):
        if asked % A_DATABASE == 0:
            folder = tempfile.TemporaryDirectory()
            app = create_app({"DATABASE": f"{folder.name}/chicago.db", "LIMITS": False})
            maker = Maker(app, args.seed + asked)
        environ = maker.make()
        try:
            status, headers, body = ask(app, environ)
        except Exception as error:  # noqa: BLE001 - whatever comes out is what is looked for
            wrong[f"{error!r}"] = environ
            continue
        statuses[status] += 1
        if status >= 500 and (status, "Retry-After" in headers) != (503, True):
            wrong[f"{status} at {shape(environ['PATH_INFO'])}"] = environ
        maker.learn(headers, body)
        is_late = time.monotonic() - began > 60 * args.minutes
        if is_late or (asked + 1) % A_DATABASE == 0:
            shut_down(app)
        if is_late:
            break
    figures.add("answers", dict(sorted(statuses.items())), kept=statuses.total() > 0)
    figures.add("requests, seconds", (statuses.total(), int(time.monotonic() - began)))
    figures.none_of("server errors", [*wrong.items()])
    return figures.status


if __name__ == "__main__":
    sys.exit(main())
