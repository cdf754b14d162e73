"""The phone: the application behind plain functions, for the service worker that runs it.

The worker keeps the database file: it puts the file in place before `start`, and stores it whenever
an answer says that it changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import TypeVar
from urllib.parse import urljoin

import msgspec
from flask import Blueprint, Flask, Request, Response, current_app, render_template, request
from flask.sessions import SecureCookieSession, SessionInterface, SessionMixin
from jinja2 import ModuleLoader
from msgspec.structs import replace
from werkzeug.exceptions import BadRequest
from werkzeug.test import create_environ, run_wsgi_app

from app import ROOT, make_app, register_pages, web
from app.http import context, cookies, errors
from app.http.application import Application, application
from app.http.context import db
from app.offline import exchange, pages, replicas
from app.offline.exchange import Pull, Pulled, Receipt
from app.offline.replicas import ConflictKind, Phone, read_phone, save_phone
from app.services import figures
from app.store import clock
from app.store.connection import DatabaseRefused
from app.store.files import COMPANIONS, WRITE_AHEAD_LOG, beside

bp = Blueprint("calls", __name__, url_prefix="/offline")

T = TypeVar("T")

# The meaning of a refusal for the changes that wait. Any other status is no answer.
CONFLICTS: dict[int, ConflictKind] = {
    HTTPStatus.OK: "",
    HTTPStatus.CONFLICT: "stale",
    HTTPStatus.UNAUTHORIZED: "no_pen",
    HTTPStatus.NOT_FOUND: "gone",
    HTTPStatus.UNPROCESSABLE_ENTITY: "refused",
    HTTPStatus.BAD_REQUEST: "refused",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "refused",
}


def register(app: Application) -> None:
    """Add the calls, and open tables on the phone where its server would."""
    app.register_blueprint(bp)
    app.before_request(_follow_instance)


def _follow_instance() -> None:
    current_app.config["INSTANCE"] = replicas.read_phone(db()).instance


@bp.get("/status")
def status() -> Response:
    """The changes that are only on this phone, with the line for pages, and its tables."""
    rows, here = replicas.find_waiting(db().connection), pages.find_only_here()
    line = render_template("offline/_only_here.html", here=here) if here else ""
    return _json(
        {
            "waiting": sum(row.waiting for row in rows),
            "only_here": [row.link for row in rows if row.waiting],
            "conflicts": [row.link for row in rows if row.conflict],
            "held": [row.link for row in rows],
            "unread": len(replicas.read_phone(db()).unread),
            "line": line,
        }
    )


@bp.get("/outbox")
def outbox() -> Response:
    """Batches to be pushed now; there may be more when the server has acknowledged these."""
    return _json(replicas.collect(db()))


@bp.post("/receipts/<link>")
def receive(link: str) -> Response:
    """Take the server's answer to a batch: accepted, or a person has to decide.

    Another program's answer is a bad request: the batch is to be sent again later.
    """
    receipt, code = _read(Receipt), request.args.get("status", 0, int)
    if code not in CONFLICTS:
        raise BadRequest
    replicas.note_receipt(db(), link, receipt, CONFLICTS[code])
    application().rendered.clear()
    return Response(status=HTTPStatus.NO_CONTENT)


@bp.get("/have")
def have() -> Response:
    """The body of a pull: the versions that this phone has."""
    bases = {row.link: row.base for row in replicas.find_waiting(db().connection) if row.base}
    changes = exchange.find_changes(replicas.read_phone(db()).known, exchange.read_state())
    return _json(Pull(bases, changes))


@bp.post("/replicas")
def follow() -> Response:
    """Follow the server."""
    pulled = _read(Pulled)
    with db().transaction():
        phone = replicas.read_phone(db())
        now = replace(phone, instance=pulled.instance, zone=pulled.zone)
        if follow_zone(now):
            # Games that were played belong to other evenings.
            figures.recount_all(db())
        came, unread = replicas.take(db(), pulled)
        for link in reversed(came):
            if link not in cookies.tables():
                cookies.remember_table(link)
        unreadable = exchange.apply(exchange.find_changes(phone.known, pulled.state))
        # Else the next pull would say that this phone has changed them.
        known = pulled.state | {key: phone.known.get(key) for key in unreadable}
        replicas.save_phone(db(), replace(now, known=known, unread=unread))
    application().rendered.clear()
    return Response(status=HTTPStatus.NO_CONTENT)


def follow_zone(phone: Phone) -> bool:
    """Tell moments in the server's time zone; whether that is another than before."""
    before = clock.zone().key
    with suppress(clock.UnknownZone):
        clock.set_zone(clock.find_zone(phone.zone))
    return clock.zone().key != before


def _read(body_type: type[T]) -> T:
    """The server's answer. Raises BadRequest for another program's."""
    try:
        return msgspec.json.decode(request.get_data(), type=body_type)
    except msgspec.MsgspecError:
        raise BadRequest from None


def _json(body: object) -> Response:
    return Response(msgspec.json.encode(body), mimetype="application/json")


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
    values = {"DATABASE": database, "PHONE": True, "INSTANCE": None, "LIMITS": False}
    app = make_app({**values, **config})
    register_pages(app)
    app.session_interface = PhoneSession()
    register(app)
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
            follow_zone(read_phone(context.db()))
    except BaseException:
        app.close()
        raise
    _running.append(app)


def stop() -> None:
    """Close the database, whose file may then be replaced; unsaved changes are lost."""
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
    """Move commits from the write-ahead log into the database file; whether there were any."""
    log = beside(Path(app.config["DATABASE"]), WRITE_AHEAD_LOG)
    changed = False
    with suppress(FileNotFoundError), app.app_context():
        changed = log.stat().st_size > 0
        context.db().truncate_log()
    return changed
