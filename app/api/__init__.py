"""The same tables for other programs, over JSON; what each call does is in openapi.json."""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path

from flask import Blueprint, Flask, Response, request
from werkzeug.exceptions import HTTPException

from app.api import routes
from app.api.answers import REFUSALS, json_answer, refused, written
from app.rules.errors import ChicagoError

OPENAPI = Path(__file__).with_name("openapi.json")

_TROUBLE = {
    HTTPStatus.BAD_REQUEST: ("bad_request", "This request cannot be read."),
    HTTPStatus.FORBIDDEN: ("bad_request", "A page of another site sent this."),
    HTTPStatus.NOT_FOUND: ("not_found", "There is nothing at this address."),
    HTTPStatus.METHOD_NOT_ALLOWED: ("bad_request", "This address does not take this method."),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: ("too_large", "A body may be 64 KiB at most."),
    HTTPStatus.TOO_MANY_REQUESTS: ("too_many", "That was too much at once; wait a little."),
    HTTPStatus.SERVICE_UNAVAILABLE: ("too_many", "Too many are watching; try again soon."),
}
_OTHER = ("internal", "Something went wrong in the score keeper.")


def register(app: Flask) -> None:
    """Add the calls under /api to the application."""
    api = Blueprint("api", __name__, url_prefix="/api")
    api.register_blueprint(routes.bp)
    api.add_url_rule("/openapi.json", "openapi", _openapi)
    for kind in REFUSALS:
        api.register_error_handler(kind, _refusal)
    app.register_blueprint(api)


def _refusal(refusal: ChicagoError) -> Response:
    reply = refused(refusal)
    answer = json_answer(reply.body, reply.status)
    if reply.status == HTTPStatus.UNAUTHORIZED:
        answer.headers["WWW-Authenticate"] = "Bearer"
    return answer


def _openapi() -> Response:
    answer = json_answer(OPENAPI.read_text(encoding="utf-8"))
    answer.add_etag(weak=True)
    answer.make_conditional(request)
    return answer


def http_error(fault: HTTPException) -> Response:
    """The answer to a call that failed before it reached the game."""
    status = HTTPStatus(fault.code or HTTPStatus.INTERNAL_SERVER_ERROR)
    code, message = _TROUBLE.get(status, _OTHER)
    return json_answer(written({"error": {"code": code, "message": message}}), status)
