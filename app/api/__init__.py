"""The same tables for other programs, over JSON; openapi.py says what each call does."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from flask import Blueprint, Flask, Response
from werkzeug.exceptions import HTTPException

from app.api import openapi, routes
from app.api.answers import (
    ERRORS,
    error_body,
    error_reply,
    json_response,
    json_response_with_etag,
)
from app.api.bodies import ErrorCode
from app.rules.errors import ChicagoError

_HTTP_ERRORS: Mapping[HTTPStatus, tuple[ErrorCode, str]] = {
    HTTPStatus.BAD_REQUEST: ("bad_request", "This request cannot be read."),
    HTTPStatus.FORBIDDEN: ("bad_request", "A page of another site sent this."),
    HTTPStatus.NOT_FOUND: ("not_found", "There is nothing at this address."),
    HTTPStatus.METHOD_NOT_ALLOWED: ("bad_request", "This address does not take this method."),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: ("too_large", "A body may be 64 KiB at most."),
    HTTPStatus.TOO_MANY_REQUESTS: ("too_many", "That was too much at once; wait a little."),
    HTTPStatus.SERVICE_UNAVAILABLE: ("too_many", "Too many are watching; try again soon."),
}
_INTERNAL_ERROR: tuple[ErrorCode, str] = (
    "internal",
    "Something went wrong in the score keeper.",
)


def register(app: Flask) -> None:
    """Add the calls under /api to the application."""
    api = Blueprint("api", __name__, url_prefix="/api")
    api.register_blueprint(routes.bp)
    api.add_url_rule("/openapi.json", "openapi", _openapi)
    for error in ERRORS:
        api.register_error_handler(error, _error_response)
    app.register_blueprint(api)


def _error_response(error: ChicagoError) -> Response:
    reply = error_reply(error)
    response = json_response(reply.body, reply.status)
    if reply.status == HTTPStatus.UNAUTHORIZED:
        response.headers["WWW-Authenticate"] = "Bearer"
    return response


def _openapi() -> Response:
    return json_response_with_etag(openapi.text())


def http_error(error: HTTPException) -> Response:
    """The response to a request that failed before it reached the game."""
    status = HTTPStatus(error.code or HTTPStatus.INTERNAL_SERVER_ERROR)
    return json_response(error_body(*_HTTP_ERRORS.get(status, _INTERNAL_ERROR)), status)
