"""The same tables for other programs, over JSON; openapi.json describes each call."""

from collections.abc import Mapping
from http import HTTPStatus

from flask import Response
from werkzeug.exceptions import HTTPException

from app.api.answers import error_body, json_response
from app.http.errors import OutOfOrder

_MESSAGES: Mapping[int, str] = {
    HTTPStatus.BAD_REQUEST: "This request cannot be read.",
    HTTPStatus.FORBIDDEN: "A page of another site sent this.",
    HTTPStatus.NOT_FOUND: "There is nothing at this address.",
    HTTPStatus.METHOD_NOT_ALLOWED: "This address does not take this method.",
    HTTPStatus.REQUEST_TIMEOUT: "The body took too long to arrive.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "The body is longer than this address takes.",
    HTTPStatus.PRECONDITION_REQUIRED: "Only whoever holds a pen may push; pull first.",
    HTTPStatus.TOO_MANY_REQUESTS: "That was too much at once; wait a little.",
    HTTPStatus.SERVICE_UNAVAILABLE: "Too many are watching; try again soon.",
}
_OUT_OF_ORDER = "The database cannot be used just now. Nothing has changed; try again soon."
_INTERNAL_ERROR = "Something went wrong in the score keeper."


def http_error(error: HTTPException) -> Response:
    """The response to a request that failed before it reached the game."""
    status = error.code or HTTPStatus.INTERNAL_SERVER_ERROR
    server = status >= HTTPStatus.INTERNAL_SERVER_ERROR
    message = _MESSAGES.get(
        status, _INTERNAL_ERROR if server else _MESSAGES[HTTPStatus.BAD_REQUEST]
    )
    if isinstance(error, OutOfOrder):
        message = _OUT_OF_ORDER
    return json_response(error_body(status, message), status)
