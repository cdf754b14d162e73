"""Requests that failed: people get a page that says why, programs the same as JSON."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from http import HTTPStatus
from types import TracebackType
from typing import TypeVar

from flask import Flask, Response, make_response, request
from werkzeug.exceptions import HTTPException, ServiceUnavailable, default_exceptions
from werkzeug.wrappers import Response as AnyResponse

from app.http.assets import send_text
from app.http.log import request_id
from app.rules.errors import ChicagoError
from app.services.tables import NoPen, NotFound
from app.store.availability import DatabaseBusy, DatabaseUnavailable, DriverError, find_reason

_log = logging.getLogger(__name__)

# Addresses that programs call, ours among them.
CALLS = ("/api/", "/offline/")
# What a response keeps of an error's own: when to come again, and which methods there are.
ERROR_HEADERS = ("Retry-After", "Allow")
STATUSES: Mapping[type[ChicagoError], HTTPStatus] = {
    NotFound: HTTPStatus.NOT_FOUND,
    NoPen: HTTPStatus.UNAUTHORIZED,
}

# When whoever met a database that is busy or broken may try again, in seconds.
RETRY_SECONDS = 2


class OutOfOrder(ServiceUnavailable):
    """The database cannot be read or written to just now; nothing has been changed."""


T = TypeVar("T")
Render = Callable[[HTTPException], AnyResponse]
Caught = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class Application(Flask):
    """Flask, whose styles and scripts are served minified."""

    def log_exception(self, exc_info: Caught) -> None:
        """Log an exception that a view did not expect; Flask adds the address, a secret."""
        _log.error("%s failed", request_id(), exc_info=exc_info)

    def ensure_sync(self, func: Callable[..., T]) -> Callable[..., T]:
        """Take each function for a plain one, as all of ours are: asking takes longer than most."""
        return func

    def send_static_file(self, filename: str) -> Response:
        """Answer with a static file."""
        text = send_text(self.static_folder or "", filename)
        return super().send_static_file(filename) if text is None else text


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
        response = make_response(render(error))
        headers = dict(error.get_headers())
        response.headers.update({name: headers[name] for name in ERROR_HEADERS if name in headers})
        return response

    def respond_with_status(error: ChicagoError) -> Response:
        return respond(default_exceptions[STATUSES[type(error)]]())

    def respond_out_of_order(error: Exception) -> Response:
        log_unavailable(error)
        return respond(OutOfOrder(retry_after=RETRY_SECONDS))

    app.register_error_handler(HTTPException, respond)
    app.register_error_handler(DatabaseUnavailable, respond_out_of_order)
    app.register_error_handler(DriverError, respond_out_of_order)
    for kind in STATUSES:
        app.register_error_handler(kind, respond_with_status)
