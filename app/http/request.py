"""Requests as they come in: the host they name, and their body up to the limit.

A body is read whole or refused: never cut off, and never taken for whole where it broke off.
"""

from __future__ import annotations

import ipaddress
import re
from functools import lru_cache
from http import HTTPStatus
from typing import IO, Any

import flask
from flask import Flask, abort
from gunicorn.http.errors import ParseException
from werkzeug.exceptions import BadRequest, RequestEntityTooLarge, RequestTimeout
from werkzeug.utils import cached_property
from werkzeug.wsgi import LimitedStream, get_input_stream

from app.http.deadlines import TooSlow

# A name as the domain name system knows them (RFC 1035), or an address, and perhaps a port.
_HOST = re.compile(r"(?:\[(?P<ipv6>[0-9A-Fa-f:.]+)\]|(?P<name>[^:]+))(?::(?P<port>[0-9]{0,5}))?")
_LABELS = re.compile(r"(?:[A-Za-z0-9_-]{1,63}\.)*[A-Za-z0-9_-]{1,63}\.?")
MAX_NAME = 253
MAX_PORT = 65_535


@lru_cache(maxsize=256)
def is_host(text: str) -> bool:
    """Whether a Host header names a host; left empty it names none, which is allowed."""
    match = _HOST.fullmatch(text)
    if not match or int(match["port"] or 0) > MAX_PORT:
        return not text
    if match["ipv6"]:
        return _is_ipv6(match["ipv6"])
    return len(match["name"]) <= MAX_NAME and bool(_LABELS.fullmatch(match["name"]))


def _is_ipv6(text: str) -> bool:
    try:
        ipaddress.IPv6Address(text)
    except ValueError:
        return False
    return True


class BodyStream(LimitedStream):
    """A request body that raises an HTTPException wherever it is not the whole of what was sent."""

    def __init__(self, stream: IO[bytes], limit: int, length: int | None) -> None:
        super().__init__(stream, limit, is_max=True)
        self._length = length

    def readinto(self, b: bytearray) -> int | None:  # type: ignore[override]  # as in LimitedStream
        """Read into `b`. Raises BadRequest where chunks are malformed."""
        try:
            return super().readinto(b)
        except ParseException:
            raise BadRequest from None

    def readall(self) -> bytes:
        """Read to the end. Raises RequestEntityTooLarge where there is more than the limit."""
        data = super().readall()
        if data and self.is_exhausted:
            self.read(1)
        return data

    def on_exhausted(self) -> None:
        """Refuse a body that goes on beyond the limit, and let one pass that ends just there."""
        try:
            more = self._stream.read(1)
        except OSError as error:
            self.on_disconnect(error)
        else:
            if more:
                raise RequestEntityTooLarge

    def on_disconnect(self, error: Exception | None = None) -> None:
        """Refuse a body that did not come in time, or broke off."""
        if isinstance(error, TooSlow):
            raise RequestTimeout
        if error or (self._length or 0) > self._pos:
            raise BadRequest


class Request(flask.Request):
    """A request whose host is one, and whose body is whole."""

    def __init__(self, environ: dict[str, Any], *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - handed on
        host = environ.get("HTTP_HOST", "")
        self.bad_host = not is_host(host)
        if not host or self.bad_host:
            # Then the server's own address is as good a guess as any.
            environ.pop("HTTP_HOST", None)
        super().__init__(environ, *args, **kwargs)
        self._uploads: list[IO[bytes]] = []

    def _get_file_stream(
        self,
        total_content_length: int | None,
        content_type: str | None,
        filename: str | None = None,
        content_length: int | None = None,
    ) -> IO[bytes]:
        """Open the file that an upload goes to; of a body that breaks off nobody else knows it."""
        about = (total_content_length, content_type, filename, content_length)
        stream: IO[bytes] = super()._get_file_stream(*about)
        self._uploads.append(stream)
        return stream

    def close(self) -> None:
        """Close what was uploaded."""
        super().close()
        for stream in self._uploads:
            stream.close()

    @cached_property
    def stream(self) -> IO[bytes]:
        """The body. Raises RequestEntityTooLarge when it says that it is larger than allowed."""
        limit = self.max_content_length
        checked = get_input_stream(self.environ, max_content_length=limit)
        if limit is None or "wsgi.input_terminated" not in self.environ:
            return checked
        return BodyStream(self.environ["wsgi.input"], limit, self.content_length)  # type: ignore[return-value]  # as in get_input_stream


def register(app: Flask) -> None:
    """Let the application's requests be these."""
    app.request_class = Request
    app.before_request(_refuse_bad_host)


def _refuse_bad_host() -> None:
    request = flask.request
    if isinstance(request, Request) and request.bad_host:
        abort(HTTPStatus.BAD_REQUEST)
