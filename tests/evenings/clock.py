"""The time of an evening, the same for every part of the application."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, tzinfo

BEGINNING = datetime(2026, 10, 17, 17, 0, tzinfo=UTC)


class Clock(datetime):
    """A clock that stands still at `at`."""

    at = BEGINNING

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
        """Return the time."""
        return cls.at.astimezone(tz)


@contextmanager
def stopped() -> Iterator[None]:
    """Stop the clock of every part of the application."""
    loaded = [module for name, module in sys.modules.items() if name.startswith("app.")]
    asking = [module for module in loaded if vars(module).get("datetime") is datetime]
    for module in asking:
        vars(module)["datetime"] = Clock
    try:
        yield
    finally:
        for module in asking:
            vars(module)["datetime"] = datetime
