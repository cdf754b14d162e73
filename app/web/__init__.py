"""The pages: routes, forms and view models. Everything here ends in a template."""

from __future__ import annotations

from http import HTTPStatus

from flask import Flask, make_response, render_template
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as AnyResponse

from app.http import context, cookies, security
from app.http.errors import OutOfOrder
from app.http.log import request_id
from app.web import (
    compare,
    data,
    evening,
    language,
    learn,
    offline,
    pwa,
    rules,
    setup,
    statistics,
    table,
    templates,
)

PAGES = (setup, table, compare, rules, learn, evening, statistics, data, offline, pwa, language)


def register(app: Flask) -> None:
    """Add the pages to the application; the database is opened with the first request."""
    templates.register(app)
    security.register(app)
    for page in PAGES:
        page.register(app)
    cookies.register(app)


def error_page(error: HTTPException) -> AnyResponse:
    """The page that says why a request failed; what only leads on leads on."""
    if error.code is None or error.code < HTTPStatus.BAD_REQUEST:
        return error.get_response()
    status = HTTPStatus(error.code)
    values = {
        "status": status,
        "request_id": request_id(),
        "out_of_order": isinstance(error, OutOfOrder),
    }
    text = render_template("error.html", part=context.wants_fragment(), **values)
    return make_response(text, status)
