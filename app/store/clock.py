"""The clock by which changes are dated: the wall's, or one stopped at the moment of a tap."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime

_stopped: ContextVar[datetime | None] = ContextVar("stopped", default=None)


def now() -> str:
    """The time of a change, UTC."""
    return write_time(_stopped.get() or datetime.now(UTC))


def write_time(moment: datetime) -> str:
    """A moment as the database holds it: UTC, to the millisecond."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds")


@contextmanager
def stopped_at(moment: datetime) -> Iterator[None]:
    """Let what is done within be dated by a moment of before."""
    token = _stopped.set(moment)
    try:
        yield
    finally:
        _stopped.reset(token)
