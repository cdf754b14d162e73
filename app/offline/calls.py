"""Calls of the service worker: what waits on the phone, to be pushed, and what it pulls."""

from __future__ import annotations

from contextlib import suppress
from http import HTTPStatus
from typing import TypeVar

import msgspec
from flask import Blueprint, Response, current_app, render_template, request
from msgspec.structs import replace
from werkzeug.exceptions import BadRequest

from app.http import cookies
from app.http.application import Application, application
from app.http.context import db
from app.offline import pages, replicas, state
from app.offline.exchange import Pull, Pulled, Receipt
from app.offline.replicas import Conflict, Phone
from app.services import figures
from app.store import clock

bp = Blueprint("calls", __name__, url_prefix="/offline")

T = TypeVar("T")

# The meaning of a refusal for the changes that wait. Any other status is no answer.
CONFLICTS: dict[int, Conflict] = {
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
    """Tell what is only on this phone, with the line for pages, and the tables it holds."""
    rows, here = replicas.find_waiting(db().connection), pages.find_only_here()
    line = render_template("offline/_only_here.html", here=here) if here else ""
    return _json(
        {
            "waiting": sum(row.waiting for row in rows),
            "only_here": [row.link for row in rows if row.waiting],
            "conflicts": [row.link for row in rows if row.conflict],
            "held": [row.link for row in rows],
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
    """The body by which the server is asked for what this phone does not have."""
    bases = {row.link: row.base for row in replicas.find_waiting(db().connection) if row.base}
    changes = state.find_changes(replicas.read_phone(db()).known, state.read_state())
    return _json(Pull(bases, changes))


@bp.post("/replicas")
def follow() -> Response:
    """Follow the server."""
    pulled = _read(Pulled)
    with db().transaction():
        phone = replicas.read_phone(db())
        now = replace(phone, known=pulled.state, instance=pulled.instance, zone=pulled.zone)
        if follow_zone(now):
            # Games that were played belong to other evenings.
            figures.recount_all(db())
        replicas.take(db(), pulled)
        replicas.save_phone(db(), now)
        for table in reversed(pulled.tables):
            if table.link not in cookies.tables():
                cookies.remember_table(table.link)
        state.apply(state.find_changes(phone.known, pulled.state))
    application().rendered.clear()
    return _json({"more": pulled.more})


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
