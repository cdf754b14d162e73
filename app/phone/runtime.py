"""The application behind plain functions, for the service worker of the browser that runs it.

The worker keeps the database file and the cookies: it puts the file in place before `start`, and
stores both anew whenever an answer says that they changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing, suppress
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import urljoin

import msgspec
from werkzeug.datastructures import Headers
from werkzeug.test import create_environ, run_wsgi_app

from app.http import context
from app.http.application import Application
from app.phone.application import create_phone_app
from app.phone.compiled_templates import CompiledTemplates
from app.phone.replicas import read_phone
from app.store.availability import DatabaseRefused, DatabaseUnavailable, DriverError
from app.store.connection import connect
from app.store.files import COMPANIONS, WRITE_AHEAD_LOG, beside
from app.sync.phone_state import follow_zone

Sent = Sequence[tuple[str, str]]


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

    def __init__(self, app: Application, cookie: str) -> None:
        self.app = app
        self._path = Path(app.config["DATABASE"])
        self._cookies = CookieJar(cookie)

    def answer(self, method: str, url: str, headers: Sent, body: bytes) -> Answer:
        """Run the application on one request (WSGI)."""
        before = self._cookies.text
        sent = Headers([*headers, ("Cookie", self._cookies.header)])
        environ = create_environ(url, urljoin(url, "/"), method=method, headers=sent, data=body)
        found, status, answered = run_wsgi_app(self.app, environ, buffered=True)
        self._cookies.take(answered.getlist("Set-Cookie"))
        answered.remove("Set-Cookie")
        cookie = self._cookies.text
        return Answer(
            int(status.split(" ", 1)[0]),
            [*answered],
            b"".join(found),
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
        runtime.app.close()
        raise
    _running.append(runtime)


def stop() -> None:
    """Let go of the database, whose file may then be replaced; what was not stored is forgotten."""
    while _running:
        runtime = _running.pop()
        runtime.app.close()
        for suffix in COMPANIONS:
            beside(Path(runtime.app.config["DATABASE"]), suffix).unlink(missing_ok=True)


def answer(method: str, url: str, headers: Sent, body: bytes = b"") -> Answer:
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
    _drop_done(path)
    before = path.read_bytes() if path.exists() else None
    with runtime.app.app_context():
        try:
            (found,) = context.db().connection.execute("PRAGMA quick_check(1)").fetchone()
            if found != "ok":
                raise DatabaseRefused("damaged", path)
            follow_zone(read_phone(context.db()).known)
        except DatabaseUnavailable:
            runtime.app.close()
            if before is not None:
                path.write_bytes(before)
            raise


def _drop_done(path: Path) -> None:
    """Delete a database from before tables were kept as logs, where nothing waits in it.

    Another one is refused as it is: the version that wrote it has to hand it over first.
    """
    sql = """SELECT (SELECT COUNT(*) FROM outbox)
        + (SELECT COUNT(*) FROM replicas WHERE opening IS NOT NULL)"""
    waiting = None
    # In a newer database there is nothing of that kind.
    with suppress(DriverError), closing(connect(path)) as old:
        (waiting,) = old.execute(sql).fetchone()
    if waiting == 0:
        path.unlink()
