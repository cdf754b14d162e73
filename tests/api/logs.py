"""Reading the log that an application writes within the test's own process."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from app.http.log_lines import LineFormatter


class Log:
    """What was logged, formatted as in the process that answers requests."""

    def __init__(self) -> None:
        self._stream = io.StringIO()
        self.handler = logging.StreamHandler(self._stream)
        self.handler.setFormatter(LineFormatter(terminal=False, master=0))

    @property
    def text(self) -> str:
        """All of it."""
        return self._stream.getvalue()

    @property
    def lines(self) -> list[dict[str, Any]]:
        """Its lines, without the time."""
        lines = [json.loads(line) for line in self.text.splitlines()]
        for line in lines:
            assert line.pop("time").endswith("Z")
        return lines

    @property
    def requests(self) -> list[dict[str, Any]]:
        """The lines of requests."""
        return [line for line in self.lines if "route" in line]

    @property
    def errors(self) -> list[dict[str, Any]]:
        """The lines of exceptions."""
        return [line for line in self.lines if "error" in line]


@contextmanager
def capture_log() -> Iterator[Log]:
    """Log everything there for the length of a block."""
    log, root, app = Log(), logging.getLogger(), logging.getLogger("app")
    level = app.level
    root.addHandler(log.handler)
    app.setLevel(logging.INFO)
    try:
        yield log
    finally:
        app.setLevel(level)
        root.removeHandler(log.handler)
