"""The application behind plain functions, for the service worker of the browser that runs it.

The worker keeps the database file and the cookies: it puts the file in place before `start`, and
stores both anew whenever an answer says that they changed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from http.cookies import SimpleCookie
from io import BytesIO
from pathlib import Path
from typing import cast
from urllib.parse import unquote_to_bytes, urlsplit

import msgspec
from flask import Flask

from app.http import context
from app.phone.application import create_phone_app
from app.phone.compiled_templates import CompiledTemplates
from app.services import zones
from app.store.availability import DatabaseRefused, DatabaseUnavailable
from app.store.database import Database
from app.store.files import COMPANIONS, WRITE_AHEAD_LOG, beside

Headers = Sequence[tuple[str, str]]


class Answer(msgspec.Struct, frozen=True):
    """What a page gets, and whether the worker has something to store before the page gets it.

    `changed`: the database file or the cookies differ from before, and the file is whole.
    `cookie`: the cookies to be kept now, as text; None where they are as they were.
    """

    status: int
    headers: list[tuple[str, str]]
    body: bytes
    changed: bool
    cookie: str | None


class CookieJar:
    """The cookies of the application: a service worker can neither read nor set a browser's."""

    def __init__(self, text: str = "") -> None:
        self._values: dict[str, str] = msgspec.json.decode(text or "{}", type=dict[str, str])

    @property
    def text(self) -> str:
        """All of it, for the next start."""
        return msgspec.json.encode(self._values).decode()

    @property
    def header(self) -> str:
        """The request header."""
        return "; ".join(f"{name}={value}" for name, value in self._values.items())

    def take(self, set_cookies: Iterable[str]) -> None:
        """Follow response headers as a browser does; ours last until they are taken away."""
        for line in set_cookies:
            for name, cookie in SimpleCookie(line).items():
                if cookie["max-age"] == "0" or not cookie.value:
                    self._values.pop(name, None)
                else:
                    self._values[name] = cookie.coded_value


class Runtime:
    """One application on one database file, asked by one request after the other."""

    def __init__(self, app: Flask, cookie: str) -> None:
        self.app = app
        self._path = Path(app.config["DATABASE"])
        self._cookies = CookieJar(cookie)

    def answer(self, method: str, url: str, headers: Headers, body: bytes) -> Answer:
        """Run the application on one request (WSGI)."""
        before = self._cookies.text
        environ = make_environ(method, url, [*headers, ("Cookie", self._cookies.header)], body)
        status, answered, content = run_wsgi(self.app, environ)
        self._cookies.take(value for name, value in answered if name.lower() == "set-cookie")
        cookie = self._cookies.text
        return Answer(
            status,
            [(name, value) for name, value in answered if name.lower() != "set-cookie"],
            content,
            # Each by itself: what is in the log goes into the file, whatever else changed.
            self.checkpoint() or cookie != before,
            cookie if cookie != before else None,
        )

    def checkpoint(self) -> bool:
        """Move what was committed into the database file; whether there was anything.

        Raises DatabaseUnavailable.
        """
        log = beside(self._path, WRITE_AHEAD_LOG)
        if not log.exists() or not log.stat().st_size:
            return False
        with self.app.app_context():
            if not context.db().truncate_log():
                message = "the log cannot be emptied"
                raise DatabaseUnavailable(message)
        return True

    def close(self) -> None:
        """Let go of the database file."""
        db = cast("Database | None", self.app.extensions.pop("db", None))
        if db is not None:
            db.close()


def make_environ(method: str, url: str, headers: Headers, body: bytes) -> dict[str, object]:
    """A request as WSGI describes it (PEP 3333); of a header that comes twice the last counts."""
    asked = urlsplit(url)
    secure = asked.scheme == "https"
    environ: dict[str, object] = {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(asked.path).decode("latin-1"),
        "QUERY_STRING": asked.query,
        "SERVER_NAME": asked.hostname or "",
        "SERVER_PORT": str(asked.port or (443 if secure else 80)),
        "SERVER_PROTOCOL": "HTTP/1.1",
        "HTTP_HOST": asked.netloc,
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": asked.scheme,
        "wsgi.input": BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": False,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    environ.update((_environ_name(name), value) for name, value in headers)
    return {**environ, "CONTENT_LENGTH": str(len(body))}


def _environ_name(header: str) -> str:
    name = header.upper().replace("-", "_")
    return name if name == "CONTENT_TYPE" else f"HTTP_{name}"


def run_wsgi(app: Flask, environ: dict[str, object]) -> tuple[int, list[tuple[str, str]], bytes]:
    """Run a WSGI application on one request; the status, the headers and the whole body."""
    started: list[tuple[str, list[tuple[str, str]]]] = []
    written: list[bytes] = []

    def start_response(
        line: str, headers: list[tuple[str, str]], _: object = None
    ) -> Callable[[bytes], object]:
        started.append((line, headers))
        return written.append

    found = app(environ, start_response)
    try:
        written.extend(found)
    finally:
        if (close := getattr(found, "close", None)) is not None:
            close()
    line, headers = started[-1]
    return int(line.split(" ", 1)[0]), headers, b"".join(written)


_running: list[Runtime] = []
# They outlast an application: the next one has the same.
_templates = CompiledTemplates()


def start(database: str, cookie: str = "", config: Mapping[str, object] | None = None) -> None:
    """Begin, or begin anew, with the database file that is in place; made if there is none.

    An older version's file is brought up to date: ask `checkpoint` whether it is to be stored.
    Raises DatabaseUnavailable, and then the file is as it was: as DatabaseRefused where it is
    damaged, another program's, or a newer version's.
    """
    stop()
    values = {"DATABASE": database, **(config or {})}
    runtime = Runtime(create_phone_app(values), cookie)
    runtime.app.jinja_env.bytecode_cache = _templates
    try:
        _open(runtime, Path(database))
    except BaseException:
        runtime.close()
        raise
    _running.append(runtime)


def stop() -> None:
    """Let go of the database, whose file may then be replaced; what was not stored is forgotten."""
    while _running:
        runtime = _running.pop()
        runtime.close()
        for suffix in COMPANIONS:
            beside(Path(runtime.app.config["DATABASE"]), suffix).unlink(missing_ok=True)


def answer(method: str, url: str, headers: Headers, body: bytes = b"") -> Answer:
    """Answer one request as the server would."""
    return running().answer(method, url, headers, bytes(body))


def checkpoint() -> bool:
    """Let the database file be whole; whether that changed it. Raises DatabaseUnavailable."""
    return running().checkpoint()


def load_templates(data: bytes) -> None:
    """Take the compiled templates that were kept, so that the next pages come at once."""
    _templates.load(bytes(data))


def dump_templates() -> bytes | None:
    """The compiled templates, to be kept; None when they are as they were."""
    return _templates.dump()


def running() -> Runtime:
    """What was started last. Raises LookupError before that."""
    if not _running:
        message = "it has not been started"
        raise LookupError(message)
    return _running[-1]


def _open(runtime: Runtime, path: Path) -> None:
    """Open the database and read through all of it. Raises DatabaseUnavailable."""
    before = path.read_bytes() if path.exists() else None
    with runtime.app.app_context():
        try:
            _check(context.db(), path)
            zones.follow_stored(context.db())
        except DatabaseUnavailable:
            runtime.close()
            if before is not None:
                path.write_bytes(before)
            raise


def _check(db: Database, path: Path) -> None:
    (found,) = db.connection.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        raise DatabaseRefused("damaged", path)
