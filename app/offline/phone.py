"""The phone: the application behind plain functions, for the service worker that runs it.

The worker keeps the database file: it puts the file in place before `start`, and stores it whenever
an answer says that it changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from urllib.parse import urljoin

import msgspec
from flask import Flask, Request, Response
from flask.sessions import SecureCookieSession, SessionInterface, SessionMixin
from jinja2 import ModuleLoader
from msgspec.structs import replace
from werkzeug.test import create_environ, run_wsgi_app

from app import ROOT, make_app, register_pages, web
from app.http import context, errors
from app.http.application import Application
from app.offline import calls, pages
from app.offline.replicas import read_phone, save_phone
from app.store.connection import DatabaseRefused
from app.store.files import COMPANIONS, WRITE_AHEAD_LOG, beside

COMPILED_TEMPLATES = "compiled_templates"


class Answer(msgspec.Struct, frozen=True):
    """An answer to a page; `changed`: the database file differs from before, and is whole."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes
    changed: bool


class PhoneSession(SessionInterface):
    """The session in the phone's own row: a service worker can neither read nor set cookies."""

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession:  # noqa: ARG002  # Flask's signature
        """Read it."""
        return SecureCookieSession(read_phone(context.db()).session)

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:  # noqa: ARG002  # Flask's signature
        """Save it where something in it changed."""
        if session.modified:
            save_phone(context.db(), replace(read_phone(context.db()), session=dict(session)))


def create_phone_app(database: str, **config: object) -> Application:
    """Make the application: the same pages and rules, and none of a server's guards."""
    values = {"DATABASE": database, "PHONE": True, "INSTANCE": None}
    # A table of thousands of games comes whole.
    guards = {"LIMITS": False, "MAX_CONTENT_LENGTH": None}
    app = make_app({**values, **guards, **config})
    register_pages(app)
    app.session_interface = PhoneSession()
    calls.register(app)
    pages.register(app)
    errors.register(app, page=web.error_page, json=web.error_page)
    if (ROOT / COMPILED_TEMPLATES).exists():
        app.jinja_env.loader = ModuleLoader(ROOT / COMPILED_TEMPLATES)
    return app


_running: list[Application] = []


def start(database: str) -> None:
    """Begin, or begin anew, with the database file that is in place; made if there is none.

    Raises DatabaseUnavailable, as DatabaseRefused where the file is damaged, another program's, or
    a newer version's.
    """
    stop()
    app = create_phone_app(database)
    try:
        with app.app_context():
            (found,) = context.db().connection.execute("PRAGMA quick_check(1)").fetchone()
            if found != "ok":
                raise DatabaseRefused("damaged", Path(database))
            calls.follow_zone(read_phone(context.db()))
    except BaseException:
        app.close()
        raise
    _running.append(app)


def stop() -> None:
    """Let go of the database, whose file may then be replaced; what was not stored is forgotten."""
    while _running:
        app = _running.pop()
        app.close()
        for suffix in COMPANIONS:
            beside(Path(app.config["DATABASE"]), suffix).unlink(missing_ok=True)


def answer(
    method: str, url: str, headers: Sequence[tuple[str, str]] = (), body: bytes = b""
) -> Answer:
    """Answer one request as the server would (WSGI). Raises LookupError before the start."""
    app, sent = _running[-1], [*headers]
    environ = create_environ(url, urljoin(url, "/"), method=method, headers=sent, data=bytes(body))
    found, status, answered = run_wsgi_app(app, environ, buffered=True)
    return Answer(int(status[:3]), [*answered], b"".join(found), _checkpoint(app))


def _checkpoint(app: Application) -> bool:
    """Move what was committed into the database file; whether there was anything."""
    log = beside(Path(app.config["DATABASE"]), WRITE_AHEAD_LOG)
    changed = False
    with suppress(FileNotFoundError), app.app_context():
        changed = log.stat().st_size > 0
        context.db().truncate_log()
    return changed
