"""A clock that stands still."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from unittest import mock

from app.store import clock


@contextmanager
def stopped_at(at: datetime) -> Iterator[None]:
    """Date every change within the block by one moment."""
    with mock.patch.object(clock, "utc_now", return_value=at):
        yield
