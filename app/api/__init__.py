"""The same tables for other programs, over JSON; what each call does is in openapi.json."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path

from flask import Blueprint, Flask, Response, request
from werkzeug.exceptions import HTTPException

from app.api import live, routes
from app.api.answers import error, json_answer
from app.rules.errors import BadFile, ChicagoError, NotAllowed, Stale
from app.tables import KeyReused, NoPen, NotFound

OPENAPI = Path(__file__).with_name("openapi.json")

_KINDS: tuple[tuple[type[ChicagoError], HTTPStatus, str], ...] = (
    (BadFile, HTTPStatus.BAD_REQUEST, "bad_request"),
    (NotAllowed, HTTPStatus.UNPROCESSABLE_ENTITY, "not_allowed"),
    (KeyReused, HTTPStatus.UNPROCESSABLE_ENTITY, "not_allowed"),
    (Stale, HTTPStatus.CONFLICT, "stale"),
    (NoPen, HTTPStatus.UNAUTHORIZED, "no_pen"),
    (NotFound, HTTPStatus.NOT_FOUND, "not_found"),
)
_CODES = {
    HTTPStatus.NOT_FOUND: "not_found",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "too_large",
    HTTPStatus.TOO_MANY_REQUESTS: "too_many",
}


def register(app: Flask) -> None:
    """Add the calls under /api to the application."""
    api = Blueprint("api", __name__, url_prefix="/api")
    api.register_blueprint(routes.bp)
    api.register_blueprint(live.bp)
    api.add_url_rule("/openapi.json", "openapi", _openapi)
    for kind, status, code in _KINDS:
        api.register_error_handler(kind, _refusal(status, code))
    app.register_blueprint(api)


def _refusal(status: HTTPStatus, code: str) -> Callable[[ChicagoError], Response]:
    def answer(refusal: ChicagoError) -> Response:
        return error(status, code, refusal)

    return answer


def _openapi() -> Response:
    return json_answer(OPENAPI.read_text(encoding="utf-8"))


def http_error(fault: HTTPException) -> Response:
    """The answer to a call that failed before it reached the game."""
    status = HTTPStatus(fault.code or HTTPStatus.INTERNAL_SERVER_ERROR)
    return error(status, _CODES.get(status, "bad_request"), str(fault.name))


def asked() -> bool:
    """Whether this request is a call under /api."""
    return request.path.startswith("/api/")
