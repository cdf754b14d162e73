"""Whether the score keeper can do its work: `GET /healthz`, for who watches over the server."""

from __future__ import annotations

import logging
from http import HTTPStatus

from flask import Blueprint, Flask, Response, make_response

from app.http.context import db
from app.store.connection import DatabaseUnavailable

bp = Blueprint("health", __name__)

_log = logging.getLogger(__name__)


def register(app: Flask) -> None:
    """Add the address to the application."""
    app.register_blueprint(bp)


@bp.get("/healthz")
def health() -> Response:
    """`ok`, or 503; nothing else is told."""
    try:
        db().check_writable()
    except DatabaseUnavailable as error:
        _log.error("The health check failed: %s", error)
        response = make_response("unavailable", HTTPStatus.SERVICE_UNAVAILABLE)
    else:
        response = make_response("ok")
    response.mimetype = "text/plain"
    response.headers["Cache-Control"] = "no-store"
    return response
