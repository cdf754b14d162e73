"""Short answers: what the server says to requests that never come as far as the application."""

from __future__ import annotations

from http import HTTPStatus

from gunicorn.http import errors as framing

from app.http import request_log

RETRY_SECONDS = 5

_STATUSES: dict[type[Exception], HTTPStatus] = {
    framing.LimitRequestLine: HTTPStatus.REQUEST_URI_TOO_LONG,
    framing.LimitRequestHeaders: HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
    framing.ExpectationFailed: HTTPStatus.EXPECTATION_FAILED,
}


def status_of(error: Exception) -> HTTPStatus:
    """The status for a request that could not be read, or that failed before the application."""
    if isinstance(error, framing.ParseException):
        return _STATUSES.get(type(error), HTTPStatus.BAD_REQUEST)
    return HTTPStatus.INTERNAL_SERVER_ERROR


def short_answer(status: HTTPStatus) -> bytes:
    """A whole response that says its status alone, and that the connection ends; logs it."""
    text = f"{status.value} {status.phrase}\n"
    lines = [f"HTTP/1.1 {status.value} {status.phrase}", "Connection: close"]
    lines += ["Content-Type: text/plain", f"Content-Length: {len(text)}"]
    lines.append(f"{request_log.HEADER}: {request_log.log_refusal(status, len(text))}")
    if status is HTTPStatus.SERVICE_UNAVAILABLE:
        lines.append(f"Retry-After: {RETRY_SECONDS}")
    return "\r\n".join([*lines, "", text]).encode()
