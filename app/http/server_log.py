"""gunicorn's logger: everything the server process logs goes through one formatter.

Records of any logger, warnings, and exceptions that nobody caught all become lines of
`app.http.log_lines`, so that nothing that was sent can get into the log past it.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import warnings
from types import TracebackType

from gunicorn.config import Config
from gunicorn.glogging import Logger

from app.http.log_lines import EventLine, LineFormatter, error_line, place

APP, LIBRARIES = logging.getLogger("app"), logging.getLogger()


class ServerLog(Logger):  # type: ignore[misc]  # gunicorn publishes no types
    """The log of `make run` and of the Procfile's web line; `CHICAGO_LOG` is read here."""

    def setup(self, cfg: Config) -> None:
        """Give every logger the server's handlers, and those our formatter."""
        super().setup(cfg)
        terminal = sys.stderr.isatty()
        formatter = LineFormatter(terminal=terminal, master=os.getpid())
        for handler in self.error_log.handlers:
            handler.setFormatter(formatter)
        LIBRARIES.handlers[:] = self.error_log.handlers
        wanted = os.environ.get("CHICAGO_LOG") or ("off" if terminal else "on")
        APP.setLevel(logging.WARNING if wanted == "off" else logging.INFO)
        _catch_the_rest()

    def access(self, *_: object) -> None:
        """Log nothing: the application logs its requests itself, by routes and not by paths."""


def _catch_the_rest() -> None:
    """Log what Python would otherwise print to stderr with the values in it."""
    # A record that cannot be formatted is printed with its arguments.
    logging.raiseExceptions = False
    warnings.showwarning = _log_warning
    sys.excepthook = _log_uncaught
    sys.unraisablehook = lambda caught: _log_uncaught(caught.exc_type, caught.exc_value)
    threading.excepthook = lambda caught: _log_uncaught(caught.exc_type, caught.exc_value)


def _log_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: object = None,
    line: object = None,
) -> None:
    APP.warning("%s", EventLine(warning=category.__name__, at=[place(filename, lineno)]))


def _log_uncaught(
    kind: type[BaseException], error: BaseException | None, _: TracebackType | None = None
) -> None:
    if error is not None and not issubclass(kind, SystemExit):
        APP.error("%s", error_line(error))
