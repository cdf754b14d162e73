"""Requests: a head as browsers send it, a body as large as its route takes, read whole in time.

So no view waits for a network, no body is taken for whole that broke off, and what no route takes
is not even read.
"""

from collections.abc import Iterable, Mapping
from contextlib import ExitStack, suppress
from functools import partial
from tempfile import SpooledTemporaryFile
from threading import BoundedSemaphore
from typing import IO, Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import gevent
from flask import Flask, request
from werkzeug.exceptions import (
    BadRequest,
    HTTPException,
    RequestEntityTooLarge,
    RequestHeaderFieldsTooLarge,
    RequestTimeout,
    ServiceUnavailable,
)
from werkzeug.sansio.utils import get_content_length
from werkzeug.wsgi import ClosingIterator

from app.store import clock

# The bytes that a route takes, by its endpoint: as many as a form has, but for these. A phone
# pushes half a megabyte at a time, or a single game that was played elsewhere: twice its file where
# that has nothing but quotation marks.
FORM, PUSH, UPLOAD = 64 * 1024, 2_500_000, 20_000_000
LARGEST: Mapping[str, int] = {
    "exchange.pull": PUSH,
    "exchange.push": PUSH,
    "files.add_games": UPLOAD,
    "files.open_table": UPLOAD,
}
# The letters of a request's headers: a browser keeps cookies of 4 kB for a place, and few of them.
HEAD = 16 * 1024
# The bytes that are read where nothing takes any, so that a form whose address is gone is told so.
STRAY = 4 * 1024
WITHOUT_BODY = ("GET", "HEAD", "OPTIONS", "TRACE")

# A body has so long to arrive whole; a large one gets more time, but only as fast as this.
SECONDS = 10.0
SLOWEST_BYTES_PER_SECOND = 65_536
# Each body has room for its first bytes, which are more than a tap has, and all of them at once
# for so many pieces more: 64 MB.
FIRST, PIECE, PIECES = 8 * 1024, 64 * 1024, 1000
IN_MEMORY = FORM
# An upload has a few fields beside its file. Each is bounded together with the piece that is read.
FIELDS, FIELD = 20, FORM + PIECE
RETRY_SECONDS = 5

_FAULT = "chicago.body_fault"


class _Body(SpooledTemporaryFile[bytes]):
    """A body that was read; its reader lets others be served between two pieces."""

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401 - as the base class has it
        """Read the next piece."""
        if self.tell():
            clock.give_way()
        return super().readinto(buffer)


class ReadBodies:
    """WSGI middleware that reads a request's body before the application sees it."""

    def __init__(self, app: Flask, wsgi: WSGIApplication) -> None:
        self._app, self._wsgi = app, wsgi
        self._room = BoundedSemaphore(PIECES)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request whose body is there, or has a fault that a view is to tell."""
        # Else a connection whose next request is there already keeps all others waiting.
        gevent.sleep(0)
        if sum(len(value) for name, value in environ.items() if name.startswith("HTTP_")) > HEAD:
            environ = {name: environ[name] for name in environ if not name.startswith("HTTP_")}
            environ[_FAULT] = RequestHeaderFieldsTooLarge()
        coding = environ.get("HTTP_TRANSFER_ENCODING")
        length = get_content_length(environ.get("CONTENT_LENGTH"), coding)
        ends = environ.pop("wsgi.input_terminated", False)
        if not length and not (coding and ends):
            return self._wsgi(environ, start_response)
        source, refused = environ["wsgi.input"], False
        with ExitStack() as held:
            body = held.enter_context(_Body(IN_MEMORY))
            try:
                self._read(source, body, length, find_largest(self._app, environ), held)
            except HTTPException as fault:
                environ[_FAULT], refused = fault, True
            environ["wsgi.input"], environ["CONTENT_LENGTH"] = body, str(body.tell())
            # It is chunked no more; of a chunked body werkzeug would not believe the length.
            environ.pop("HTTP_TRANSFER_ENCODING", None)
            body.seek(0)
            answer = self._wsgi(environ, start_response)
        return ClosingIterator(answer, partial(_hang_up, source)) if refused and ends else answer

    def _read(
        self, source: IO[bytes], body: IO[bytes], length: int | None, largest: int, held: ExitStack
    ) -> None:
        """Read a body of this length, None where it is chunked. Raises HTTPException for a fault.

        gunicorn raises exceptions of its own, and those of sockets, where a body cannot be read.
        """
        if length is not None and length > largest:
            raise RequestEntityTooLarge
        seconds = SECONDS + (length or 0) / SLOWEST_BYTES_PER_SECOND
        try:
            with gevent.Timeout(seconds, RequestTimeout):
                self._copy(source, body, largest + 1 if length is None else length, held)
        except HTTPException:
            raise
        except Exception:  # noqa: BLE001 - as above; it is answered, and nothing is hidden
            raise BadRequest from None
        if length is None and body.tell() > largest:
            raise RequestEntityTooLarge
        if length is not None and body.tell() != length:
            raise BadRequest

    def _copy(self, source: IO[bytes], body: IO[bytes], end: int, held: ExitStack) -> None:
        """Copy at most so many bytes of a body. Raises ServiceUnavailable for want of room."""
        room = FIRST
        while (size := min(room, end) - body.tell()) and (data := source.read(size)):
            body.write(data)
            if body.tell() == room < end:
                if not self._room.acquire(blocking=False):
                    raise ServiceUnavailable(retry_after=RETRY_SECONDS)
                held.callback(self._room.release)
                room += PIECE
                # What is there already is read without a wait.
                clock.give_way()


def find_largest(app: Flask, environ: WSGIEnvironment) -> int:
    """The most bytes of a body that a request's route takes."""
    if environ["REQUEST_METHOD"] in WITHOUT_BODY:
        return STRAY
    try:
        endpoint, _ = app.url_map.bind_to_environ(environ).match()
    except HTTPException:
        return STRAY
    # Werkzeug reads a form whole, but for one in parts.
    is_form = "urlencoded" in environ.get("CONTENT_TYPE", "").lower()
    return FORM if is_form else LARGEST.get(endpoint, FORM)


def _hang_up(source: Any) -> None:  # noqa: ANN401 - a server's
    """Pass over a body that was refused, so that its sender reads why; but not without end."""
    with suppress(Exception), gevent.Timeout(SECONDS, TimeoutError):
        for _ in range(UPLOAD // PIECE):
            if not source.read(PIECE):
                return
            gevent.sleep(0)
    with suppress(AttributeError):
        # gunicorn would read on to its end before the next request of the connection.
        source.failed = True


def register(app: Flask) -> None:
    """Refuse requests whose body could not be read, and of an upload more than a form besides."""
    app.config.update(MAX_FORM_MEMORY_SIZE=FIELD, MAX_FORM_PARTS=FIELDS)
    app.before_request(_refuse_faults)


def _refuse_faults() -> None:
    if fault := request.environ.get(_FAULT):
        raise fault
