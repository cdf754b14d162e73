"""The clock by which changes are dated.

Moments are stored in UTC, and told in one time zone: that of the table, wherever this runs.
"""

from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from time import sleep
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

DEFAULT_ZONE = "Europe/Stockholm"
# Earliest timestamp accepted: clocks that lost their power tell one before.
EARLIEST = "1981-01-01T00:00:00.000+00:00"


class UnknownZone(ValueError):
    """There is no time zone of this name."""


class _Settings:
    """The time zone of this process, none before it is set, and a time that it was told."""

    zone: ZoneInfo | None = None
    floor = ""


@cache
def find_zone(name: str) -> ZoneInfo:
    """The time zone of an IANA name. Raises UnknownZone."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise UnknownZone(name) from None


def zone() -> ZoneInfo:
    """The time zone in which moments are told."""
    return _Settings.zone or find_zone(DEFAULT_ZONE)


def set_zone(zone: ZoneInfo) -> None:
    """Let moments be told in this time zone from now on, in all of this process."""
    _Settings.zone = zone


def set_floor(at: str) -> None:
    """Date nothing before a time, told by a clock that goes right; nothing takes that back."""
    _Settings.floor = at


def local(at: str | datetime) -> datetime:
    """A moment, perhaps as it is stored (ISO 8601), in the time zone of the table."""
    moment = datetime.fromisoformat(at) if isinstance(at, str) else at
    return moment.astimezone(zone())


def utc_now() -> datetime:
    """The moment it is."""
    return datetime.now(UTC)


def age(at: str) -> timedelta:
    """Seconds since a stored moment; as much for one to come."""
    return abs(datetime.fromisoformat(now()) - datetime.fromisoformat(at))


def now() -> str:
    """The time of a change, UTC: by this clock, unless that is known to stand behind."""
    return max(utc_now().isoformat(timespec="milliseconds"), _Settings.floor)


def write_time(at: datetime) -> str:
    """A moment as the database holds it: UTC, to the millisecond."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds")


# With nothing to wait for gevent would go on for long before it looks at others' connections, and 0
# would only mean those who could go on already.
YIELD_SECONDS = 0.001


def give_way() -> None:
    """Let other requests be served: the process has one thread."""
    sleep(YIELD_SECONDS)


# A game begun after midnight belongs to the evening before.
NIGHT_ENDS = timedelta(hours=5)


def evening_of(at: str | datetime) -> date:
    """The evening a moment belongs to, by the table's clock; the night is the day before's.

    The night ends when that clock shows five, also where it was put forward or back since midnight.
    """
    return (local(at) - NIGHT_ENDS).date()


def this_evening() -> date:
    """The evening that it is now."""
    return evening_of(now())


def beginning_of(evening: date) -> datetime:
    """The moment from which an evening's games are begun."""
    # Of the first day there is no moment in UTC everywhere.
    day = max(evening, date.min + timedelta(days=1))
    return datetime.combine(day, time(), zone()) + NIGHT_ENDS
