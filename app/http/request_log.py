"""Request ids and one structured log line for each request: WSGI middleware around everything."""

from __future__ import annotations

import logging
import re
import secrets
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

from flask import Flask, has_request_context, request
from werkzeug.wsgi import ClosingIterator

from app.http.errors import REQUEST_ID
from app.http.log_lines import RequestLine, error_line
from app.i18n.language import DEFAULT, get_language

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

LOG = logging.getLogger(__name__)
HEADER = "X-Request-Id"
# Twelve hexadecimal digits are soon read out, and few enough to meet twice in no log.
ID_BYTES = 6
# As proxies make them, hexadecimal or UUIDs; no link, pen, name or phone number looks so.
PROXY_ID = re.compile(r"[0-9A-Fa-f-]{16,64}")
# A client may send anything as a method, a link as well.
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_KEY = "chicago.exchange"


def register(app: Flask) -> None:
    """Log every request of the application; call this when its WSGI application is complete."""
    # Flask's development server logs the path of every request.
    logging.getLogger("werkzeug").setLevel(logging.WARNING)
    app.url_value_preprocessor(_note_route)
    app.extensions |= {"log_error": log_error, "note_change": note_change}
    app.wsgi_app = RequestLog(app, app.wsgi_app)  # type: ignore[method-assign]  # Flask's documented place for it


def log_error(error: BaseException) -> None:
    """Log an exception that ends the request at hand, without what its message quotes."""
    exchange = _exchange()
    LOG.error("%s", error_line(error, request=exchange.id if exchange else ""))


def log_refusal(status: int, size: int) -> str:
    """Log a request that the server refused before it was read; the id of the answer."""
    new_id = _new_id()
    LOG.info("%s", RequestLine(new_id, "other", None, status, 0.0, size, changed=False))
    return new_id


def note_change() -> None:
    """Note for the log that the request at hand has changed a table."""
    if exchange := _exchange():
        exchange.changed = True


class Exchange:
    """A request and what is known of its answer so far; `changed` as in RequestLine."""

    def __init__(self, environ: WSGIEnvironment, *, proxied: bool) -> None:
        sent: str = environ.get("HTTP_X_REQUEST_ID", "") if proxied else ""
        self.id = sent if PROXY_ID.fullmatch(sent) else _new_id()
        self.route: str | None = None
        self.status = 0
        self.size = 0
        self.changed = False
        method = environ["REQUEST_METHOD"]
        self._method = method if method in METHODS else "other"
        self._began = time.perf_counter()

    def count(self, body: Iterable[bytes]) -> Iterator[bytes]:
        """The body as it is, its bytes counted; an exception in it is logged and goes on."""
        try:
            for part in body:
                self.size += len(part)
                yield part
        except Exception as error:
            LOG.error("%s", error_line(error, request=self.id))
            raise

    def log(self) -> None:
        """Write the line of this request, which is over."""
        ms = round((time.perf_counter() - self._began) * 1000, 1)
        values = (self.id, self._method, self.route, self.status, ms, self.size, self.changed)
        LOG.info("%s", RequestLine(*values))


def _new_id() -> str:
    return secrets.token_hex(ID_BYTES)


class RequestLog:
    """WSGI middleware: an id on every answer, a line in the log when the answer has ended."""

    def __init__(self, app: Flask, wsgi_app: WSGIApplication) -> None:
        self._app = app
        self._wsgi_app = wsgi_app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        exchange = Exchange(environ, proxied=self._app.config["PROXIES"] > 0)
        environ[_KEY], environ[REQUEST_ID] = exchange, exchange.id

        def start(
            status: str,
            headers: list[tuple[str, str]],
            *error: Any,  # noqa: ANN401 - as WSGI has it
        ) -> Callable[[bytes], object]:
            exchange.status = int(status[:3])
            return start_response(status, [*headers, (HEADER, exchange.id)], *error)

        return _until_closed(exchange, environ, self._answer(environ, start, exchange))

    def _answer(
        self, environ: WSGIEnvironment, start: Callable[..., object], exchange: Exchange
    ) -> Iterable[bytes]:
        """The answer, a plain one where even the page that tells of an error fails."""
        try:
            return self._wsgi_app(environ, cast("StartResponse", start))
        except Exception as error:
            LOG.error("%s", error_line(error, request=exchange.id))
            if _propagates(self._app):
                raise
            headers = [("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", "no-store")]
            # WSGI wants to know why it is told another status.
            why = [sys.exc_info()] if exchange.status else []
            start("500 Internal Server Error", headers, *why)
            return [_apology(exchange.id).encode()]


def _until_closed(
    exchange: Exchange, environ: WSGIEnvironment, body: Iterable[bytes]
) -> Iterable[bytes]:
    """The body, and the log's line when it is closed."""
    closes = [close] if (close := getattr(body, "close", None)) else []
    return ClosingIterator(exchange.count(body), [*closes, exchange.log])


def _propagates(app: Flask) -> bool:
    """Whether tests, or people who write the program, are to get exceptions themselves."""
    propagates: bool | None = app.config["PROPAGATE_EXCEPTIONS"]
    return app.testing or app.debug if propagates is None else propagates


def _apology(request_id: str) -> str:
    gettext = get_language(DEFAULT).gettext
    return "\n".join(
        [
            gettext("Something went wrong. What was written is kept."),
            gettext("Code to mention if you report this: %(id)s", id=request_id),
        ]
    )


def _exchange() -> Exchange | None:
    environ: Mapping[str, Any] = request.environ if has_request_context() else {}
    return environ.get(_KEY)


def _note_route(_endpoint: str | None, _values: dict[str, Any] | None) -> None:
    """Note which address fits, before anything may refuse the request."""
    exchange, rule = _exchange(), request.url_rule
    if exchange and rule:
        exchange.route = rule.rule
