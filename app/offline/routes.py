"""The server's two calls: a phone pulls the rows it does not have, and pushes its own."""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path
from typing import TypeVar

import msgspec
from flask import Blueprint, Response, request, send_from_directory
from werkzeug.exceptions import BadRequest

from app.http import context, cookies
from app.http.assets import LISTING, folder, is_there
from app.http.context import db
from app.http.errors import status_of
from app.http.limits import IMPORTS, NEW_TABLES, expensive, rate_limit
from app.i18n.errors import error_text
from app.offline import exchange
from app.offline.exchange import Batch, Pull, Pulled, Receipt
from app.rules.errors import ChicagoError
from app.rules.json_input import too_deep
from app.services.tables import NoPen, instance_of
from app.store import clock

bundle_bp = Blueprint("bundle", __name__, url_prefix="/offline")


@bundle_bp.get(f"/{LISTING}")
def listing() -> Response:
    """The list of the bundle's files, which tells of a new release."""
    return _send(LISTING, max_age=0)


@bundle_bp.get("/<hash_>/<name>")
def file(hash_: str, name: str) -> Response:
    """A file of the bundle, which never changes at its address."""
    response = _send(f"{hash_}/{name}")
    response.cache_control.immutable = True
    return response


def _send(name: str, max_age: int | None = None) -> Response:
    """Send a file, compressed where the browser takes it so; kept for a year unless told."""
    packed = bool(request.accept_encodings["br"]) and is_there(folder() / f"{name}.br")
    response = send_from_directory(
        folder(),
        f"{name}.br" if packed else name,
        download_name=Path(name).name,
        max_age=max_age,
    )
    if packed:
        response.headers["Content-Encoding"] = "br"
    response.vary.add("Accept-Encoding")
    return response


bp = Blueprint("exchange", __name__, url_prefix="/offline")

# Everybody else who writes waits meanwhile; then the phone comes again with the rows left.
LONGEST_SECONDS = 0.25

T = TypeVar("T")


def _read_body(body_type: type[T]) -> T:
    """The request's body. Raises BadRequest."""
    data = request.get_data()
    if too_deep(data):
        raise BadRequest
    try:
        return msgspec.json.decode(data, type=body_type)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise BadRequest from None


@bp.post("/tables/<link>")
@expensive
def push(link: str) -> Response:
    """Accept a phone's rows of one table, in order, and say how far that went."""
    batch = _read_body(Batch)
    if link != batch.link:
        raise BadRequest
    accept = _push
    if batch.base == 0:
        is_many = sum(row.kind == "import" for row in batch.rows)
        accept = rate_limit(IMPORTS if is_many else NEW_TABLES)(_push)
    try:
        receipt = accept(batch)
    except ChicagoError as fault:
        message = error_text(fault, context.language())
        return _json(Receipt(message=message), status_of(fault))
    cookies.remember_table(batch.link)
    return _json(receipt)


def _push(batch: Batch) -> Receipt:
    # An opening without one would lock its phone out, were the answer with the cookie lost.
    if not (pen := cookies.pen()):
        raise NoPen("no_pen")
    return exchange.push(db(), batch, pen, LONGEST_SECONDS)


@bp.post("/replicas")
@expensive
def pull() -> Response:
    """Send a phone the rows that it does not have of the tables it writes at, and its state."""
    asked, pen = _read_body(Pull), cookies.take_pen()
    exchange.apply(asked.state)
    # Of the tables of another server this one knows nothing.
    own = {link: seq for link, seq in asked.have.items() if instance_of(link) == context.instance()}
    tables, gone, more = exchange.pull(db(), pen, dict.fromkeys(cookies.tables(), 0) | own)
    zone = clock.zone().key
    return _json(Pulled(tables, gone, more, exchange.read_state(), context.instance(), zone))


def _json(body: object, status: HTTPStatus = HTTPStatus.OK) -> Response:
    headers = {"Cache-Control": "no-store"}
    return Response(msgspec.json.encode(body), status, headers, mimetype="application/json")
