"""Structured logging: one JSON object a line, built from an allow-list of fields.

A message or an exception may quote what was sent: a link, a pen, a name. So a line tells of an
exception its type and where it was raised, and of a library's record where it came from. Only the
messages of this program, and those of the server that quote no request, are written as they are.
"""

from __future__ import annotations

import errno
import logging
import os
import re
import sys
import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

import msgspec
from msgspec.structs import replace

ROOT = Path(__file__).resolve().parents[2]
OURS = (f"{ROOT}/app/", f"{ROOT}/templates/")
# What a line in a terminal begins with, without its name.
PLAIN = ("time", "level", "message")
MAX_FRAMES = 12
MAX_CAUSES = 3

# What gunicorn says in the process that answers requests and that quotes none of them.
SERVER_MESSAGES = frozenset(
    {
        "Autorestarting worker after current request.",
        "Booting worker with pid: %s",
        "Error handling request",
        "Error handling request %s",
        "Error handling request %s %s",
        "Error handling request (no URI read)",
        "Exception in post_request hook",
        "Exception in worker process",
        "Parent changed, shutting down: %s",
        "Socket error processing request.",
        "Worker exiting (pid: %s)",
    }
)
# Links, pens and pen links are base64url of 16 or 32 bytes; few words are as long with a capital
# or a digit in them.
_SECRET = re.compile(
    r"(?<![\w-])(?=[\w-]*[A-Z0-9])(?:[\w-]{22}|[\w-]{43})(?![\w-])"
    # And numbers of nine digits or more, which telephones have.
    r"|\d(?:[ -]?\d){8,}"
)
_SECRET_PATH = re.compile(r"/(t|pen|tables|transfer|start)/[^\s/?#\"']+")


class RequestLine(msgspec.Struct, frozen=True):
    """A request that was answered; `route` is the pattern of its address, null where none fits.

    `ms` is the time until the answer had ended, a stream's until it had begun; `bytes` are those
    of its body; `changed` says whether a table has got a new version.
    """

    request: str
    method: str
    route: str | None
    status: int
    ms: float
    bytes: int
    changed: bool


class EventLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Anything else: an exception, a warning of Python's, what a logger says; the rest is left out.

    `error` is an exception's type, `code` what SQLite or the system calls it, `at` the lines of
    code it went through, outermost first; `request` the id of the request it ended.
    """

    request: str = ""
    logger: str = ""
    message: str = ""
    warning: str = ""
    error: str = ""
    code: str = ""
    at: list[str] = []
    cause: EventLine | None = None


LogLine = RequestLine | EventLine


def error_line(error: BaseException, request: str = "", causes: int = MAX_CAUSES) -> EventLine:
    """What may be told of an exception and of what caused it, and that in turn."""
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return EventLine(
        request=request,
        error=type(error).__qualname__,
        code=_error_code(error),
        at=_frames(error),
        cause=error_line(cause, "", causes - 1) if cause and causes else None,
    )


def place(filename: str, line: int) -> str:
    """A line of code, by its file's path from the folder of this program or of the libraries."""
    library = filename.rpartition("/site-packages/")[2]
    name = filename.removeprefix(f"{ROOT}/") if library == filename else library
    return f"{name}:{line}"


def redact(text: str) -> str:
    """A text without what looks like a link, a pen, a pen link or a number: the second net."""
    return _SECRET.sub("…", _SECRET_PATH.sub(r"/\1/…", text))


class LineFormatter(logging.Formatter):
    """Formats every record as a line; in a terminal, as words and not as JSON.

    `master` is the process that starts the others: it never sees a request, so it may say anything.
    """

    def __init__(self, *, terminal: bool, master: int) -> None:
        super().__init__()
        self._terminal = terminal
        self._master = master

    def format(self, record: logging.LogRecord) -> str:
        """The line for a record."""
        moment = datetime.fromtimestamp(record.created, UTC)
        fields = {
            "time": moment.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            **_fields(self._line(record)),
        }
        if self._terminal:
            words = [str(fields.pop(name)) for name in PLAIN if name in fields]
            return " ".join([*words, *(f"{name}={value}" for name, value in fields.items())])
        return msgspec.json.encode(fields).decode()

    def _line(self, record: logging.LogRecord) -> LogLine:
        values = record.args
        if isinstance(values, tuple) and len(values) == 1 and isinstance(values[0], LogLine):
            return values[0]
        message, error = self._message(record), _exception(record)
        if error:
            return replace(error_line(error), logger=record.name, message=message)
        at = [] if message else [place(record.pathname, record.lineno)]
        return EventLine(logger=record.name, message=message, at=at)

    def _message(self, record: logging.LogRecord) -> str:
        """The message, where it quotes no request."""
        if os.getpid() == self._master or record.name.split(".")[0] == "app":
            return redact(_interpolate(record))
        if record.msg not in SERVER_MESSAGES:
            return ""
        numbers = all(isinstance(value, int) for value in cast("tuple[object]", record.args))
        return _interpolate(record) if numbers else str(record.msg)


def _exception(record: logging.LogRecord) -> BaseException | None:
    """The exception a record tells of, or that is at hand: gunicorn words some and passes none."""
    if record.exc_info:
        return record.exc_info[1]
    return sys.exception() if record.levelno >= logging.WARNING else None


def _fields(line: LogLine) -> dict[str, object]:
    return cast("dict[str, object]", msgspec.to_builtins(line))


def _interpolate(record: logging.LogRecord) -> str:
    """The message with its values; of an exception only the type, since it may quote anything."""
    if isinstance(record.msg, BaseException):
        return type(record.msg).__qualname__
    if not isinstance(record.args, tuple):
        return record.getMessage()
    values = (
        type(value).__qualname__ if isinstance(value, BaseException) else value
        for value in record.args
    )
    try:
        return str(record.msg) % tuple(values) if record.args else str(record.msg)
    except (TypeError, ValueError):
        return str(record.msg)


def _error_code(error: BaseException) -> str:
    """SQLite's name for an error, or the system's: neither quotes anything."""
    if isinstance(error, OSError):
        return errno.errorcode.get(error.errno or 0, "")
    return getattr(error, "sqlite_errorname", "")


def _frames(error: BaseException) -> list[str]:
    """Where an exception went through this program, and where it was raised; outermost first."""
    stack = [(f.f_code.co_filename, n) for f, n in traceback.walk_tb(error.__traceback__)]
    ours = [frame for frame in stack[:-1] if frame[0].startswith(OURS)]
    return [place(*frame) for frame in [*ours, *stack[-1:]][-MAX_FRAMES:]]
