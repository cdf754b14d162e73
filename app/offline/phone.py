"""The phone: the application behind plain functions, for the service worker that runs it.

It calls `begin` and `respond` with values of JavaScript, and keeps the database file: it hands that
over at the start, and stores it whenever an answer says that it changed.
"""

import json
import logging
from collections.abc import Sequence
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import msgspec
from flask import (
    Blueprint,
    Flask,
    Request,
    Response,
    current_app,
    render_template,
    request,
    url_for,
)
from flask.sessions import SecureCookieSession, SessionInterface, SessionMixin
from jinja2 import ModuleLoader
from msgspec.structs import replace
from werkzeug.test import create_environ, run_wsgi_app

from app import web
from app.http import context, errors
from app.http.application import ROOT, Application, application, make_app
from app.http.context import db
from app.http.forms import redirect_to
from app.offline import pages, replicas
from app.offline.replicas import Answered, follow_clock, read_phone, require_sound, save_phone
from app.offline.rows import read_message
from app.store import clock
from app.store.files import (
    COMPANIONS,
    WRITE_AHEAD_LOG,
    DatabaseUnavailable,
    beside,
)
from app.store.schema import migrations
from app.web.pwa import draw_away

_log = logging.getLogger(__name__)
bp = Blueprint("calls", __name__, url_prefix="/offline")


@bp.get("/status")
def status() -> Response:
    """The changes that are only on this phone, with the line for pages, and its tables."""
    rows, here = pages.find_here(), pages.find_only_here()
    line = render_template("offline/_only_here.html", here=here) if here else ""
    return _json(
        {
            "waiting": sum(row.waiting for row in rows),
            "only_here": [row.link for row in rows if row.waiting],
            "conflicts": [row.link for row in rows if row.conflict],
            "held": [row.link for row in replicas.find_waiting(db().connection)],
            "unread": len(read_phone(db()).unread),
            "line": line,
            "schema": len(migrations.applied(db().connection)),
        }
    )


@bp.post("/exchange")
def exchange_rows() -> Response:
    """Take the server's answers to the last calls, if any, and say which come next."""
    calls, done = replicas.talk(read_message(list[Answered], request.get_data()))
    application().rendered.clear()
    return _json({"calls": calls, "done": done})


def _json(body: object) -> Response:
    return Response(msgspec.json.encode(body), mimetype="application/json")


COMPILED_TEMPLATES = "compiled_templates"
# A database that cannot be opened lies beside the one in use.
ASIDE = "-aside"


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
        return SecureCookieSession(read_phone(db()).session)

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:  # noqa: ARG002  # Flask's signature
        """Save it where something in it changed."""
        if session.modified:
            save_phone(db(), replace(read_phone(db()), session=dict(session)))


def create_phone_app(database: str, **config: object) -> Application:
    """Make the application: the same pages and rules, and none of a server's guards."""
    values = {"DATABASE": database, "PHONE": True, "LANGUAGES": "", "UNREADABLE": False}
    app = make_app({**values, **config})
    web.register(app)
    app.session_interface = PhoneSession()
    app.register_blueprint(bp)
    app.register_blueprint(pages.bp)
    app.before_request(pages.ask_others)
    app.read_banner = pages.read_banner
    app.jinja_env.globals.update(
        only_here=pages.find_only_here,
        is_only_here=pages.is_only_here,
        waiting_tables=pages.list_waiting,
        unread_tables=pages.list_unread,
    )
    if app.config["ALONE"]:
        app.register_blueprint(pages.alone_bp)
        app.jinja_env.globals["is_unsaved"] = pages.is_unsaved
    errors.register(app, page=web.error_page, json=web.error_page)
    if (ROOT / COMPILED_TEMPLATES).exists():
        app.jinja_env.loader = ModuleLoader(ROOT / COMPILED_TEMPLATES)
    return app


_running: list[Application] = []


def start(
    database: str,
    home: str,
    alone: bool = False,
    zone: str = "",
    languages: str = "",
    unreadable: bool = False,
) -> None:
    """Begin, or begin anew, with the database file that is in place; made if there is none.

    `home` is the address of the start page, with which all of ours begin. `alone`: there is no
    server of ours behind it, and evenings are those of the browser's time zone at the first start.
    `languages` are the browser's, of which no request tells a worker. `unreadable`: there is
    another database, which cannot be opened, so that every page says that until it is put aside.

    Raises DatabaseUnavailable, as DatabaseRefused where the file is damaged, another program's, or
    a newer version's.
    """
    stop()
    app = create_phone_app(
        database, HOME=home, ALONE=alone, LANGUAGES=languages, UNREADABLE=unreadable
    )
    try:
        with app.app_context():
            require_sound(db())
            is_new = not db().connection.table("phone").count
            phone = read_phone(db())
            if alone and is_new:
                phone = replace(phone, zone=zone)
                save_phone(db(), phone)
            follow_clock(phone)
    except BaseException:
        app.close()
        raise
    _running.append(app)


def stop() -> None:
    """Close the database, whose file may then be replaced; unsaved changes are lost."""
    while _running:
        app = _running.pop()
        app.close()
        for suffix in (*COMPANIONS, ASIDE):
            beside(Path(app.config["DATABASE"]), suffix).unlink(missing_ok=True)


def start_beside(database: str, home: str, alone: bool, zone: str, languages: str) -> None:
    """Begin with an empty database beside one that cannot be opened."""
    Path(database).replace(beside(Path(database), ASIDE))
    start(database, home, alone, zone, languages, unreadable=True)


def answer(
    method: str, url: str, headers: Sequence[tuple[str, str]] = (), body: bytes = b""
) -> Answer:
    """Answer one request as the server would (WSGI). Raises LookupError before the start."""
    app = _running[-1]
    home = app.config["HOME"]
    path = url.removeprefix(home.removesuffix("/"))
    if app.config["UNREADABLE"] and not path.startswith("/offline/"):
        method, path, body = "GET", f"/away/{DatabaseUnavailable.__name__}", b""
    sent = [("Accept-Language", app.config["LANGUAGES"]), *headers]
    environ = create_environ(path, home, method=method, headers=sent, data=bytes(body))
    found, status, answered = run_wsgi_app(app, environ, buffered=True)
    changed = _checkpoint(app) or beside(Path(app.config["DATABASE"]), ASIDE).exists()
    keeps = changed and not app.config["UNREADABLE"]
    # By which pages know an answer of ours, as a server's.
    given = [*answered, ("X-Request-Id", "phone")]
    return Answer(int(status[:3]), given, b"".join(found), keeps)


def collect_changed() -> dict[str, bytes]:
    """The files that the worker has to keep once something has changed, by their names there."""
    path = Path(_running[-1].config["DATABASE"])
    aside, files = beside(path, ASIDE), {"file": path.read_bytes()}
    if aside.exists():
        files[clock.write_time(clock.utc_now())] = aside.read_bytes()
        aside.unlink()
    return files


def _checkpoint(app: Application) -> bool:
    """Move commits from the write-ahead log into the database file; whether there were any."""
    log = beside(Path(app.config["DATABASE"]), WRITE_AHEAD_LOG)
    changed = False
    with suppress(FileNotFoundError), app.app_context():
        changed = log.stat().st_size > 0
        db().truncate_log()
    return changed


DATABASE_FILE = "/chicago.db"


def begin(file: Any, home: str, alone: bool | None) -> None:  # noqa: ANN401  # JavaScript's
    """Begin, or begin anew, with the file that the worker has kept, if any."""
    from js import Intl, navigator  # type: ignore[import-not-found]  # the browser's

    stop()
    Path(DATABASE_FILE).write_bytes(file.to_bytes() if file else b"")
    zone = Intl.DateTimeFormat.new().resolvedOptions().timeZone
    given = DATABASE_FILE, home, bool(alone), zone, ",".join(navigator.languages or ())
    try:
        start(*given)
    except DatabaseUnavailable:
        start_beside(*given)


def respond(request: Any) -> Any:  # noqa: ANN401  # JavaScript's
    """The response to `{method, url, headers, body}`, and what is to be `kept` before it is shown.

    That is `status`, and files by their names; nothing where nothing has changed.
    """
    from js import Object, Response  # the browser's
    from pyodide.ffi import to_js  # type: ignore[import-not-found]  # there alone

    asked = request.to_py()
    body = asked.get("body") or b""
    sent = asked.get("headers") or []
    content = body.encode() if isinstance(body, str) else body
    found = answer(asked["method"], asked["url"], sent, content)
    # A synthetic response has no address of its own, to which another could be relative.
    headers = [
        (name, urljoin(asked["url"], value) if name == "Location" else value)
        for name, value in found.headers
    ]
    shown = to_js(found.body) if found.body else None
    response = Response.new(shown, status=found.status, headers=to_js(headers))
    kept = None
    if found.changed:
        told = answer("GET", "/offline/status", sent)
        kept = {"status": json.loads(told.body), **collect_changed()}
    return to_js({"response": response, "kept": kept}, dict_converter=Object.fromEntries)


@bp.get("/file")
def save() -> Response:
    """The database; where it cannot be opened, as it is."""
    db().truncate_log()
    path = db().path
    content = (beside(path, ASIDE) if current_app.config["UNREADABLE"] else path).read_bytes()
    headers = {"Content-Disposition": 'attachment; filename="chicago.db"'}
    return Response(content, headers=headers, mimetype="application/octet-stream")


@bp.post("/aside")
def begin_anew() -> Response:
    """Go on with an empty database; the one that cannot be opened stays on the phone, aside."""
    current_app.config["UNREADABLE"] = False
    return redirect_to(url_for("new_table.page"))


# What the worker's errors mean that are not our own: its storage failed.
FAILURES = {"QuotaExceededError": "full", DatabaseUnavailable.__name__: "unreadable"}
OUR_OWN = frozenset(
    {
        *("Error", "PythonError", "RangeError", "ReferenceError", "RuntimeError", "SyntaxError"),
        *("TypeError", "CompileError", "LinkError", "InternalError"),
    }
)


@pages.bp.get("/away/<name>")
def explain(name: str) -> tuple[str, HTTPStatus]:
    """Say what an error in the worker means for who asked.

    A page's script would send the same again after the status for pages.
    """
    reason = FAILURES.get(name) or ("failed" if name in OUR_OWN else "broken")
    part = context.wants_fragment()
    status = HTTPStatus.UNPROCESSABLE_ENTITY if part else HTTPStatus.SERVICE_UNAVAILABLE
    return draw_away(reason), status
