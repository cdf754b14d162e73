"""The pages: routes, forms and view models. Everything here ends in a template."""

from __future__ import annotations

from http import HTTPStatus

from flask import Flask, render_template, request
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as AnyResponse

from app.http import compression, security
from app.http.cookies import SignedCookies
from app.services.tables import NoPen, NotFound
from app.web import (
    compare,
    data,
    evening,
    language,
    pwa,
    rules,
    setup,
    statistics,
    table,
    templates,
)

PAGES = (setup, table, compare, rules, evening, statistics, data, pwa, language)


def register(app: Flask) -> None:
    """Add the pages to the application; the database is opened with the first request."""
    templates.register(app)
    security.register(app)
    for page in PAGES:
        page.register(app)
    app.register_error_handler(NotFound, lambda _: _error(HTTPStatus.NOT_FOUND))
    app.register_error_handler(NoPen, lambda _: _error(HTTPStatus.UNAUTHORIZED))
    app.session_interface = SignedCookies()
    compression.register(app)


def http_error(error: HTTPException) -> AnyResponse | tuple[str, int]:
    """The page that says why a request failed."""
    if error.code is None or error.code < HTTPStatus.BAD_REQUEST:
        return error.get_response()
    return _error(HTTPStatus(error.code))


def _error(status: HTTPStatus) -> tuple[str, int]:
    part = "HX-Request" in request.headers
    return render_template("error.html", status=status, part=part), status
