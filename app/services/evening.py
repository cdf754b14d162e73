"""Which evening a moment belongs to: a game that goes on after midnight is still that night's."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

from app.store import clock

# A game begun after midnight belongs to the evening before.
NIGHT_ENDS = timedelta(hours=5)


def evening_of(at: str | datetime) -> date:
    """The evening a moment belongs to, by the table's clock; the night is the day before's.

    The night ends when that clock shows five, also where it was put forward or back since midnight.
    """
    return (clock.local(at) - NIGHT_ENDS).date()


def this_evening() -> date:
    """The evening that it is now."""
    return evening_of(clock.moment())


def beginning_of(evening: date) -> datetime:
    """The moment from which an evening's games are begun."""
    # Of the first day there is no moment in UTC everywhere.
    day = max(evening, date.min + timedelta(days=1))
    return datetime.combine(day, time(), clock.zone()) + NIGHT_ENDS
