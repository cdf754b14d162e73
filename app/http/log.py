"""Logging: one line a request, by its route; nothing that was sent gets into a line.

A message may quote a link, a pen, a name or a visitor's address. So an exception is told by its
type and by where it went, and of a library's message only the text that stands in its code.
"""

import logging
import os
import random
import re
import sys
import time
import traceback
from types import TracebackType

from flask import Flask, Response, current_app, g, request

_log = logging.getLogger(__name__)

HEADER = "X-Request-Id"
# As servers in front make them, hexadecimal or UUIDs; no link, pen, name or number looks so.
PROXY_ID = re.compile(r"[0-9A-Fa-f-]{16,64}")
# A client may send anything as a method, a link as well.
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")

Caught = tuple[type[BaseException] | None, BaseException | None, TracebackType | None]


class LineFormatter(logging.Formatter):
    """Formats records without the values they quote, but for those of this program."""

    def format(self, record: logging.LogRecord) -> str:
        """The lines of a record."""
        if not record.name.startswith("app.") and record.levelno >= logging.WARNING:
            # Some libraries have put values into their texts already.
            record.msg = record.msg if _is_literal(record.msg) else f"a message of {record.name}"
            record.args = ()
        # Another handler may have put the exception into words, its message as well.
        record.exc_text = None
        return super().format(record)

    def formatException(self, ei: Caught) -> str:  # noqa: N802 - as the library calls it
        """The exception's type, its traceback without messages, and its cause."""
        return _trace(ei[1])


def _is_literal(message: object) -> bool:
    """Whether a message stands as it is in the code of one of the functions that are running."""
    running = traceback.walk_stack(None)
    return isinstance(message, str) and any(message in at.f_code.co_consts for at, _ in running)


def _trace(error: BaseException | None) -> str:
    if error is None:
        return ""
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    frames = "".join(traceback.format_tb(error.__traceback__))
    code = getattr(error, "sqlite_errorname", "")
    return f"{_trace(cause)}{frames}{type(error).__qualname__} {code}".rstrip() + "\n"


def configure(handlers: list[logging.Handler]) -> None:
    """Let all loggers write by a server's handlers, without secrets.

    Requests are logged, but not into a terminal unless CHICAGO_LOG asks for it.
    """
    for handler in handlers:
        handler.setFormatter(LineFormatter("%(asctime)s %(levelname)s %(message)s"))
    logging.getLogger().handlers[:] = handlers
    wanted = os.environ.get("CHICAGO_LOG") or ("off" if sys.stderr.isatty() else "on")
    logging.getLogger("app").setLevel(logging.WARNING if wanted == "off" else logging.INFO)


def log_greenlet(
    context: object, kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """Log an exception that ended a greenlet, and not its `context`: a connection, with addresses.

    gevent calls it (Hub.print_exception).
    """
    _log.error("A greenlet failed", exc_info=(kind, error, trace))


def register(app: Flask) -> None:
    """Give every request an id, and log it when it has been answered."""
    # Flask's own server logs addresses of visitors and paths, those it cannot read as errors.
    logging.getLogger("werkzeug").setLevel(logging.CRITICAL)
    app.before_request(_begin)
    app.after_request(_log_request)


def _begin() -> None:
    g.began = time.perf_counter()


def request_id() -> str:
    """The id of this request: one of a server in front where those are believed, else a new one."""
    if "request_id" not in g:
        from_proxy = request.headers.get(HEADER, "") if current_app.config["PROXIES"] else ""
        # Soon read out, and enough digits to meet twice in no log.
        own = f"{random.getrandbits(48):012x}"
        g.request_id = from_proxy if PROXY_ID.fullmatch(from_proxy) else own
    return str(g.request_id)


def _log_request(response: Response) -> Response:
    response.headers[HEADER] = request_id()
    method = request.method if request.method in METHODS else "other"
    rule = request.url_rule.rule if request.url_rule else "-"
    ms = (time.perf_counter() - g.began) * 1000 if "began" in g else 0.0
    _log.info("%s %s %s %s %.1f ms", request_id(), method, rule, response.status_code, ms)
    return response
