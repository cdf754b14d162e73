"""Which evening a moment belongs to: a game that goes on after midnight is still that night's."""

from __future__ import annotations

from datetime import date, datetime, timedelta

# A game begun after midnight belongs to the evening before.
NIGHT_ENDS = timedelta(hours=5)


def evening_of(at: str | datetime) -> date:
    """The evening a moment belongs to, by the server's clock; the night is the day before's."""
    moment = datetime.fromisoformat(at) if isinstance(at, str) else at
    return (moment.astimezone() - NIGHT_ENDS).date()
