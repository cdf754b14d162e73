"""Request bodies: read whole and in time before anything else, or refused.

So no view waits for a network, and no body is taken for whole that broke off.
"""

from __future__ import annotations

from http import HTTPStatus
from tempfile import SpooledTemporaryFile
from typing import IO, TYPE_CHECKING

import gevent
from flask import Flask, abort, request

if TYPE_CHECKING:
    from collections.abc import Iterable

    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

# A body has so long to arrive whole; a large one gets more time, but only as fast as this.
SECONDS = 10.0
SLOWEST_BYTES_PER_SECOND = 65_536
# More than any route takes; each route refuses more than its own limit.
LARGEST = 22_000_000
IN_MEMORY = 256 * 1024
CHUNK = 64 * 1024

_FAULT = "chicago.body_fault"


class ReadBodies:
    """WSGI middleware that reads a request's body before the application sees it."""

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request whose body is there, or has a fault that a view is to tell."""
        # Else a connection whose next request is there already keeps all others waiting.
        gevent.sleep(0)
        length, ends = environ.get("CONTENT_LENGTH"), environ.pop("wsgi.input_terminated", False)
        if not ends or not (length or "HTTP_TRANSFER_ENCODING" in environ):
            return self._app(environ, start_response)
        with SpooledTemporaryFile(IN_MEMORY) as body:
            environ[_FAULT] = _read(environ["wsgi.input"], body, int(length or -1))
            environ["wsgi.input"], environ["CONTENT_LENGTH"] = body, str(body.tell())
            # It is chunked no more; of a chunked body werkzeug would not believe the length.
            environ.pop("HTTP_TRANSFER_ENCODING", None)
            body.seek(0)
            return self._app(environ, start_response)


def _read(source: IO[bytes], body: IO[bytes], length: int) -> HTTPStatus | None:
    """Read a body of this length, -1 where it is chunked; the status of its fault, if it has one.

    gunicorn raises exceptions of its own, and those of sockets, where a body cannot be read.
    """
    if length > LARGEST:
        return HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    try:
        with gevent.Timeout(SECONDS + max(0, length) / SLOWEST_BYTES_PER_SECOND, TimeoutError):
            while body.tell() <= LARGEST and (data := source.read(CHUNK)):
                body.write(data)
    except TimeoutError:
        return HTTPStatus.REQUEST_TIMEOUT
    except Exception:  # noqa: BLE001 - as above; it is answered, and nothing is hidden
        return HTTPStatus.BAD_REQUEST
    if body.tell() > LARGEST:
        return HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    return HTTPStatus.BAD_REQUEST if 0 <= length != body.tell() else None


def register(app: Flask) -> None:
    """Refuse requests whose body could not be read."""
    app.before_request(_refuse_faults)


def _refuse_faults() -> None:
    if fault := request.environ.get(_FAULT):
        abort(fault)
