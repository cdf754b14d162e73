"""The clock by which changes are dated: the wall's, or one stopped at the moment of a tap."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime

_stopped: ContextVar[datetime | None] = ContextVar("stopped", default=None)


def now() -> str:
    """The time of a change, UTC."""
    return write_time(moment())


def moment() -> datetime:
    """The moment it is by this clock."""
    return _stopped.get() or datetime.now(UTC)


def write_time(at: datetime) -> str:
    """A moment as the database holds it: UTC, to the millisecond."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds")


@contextmanager
def stopped_at(at: datetime) -> Iterator[None]:
    """Let what is done within be dated by a moment of before."""
    token = _stopped.set(at)
    try:
        yield
    finally:
        _stopped.reset(token)
