"""Requests that failed: people get a page that says why, programs the same as JSON."""

import logging
from collections.abc import Callable, Mapping
from http import HTTPStatus

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException, ServiceUnavailable, default_exceptions

from app.rules.codes import BadFile, ChicagoError, NotAllowed, Stale
from app.services.access import NoPen, NotFound
from app.services.import_export import Busy
from app.store.files import DatabaseBusy, DatabaseUnavailable, DriverError, find_reason

_log = logging.getLogger(__name__)

# Addresses that programs call, ours among them.
CALLS = ("/api/", "/offline/")
# Headers that a response keeps of an error's own: when to come again, and the methods there are.
ERROR_HEADERS = ("Retry-After", "Allow")
# For pages; a program's unreadable input is a bad request.
STATUSES: Mapping[type[ChicagoError], HTTPStatus] = {
    NotFound: HTTPStatus.NOT_FOUND,
    NoPen: HTTPStatus.UNAUTHORIZED,
    Stale: HTTPStatus.CONFLICT,
    NotAllowed: HTTPStatus.UNPROCESSABLE_ENTITY,
    BadFile: HTTPStatus.UNPROCESSABLE_ENTITY,
    Busy: HTTPStatus.SERVICE_UNAVAILABLE,
}

# Seconds to wait before another try at a database that is busy or broken.
RETRY_SECONDS = 2


class OutOfOrder(ServiceUnavailable):
    """The database cannot be read or written to just now; nothing has been changed."""


Render = Callable[[HTTPException], Response]


def status_of(error: ChicagoError) -> HTTPStatus:
    """The status that goes with a refusal."""
    return next(STATUSES[kind] for kind in type(error).mro() if kind in STATUSES)


def log_unavailable(error: Exception) -> None:
    """Log why the database is unavailable; an error that does not say so is raised again."""
    reason = find_reason(error)
    if reason is None:
        raise error
    level = logging.WARNING if isinstance(error, DatabaseBusy) else logging.ERROR
    _log.log(level, "The database is unavailable: %s", reason)


def register(app: Flask, page: Render, json: Render) -> None:
    """Answer every failed request with a `page`, and below /api with `json`."""

    def respond(error: HTTPException) -> Response:
        render = json if request.path.startswith(CALLS) else page
        response = render(error)
        headers = dict(error.get_headers())
        response.headers.update({name: headers[name] for name in ERROR_HEADERS if name in headers})
        return response

    def respond_with_status(error: ChicagoError) -> Response:
        response = respond(default_exceptions[status_of(error)]())
        if isinstance(error, NoPen):
            # The page of a phone that writes is none for it any more.
            response.headers["HX-Refresh"] = "true"
        return response

    def respond_out_of_order(error: Exception) -> Response:
        log_unavailable(error)
        return respond(OutOfOrder(retry_after=RETRY_SECONDS))

    app.register_error_handler(HTTPException, respond)
    app.register_error_handler(DatabaseUnavailable, respond_out_of_order)
    app.register_error_handler(DriverError, respond_out_of_order)
    for kind in STATUSES:
        app.register_error_handler(kind, respond_with_status)
