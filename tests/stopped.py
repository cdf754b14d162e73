"""A clock that stands still."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from app.store import clock


@contextmanager
def stopped_at(at: datetime) -> Iterator[None]:
    """Let it be one moment, in UTC, within the block."""
    asked = vars(clock)["datetime"]
    vars(clock)["datetime"] = type("Stopped", (datetime,), {"now": lambda _: at})
    try:
        yield
    finally:
        vars(clock)["datetime"] = asked
