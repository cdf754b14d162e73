"""The same tables for other programs, over JSON; openapi.py says what each call does."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from flask import Blueprint, Flask, Response
from werkzeug.exceptions import HTTPException

from app.api import openapi, routes
from app.api.answers import API_STATUSES, error_body, json_response, refuse
from app.http.errors import OutOfOrder
from app.rules.errors import ChicagoError

_MESSAGES: Mapping[int, str] = {
    HTTPStatus.BAD_REQUEST: "This request cannot be read.",
    HTTPStatus.FORBIDDEN: "A page of another site sent this.",
    HTTPStatus.NOT_FOUND: "There is nothing at this address.",
    HTTPStatus.METHOD_NOT_ALLOWED: "This address does not take this method.",
    HTTPStatus.REQUEST_TIMEOUT: "The body took too long to arrive.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "A body may be 64 KiB at most.",
    HTTPStatus.TOO_MANY_REQUESTS: "That was too much at once; wait a little.",
    HTTPStatus.SERVICE_UNAVAILABLE: "Too many are watching; try again soon.",
}
_OUT_OF_ORDER = "The database cannot be used just now. Nothing has changed; try again soon."
_INTERNAL_ERROR = "Something went wrong in the score keeper."


def register(app: Flask) -> None:
    """Add the calls under /api to the application."""
    api = Blueprint("api", __name__, url_prefix="/api")
    api.register_blueprint(routes.bp)
    api.register_blueprint(openapi.bp)
    for error in API_STATUSES:
        api.register_error_handler(error, _error_response)
    app.register_blueprint(api)


def _error_response(error: ChicagoError) -> Response:
    outcome = refuse(error)
    response = json_response(outcome.refusal or "", outcome.status)
    if outcome.status == HTTPStatus.UNAUTHORIZED:
        response.headers["WWW-Authenticate"] = "Bearer"
    return response


def http_error(error: HTTPException) -> Response:
    """The response to a request that failed before it reached the game."""
    status = error.code or HTTPStatus.INTERNAL_SERVER_ERROR
    if isinstance(error, OutOfOrder):
        return json_response(error_body(status, _OUT_OF_ORDER), status)
    return json_response(error_body(status, _MESSAGES.get(status, _INTERNAL_ERROR)), status)
