"""The log of an application within the test's own process."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager

from app.http.log import LineFormatter


class Log:
    """Log lines in the format of the process that answers requests, without the time."""

    def __init__(self) -> None:
        self._stream = io.StringIO()
        self.handler = logging.StreamHandler(self._stream)
        self.handler.setFormatter(LineFormatter("%(levelname)s %(message)s"))

    @property
    def text(self) -> str:
        """The whole log."""
        return self._stream.getvalue()

    @property
    def requests(self) -> list[list[str]]:
        """The id, method, route and status of each request."""
        lines = [line.split(" ") for line in self.text.splitlines() if line.endswith(" ms")]
        return [line[1:-2] for line in lines]


@contextmanager
def capture_log() -> Iterator[Log]:
    """Capture the log within a block."""
    log, root, app = Log(), logging.getLogger(), logging.getLogger("app")
    level = app.level
    root.addHandler(log.handler)
    app.setLevel(logging.INFO)
    try:
        yield log
    finally:
        app.setLevel(level)
        root.removeHandler(log.handler)
