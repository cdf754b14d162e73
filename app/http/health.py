"""Whether the score keeper can do its work: `GET /healthz`, for who watches over the server."""

from __future__ import annotations

import logging
import time
from http import HTTPStatus
from threading import Lock

from flask import Blueprint, Flask, Response, current_app, make_response

from app.http.context import pool
from app.store.availability import DatabaseUnavailable

bp = Blueprint("health", __name__)

_log = logging.getLogger(__name__)

# A check is a write to disk: whoever asks within this time gets what the last one found.
CHECK_SECONDS = 1.0


class HealthCheck:
    """Whether the database can be read and written to, tried once a second at most."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._ok = False
        self._fresh_until = 0.0

    def run(self) -> bool:
        """Return what was found within the last second, or is found now."""
        with self._lock:
            if time.monotonic() >= self._fresh_until:
                self._ok = _is_writable()
                self._fresh_until = time.monotonic() + CHECK_SECONDS
            return self._ok


def _is_writable() -> bool:
    try:
        pool().check_writable()
    except DatabaseUnavailable as error:
        _log.error("The health check failed: %s", error)
        return False
    return True


def register(app: Flask) -> None:
    """Add the address to the application."""
    app.extensions["health"] = HealthCheck()
    app.register_blueprint(bp)


@bp.get("/healthz")
def health() -> Response:
    """`ok`, or 503; nothing else is told."""
    check: HealthCheck = current_app.extensions["health"]
    ok = check.run()
    response = make_response("ok" if ok else "unavailable")
    response.status_code = HTTPStatus.OK if ok else HTTPStatus.SERVICE_UNAVAILABLE
    response.mimetype = "text/plain"
    response.headers["Cache-Control"] = "no-store"
    return response
